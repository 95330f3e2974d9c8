-- A session's list of what it is to do, whole, as its agent keeps it.
CREATE TABLE todos (
    session    TEXT    PRIMARY KEY REFERENCES sessions (id),
    items      TEXT    NOT NULL CHECK (json_valid(items)),
    updated_at INTEGER NOT NULL
) STRICT;
