-- What an agent may do. None of it unless it is said, and all of it for those that were paired before there was a choice.
ALTER TABLE agents ADD COLUMN scope_ask     INTEGER NOT NULL DEFAULT 0 CHECK (scope_ask IN (0, 1));
ALTER TABLE agents ADD COLUMN scope_specs   INTEGER NOT NULL DEFAULT 0 CHECK (scope_specs IN (0, 1));
ALTER TABLE agents ADD COLUMN scope_folders INTEGER NOT NULL DEFAULT 0 CHECK (scope_folders IN (0, 1));
UPDATE agents SET scope_ask = 1, scope_specs = 1, scope_folders = 1;
