-- Where agents work. Spec numbers are counted here, so that one is never used twice.
CREATE TABLE workspaces (
    id         INTEGER PRIMARY KEY,
    path       TEXT    NOT NULL UNIQUE,
    mode       TEXT    NOT NULL DEFAULT 'guided' CHECK (mode IN ('autonomous', 'guided', 'interactive', 'plan')),
    next_spec  INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL
) STRICT;

-- Paired programs. Of the token only the SHA-256 is kept.
CREATE TABLE agents (
    id           TEXT    PRIMARY KEY,
    name         TEXT    NOT NULL,
    client       TEXT    NOT NULL,
    workspace    TEXT,
    token_hash   BLOB    NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    hold_seconds INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    revoked_at   INTEGER
) STRICT;

CREATE TABLE sessions (
    id           TEXT    PRIMARY KEY,
    agent        TEXT    NOT NULL REFERENCES agents (id),
    workspace    INTEGER NOT NULL REFERENCES workspaces (id),
    key          TEXT    NOT NULL,
    ordinal      INTEGER NOT NULL,
    mode         TEXT    NOT NULL CHECK (mode IN ('autonomous', 'guided', 'interactive', 'plan')),
    present      INTEGER NOT NULL DEFAULT 0 CHECK (present IN (0, 1)),
    started_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    ended_at     INTEGER,
    UNIQUE (agent, workspace, key)
) STRICT;

CREATE TABLE requests (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    agent        TEXT    NOT NULL REFERENCES agents (id),
    session      TEXT    NOT NULL REFERENCES sessions (id),
    workspace    INTEGER NOT NULL REFERENCES workspaces (id),
    tool         TEXT    NOT NULL,
    class        TEXT    NOT NULL CHECK (class IN ('ask', 'ambiguity', 'policy', 'step', 'approval', 'plan', 'destructive')),
    state        TEXT    NOT NULL CHECK (state IN ('pending', 'answered', 'declined', 'cancelled', 'expired', 'superseded')),
    key          BLOB    NOT NULL CHECK (length(key) = 32),
    digest       BLOB    NOT NULL CHECK (length(digest) = 32),
    title        TEXT    NOT NULL,
    ask          TEXT    NOT NULL,
    claims       TEXT    NOT NULL DEFAULT '[]',
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    decision     TEXT,
    settled_at   INTEGER,
    collected_at INTEGER,
    CHECK ((state = 'pending') = (settled_at IS NULL))
) STRICT;
CREATE INDEX requests_pending ON requests (seq) WHERE state = 'pending';
CREATE INDEX requests_pending_of_agent ON requests (agent) WHERE state = 'pending';
CREATE INDEX requests_deadline ON requests (expires_at) WHERE state = 'pending' AND expires_at IS NOT NULL;
CREATE INDEX requests_same_ask ON requests (agent, key, seq);

-- What a decision gives an agent: used once, for a while, over one revision.
CREATE TABLE grants (
    id         INTEGER PRIMARY KEY,
    request    TEXT    NOT NULL REFERENCES requests (id),
    agent      TEXT    NOT NULL REFERENCES agents (id),
    workspace  INTEGER NOT NULL REFERENCES workspaces (id),
    key        BLOB    NOT NULL CHECK (length(key) = 32),
    question   TEXT    NOT NULL,
    answer     TEXT    NOT NULL,
    subject    TEXT,
    created_at INTEGER NOT NULL,
    lapses_at  INTEGER NOT NULL,
    used_at    INTEGER
) STRICT;
CREATE INDEX grants_open ON grants (agent, workspace, key) WHERE used_at IS NULL;

CREATE TABLE specs (
    workspace   INTEGER NOT NULL REFERENCES workspaces (id),
    number      INTEGER NOT NULL,
    title       TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('draft', 'review', 'approved', 'implementing', 'done', 'archived')),
    locked      INTEGER NOT NULL DEFAULT 0 CHECK (locked IN (0, 1)),
    revision    INTEGER NOT NULL,
    body        TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    PRIMARY KEY (workspace, number)
) STRICT;
CREATE INDEX specs_title ON specs (workspace, fingerprint);

CREATE TABLE criteria (
    workspace  INTEGER NOT NULL,
    spec       INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    text       TEXT    NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('unmet', 'met', 'waived')),
    check_name TEXT,
    PRIMARY KEY (workspace, spec, id),
    FOREIGN KEY (workspace, spec) REFERENCES specs (workspace, number) ON DELETE CASCADE
) STRICT;

CREATE TABLE revisions (
    workspace INTEGER NOT NULL,
    spec      INTEGER NOT NULL,
    revision  INTEGER NOT NULL,
    agent     TEXT,
    content   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, spec, revision),
    FOREIGN KEY (workspace, spec) REFERENCES specs (workspace, number) ON DELETE CASCADE
) STRICT;

-- What a person typed and did not send yet.
CREATE TABLE drafts (
    request    TEXT    PRIMARY KEY REFERENCES requests (id),
    draft      TEXT    NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- Append only. `body` and `salt` may be erased by retention; `body_digest` stays, so the chain stays whole.
CREATE TABLE log (
    seq         INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    body        TEXT,
    salt        BLOB,
    body_digest BLOB    NOT NULL CHECK (length(body_digest) = 32),
    prev        BLOB    NOT NULL CHECK (length(prev) = 32),
    hash        BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX log_subject ON log (subject, seq);

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
