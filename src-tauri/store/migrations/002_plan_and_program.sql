-- The mode before plan mode, to which a plan that is run returns.
ALTER TABLE sessions ADD COLUMN before_plan TEXT CHECK (before_plan IN ('guided', 'interactive'));

-- The program on the other end of the socket, as the system told: `{pid, path, folder}`. Only for what has its own dialog, and
-- none where it could not be told. It is shown, and nothing is decided by it.
ALTER TABLE requests ADD COLUMN program TEXT CHECK (program IS NULL OR json_valid(program));
CREATE INDEX requests_pending_plan ON requests (session) WHERE state = 'pending' AND class = 'plan';
