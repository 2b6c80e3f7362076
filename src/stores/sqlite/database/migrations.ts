/**
 * The schema, as numbered steps that only ever add. A step that has been released is never edited.
 *
 * Why the tables are cut as they are: a commit costs about one fdatasync plus 4 kB for each page it touches, so
 * what changes often (`requests`) is kept small and apart from what is written once (`calls`), and every index
 * has to earn its page.
 *
 * Every key begins with the namespace, of which SQLite expects a handful of rows and finds all of them. Queries
 * therefore name their index or the order of their joins where it would choose another; a test looks at the plans.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    ns TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, owner_role TEXT NOT NULL, parent TEXT, mode TEXT,
    created_at INTEGER NOT NULL, ended_at INTEGER, ended_by TEXT, ended_reason TEXT,
    -- How many of its requests are pending. An index by session would be a page of its own for every request.
    pending INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (ns, id)
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_parent ON sessions (ns, parent) WHERE parent IS NOT NULL;

  -- Every call, asked for or not. A call id is unique in its session.
  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY, ns TEXT NOT NULL, session TEXT NOT NULL, call_id TEXT NOT NULL,
    verdict TEXT NOT NULL, tool TEXT NOT NULL, digest TEXT NOT NULL, because TEXT NOT NULL, rule TEXT,
    policy_version TEXT NOT NULL, submitted_by TEXT NOT NULL, created_at INTEGER NOT NULL,
    request TEXT, draft TEXT, bytes TEXT NOT NULL, commitment_key TEXT NOT NULL,
    UNIQUE (ns, session, call_id)
  );

  -- What moves of a request. Its seq is that of its call. Ids go up with the time, so new rows come at the end.
  CREATE TABLE requests (
    id TEXT PRIMARY KEY, seq INTEGER NOT NULL, ns TEXT NOT NULL, session TEXT NOT NULL,
    state TEXT NOT NULL, version INTEGER NOT NULL, deadline INTEGER, sort_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL, delivered INTEGER NOT NULL, progress TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX requests_by_state ON requests (ns, state, sort_at, id);

  CREATE TABLE deliveries (
    request TEXT NOT NULL, channel TEXT NOT NULL, ns TEXT NOT NULL, version INTEGER NOT NULL,
    shown_version INTEGER NOT NULL, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL, reference TEXT,
    PRIMARY KEY (request, channel)
  ) WITHOUT ROWID;
  CREATE INDEX deliveries_due ON deliveries (ns, due_at) WHERE shown_version < version;

  CREATE TABLE chains (id INTEGER PRIMARY KEY, ns TEXT NOT NULL, chain TEXT NOT NULL, UNIQUE (ns, chain));
  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY, chain_id INTEGER NOT NULL, n INTEGER NOT NULL, type TEXT NOT NULL,
    request TEXT, version INTEGER, body TEXT NOT NULL,
    UNIQUE (chain_id, n)
  );

  CREATE TABLE grants (
    ns TEXT NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL, session TEXT, expires_at INTEGER, uses_left INTEGER,
    uses INTEGER NOT NULL, revoked_at INTEGER, revoked_by TEXT, body TEXT NOT NULL,
    PRIMARY KEY (ns, id)
  ) WITHOUT ROWID;
  CREATE INDEX grants_by_tool ON grants (ns, tool);

  CREATE TABLE turns (
    ns TEXT NOT NULL, session TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (ns, session, at)
  ) WITHOUT ROWID;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE, namespace TEXT NOT NULL, revoked_at INTEGER,
    expires_at INTEGER, body TEXT NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE presence (
    ns TEXT NOT NULL, channel TEXT NOT NULL, connection TEXT NOT NULL, subject TEXT NOT NULL,
    conversation TEXT, until INTEGER NOT NULL,
    PRIMARY KEY (ns, channel, connection)
  ) WITHOUT ROWID;

  CREATE TABLE settings (ns TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (ns, key)) WITHOUT ROWID;
  `,
  // The agent's turns: when they were written, whether they were erased, and which sessions are in the middle of one.
  `
  ALTER TABLE sessions ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX sessions_unfinished ON sessions (ns, id) WHERE unfinished = 1;
  ALTER TABLE turns ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX turns_by_age ON turns (ns, created_at) WHERE body <> 'null';
  `,
  // Sessions by their age, of everybody and of one owner. A session is made once and its calls are many.
  `
  CREATE INDEX sessions_by_age ON sessions (ns, created_at, id);
  CREATE INDEX sessions_by_owner ON sessions (ns, owner, created_at, id);
  `,
  // Who has taken a delivery, and leases. Ended leases are deleted, so their fences are counted apart.
  `
  ALTER TABLE deliveries ADD COLUMN ticket INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE leases (
    ns TEXT NOT NULL, name TEXT NOT NULL, holder TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER NOT NULL,
    note TEXT,
    PRIMARY KEY (ns, name)
  ) WITHOUT ROWID;
  CREATE INDEX leases_by_end ON leases (ns, until);
  CREATE TABLE fences (ns TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  `,
  // Calls that follow others, who took an allowed call to run, results of tools, and records.
  `
  -- The call id of one that another call has followed. Its \`call_id\` then only keeps the row apart from the newest.
  ALTER TABLE calls ADD COLUMN own_call_id TEXT;
  -- Both by the seq of their call. Few calls have them, and a result may be long.
  CREATE TABLE holds (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE results (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  -- A trigger, so that a result goes with the bytes of its call whichever version of Banksman erases them.
  CREATE TRIGGER erase_result AFTER UPDATE OF bytes ON calls WHEN new.bytes = ''
  BEGIN DELETE FROM results WHERE seq = new.seq; END;
  CREATE TABLE records (
    ns TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, version INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (ns, kind, key)
  ) WITHOUT ROWID;
  CREATE INDEX records_by_end ON records (ns, expires_at) WHERE expires_at IS NOT NULL;
  -- Deleted records keep no version, so versions are counted for all of a namespace.
  CREATE TABLE record_versions (ns TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  `,
  `
  -- Times beyond what JavaScript holds, which earlier versions took for a time to live: one such row hid all others.
  UPDATE tokens SET expires_at = 8640000000000000 WHERE expires_at > 8640000000000000;
  UPDATE requests SET deadline = 8640000000000000 WHERE deadline > 8640000000000000;
  UPDATE records SET expires_at = 8640000000000000 WHERE expires_at > 8640000000000000;
  `,
]
