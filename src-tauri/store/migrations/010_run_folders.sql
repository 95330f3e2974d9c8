-- The run folder in which a request may be answered by a file; for those whose run has one.
CREATE TABLE run_folders (
    request TEXT PRIMARY KEY REFERENCES requests (id),
    folder  TEXT NOT NULL
) STRICT;
