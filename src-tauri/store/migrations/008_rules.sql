-- The person's rules for steps. One that was removed, or whose session or agent is no more, stays for what it decided.
CREATE TABLE rules (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    effect     TEXT    NOT NULL CHECK (effect IN ('allow', 'ask', 'deny')),
    tool       TEXT,
    command    TEXT    CHECK (command IS NULL OR json_valid(command)),
    path       TEXT,
    workspace  INTEGER REFERENCES workspaces (id),
    agent      TEXT    REFERENCES agents (id),
    session    TEXT    REFERENCES sessions (id),
    expires_at INTEGER,
    made_by    TEXT    NOT NULL,
    made_at    INTEGER NOT NULL,
    request    TEXT    REFERENCES requests (id),
    removed_at INTEGER,
    CHECK (tool IS NOT NULL OR command IS NOT NULL OR path IS NOT NULL)
) STRICT;
CREATE INDEX rules_that_hold ON rules (id) WHERE removed_at IS NULL;

-- Of a step: the rule that decided or asked, and what its host calls this use of the tool.
ALTER TABLE requests ADD COLUMN rule INTEGER REFERENCES rules (id);
ALTER TABLE requests ADD COLUMN tool_use TEXT;
CREATE INDEX requests_rule ON requests (rule, settled_at) WHERE rule IS NOT NULL;
CREATE INDEX requests_tool_use ON requests (session, tool_use) WHERE tool_use IS NOT NULL;
CREATE INDEX requests_steps ON requests (seq) WHERE class = 'step';

-- Since when the person has everything of a session refused.
ALTER TABLE sessions ADD COLUMN stopped_at INTEGER;
