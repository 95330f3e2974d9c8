-- Where a plan stands among those of its session: its revision, and the one that it revises. None for what was presented before
-- there was this.
ALTER TABLE requests ADD COLUMN plan_revision INTEGER CHECK (plan_revision >= 1);
ALTER TABLE requests ADD COLUMN plan_follows  TEXT REFERENCES requests (id);
CREATE INDEX requests_plans ON requests (session, settled_at) WHERE class = 'plan';

-- The mode that the session's agent was told of last; none where it has to be told that it is in plan mode. And how often what it
-- was told came with a decision: a note that was on its way meanwhile says nothing new.
ALTER TABLE sessions ADD COLUMN told_mode TEXT CHECK (told_mode IN ('autonomous', 'guided', 'interactive', 'plan'));
ALTER TABLE sessions ADD COLUMN told_count INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET told_mode = mode WHERE mode <> 'plan';
