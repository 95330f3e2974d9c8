-- What the person was asked to trust, and what they trusted: the digest and the snapshot, which is what a later one is compared with.
CREATE TABLE trusts (
    id         INTEGER PRIMARY KEY,
    workspace  INTEGER NOT NULL REFERENCES workspaces (id),
    request    TEXT    NOT NULL UNIQUE REFERENCES requests (id),
    state      TEXT    NOT NULL CHECK (state IN ('proposed', 'trusted', 'replaced')),
    digest     BLOB    NOT NULL CHECK (length(digest) = 32),
    snapshot   TEXT    NOT NULL CHECK (json_valid(snapshot)),
    trusted_at INTEGER,
    CHECK ((state = 'proposed') = (trusted_at IS NULL))
) STRICT;
-- One at a time is trusted.
CREATE UNIQUE INDEX trusts_trusted ON trusts (workspace) WHERE state = 'trusted';
CREATE INDEX trusts_proposed ON trusts (workspace) WHERE state = 'proposed';

-- Checks and deployments. Started by an agent in a session, or by the person through a channel.
CREATE TABLE runs (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    workspace  INTEGER NOT NULL REFERENCES workspaces (id),
    spec       INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('check', 'deploy')),
    name       TEXT    NOT NULL,
    command    TEXT    NOT NULL,
    agent      TEXT    REFERENCES agents (id),
    session    TEXT    REFERENCES sessions (id),
    channel    TEXT,
    request    TEXT    REFERENCES requests (id),
    trust      BLOB    NOT NULL CHECK (length(trust) = 32),
    state      TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'passed', 'failed', 'timed_out', 'cancelled', 'interrupted')),
    exit_code  INTEGER,
    cancelled_by TEXT,
    reason     TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    CHECK ((agent IS NULL) = (session IS NULL) AND (agent IS NULL) <> (channel IS NULL)),
    CHECK ((state IN ('queued', 'running')) = (ended_at IS NULL))
) STRICT;
CREATE INDEX runs_open ON runs (workspace) WHERE state IN ('queued', 'running');
CREATE INDEX runs_of_spec ON runs (workspace, spec, kind, name, seq);

-- What a run printed, as bytes. Apart from its row, so that lists do not read it; erased when many newer ones are there.
CREATE TABLE run_outputs (
    run    TEXT    PRIMARY KEY REFERENCES runs (id),
    output BLOB    NOT NULL,
    total  INTEGER NOT NULL
) STRICT;
