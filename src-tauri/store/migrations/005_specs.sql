-- What a spec's life takes besides: the number of its next criterion, so that none is used twice, and what was said of each.
ALTER TABLE specs ADD COLUMN next_criterion INTEGER NOT NULL DEFAULT 1;
UPDATE specs SET next_criterion = 1 + (SELECT count(*) FROM criteria c WHERE c.workspace = specs.workspace AND c.spec = specs.number);
ALTER TABLE criteria ADD COLUMN evidence TEXT CHECK (evidence IS NULL OR json_valid(evidence));
CREATE INDEX specs_status ON specs (workspace, status, number);

-- The person's rules for a workspace: whether specs move on by themselves, whose word on a criterion counts, and whether policy
-- questions are answered in the app alone.
ALTER TABLE workspaces ADD COLUMN auto_transitions INTEGER NOT NULL DEFAULT 0 CHECK (auto_transitions IN (0, 1));
ALTER TABLE workspaces ADD COLUMN evidence TEXT NOT NULL DEFAULT 'agent' CHECK (evidence IN ('agent', 'checked'));
ALTER TABLE workspaces ADD COLUMN policy_in_app INTEGER NOT NULL DEFAULT 0 CHECK (policy_in_app IN (0, 1));

-- The words of specs. A row's number is the workspace's in the upper 32 bits and the spec's in the lower, so that a workspace is a range.
CREATE VIRTUAL TABLE spec_text USING fts5 (
    title, body, criteria, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO spec_text (rowid, title, body, criteria)
SELECT s.workspace * 4294967296 + s.number, s.title, substr(s.body, 1, 65536),
       substr(coalesce((SELECT group_concat(c.text, ' ') FROM criteria c WHERE c.workspace = s.workspace AND c.spec = s.number), ''), 1, 65536)
FROM specs s;
