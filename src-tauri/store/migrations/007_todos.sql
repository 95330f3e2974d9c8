-- What a session says that it does, item by item. The whole list is set at once; `times` tells how often it was.
CREATE TABLE todos (
    session    TEXT    PRIMARY KEY REFERENCES sessions (id),
    list       TEXT    NOT NULL CHECK (json_valid(list)),
    times      INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A file that is about to be copied or moved for a decision, until that is kept: what is found here at a start was cut off, and is undone.
CREATE TABLE file_works (
    request TEXT    PRIMARY KEY REFERENCES requests (id),
    root    TEXT    NOT NULL,
    work    TEXT    NOT NULL CHECK (json_valid(work)),
    at      INTEGER NOT NULL
) STRICT;
