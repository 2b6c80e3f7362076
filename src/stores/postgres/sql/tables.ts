/**
 * The tables, as the first migration makes them.
 *
 * Names of sessions, calls, tools, settings and chains come from outside and may be of any length, and a B-tree takes
 * no more than about 2,700 bytes: they are found by a digest of namespace and name (`key…`) and kept in order by their
 * first 100 characters, which the whole text then puts right. Ids that we make ourselves, and the namespace, which is
 * checked when the store is opened, are keys as they are.
 *
 * A function of the server keeps its plans, and makes them when the tables are empty: then all indexes that a condition
 * fits look alike, and the wrong one is a walk over the whole namespace later. So what finds one row is the only
 * index that its condition fits: its first column is not the namespace, and where the namespace has to be compared too
 * that is written as `ns || ''`, which no index has.
 *
 * `requests` is small and changes often, `calls` is large and written once. Places in `journal` and `calls` come from a
 * sequence while the lock on the namespace is held, so within a namespace they grow in the order of the commits.
 */
export const TABLES = `
  -- The one row that every write of a namespace locks first.
  CREATE TABLE namespaces (name text COLLATE "C" PRIMARY KEY);

  CREATE TABLE sessions (
    ns text COLLATE "C" NOT NULL, key bytea PRIMARY KEY, id text COLLATE "C" NOT NULL,
    owner text NOT NULL, owner_key bytea NOT NULL, owner_role text NOT NULL,
    parent text, parent_key bytea, mode text, created_at bigint NOT NULL,
    ended_at bigint, ended_by text, ended_reason text,
    pending integer NOT NULL DEFAULT 0, unfinished boolean NOT NULL DEFAULT false
  ) WITH (fillfactor = 80);
  CREATE INDEX sessions_by_parent ON sessions (parent_key) WHERE parent_key IS NOT NULL;
  CREATE INDEX sessions_by_age ON sessions (ns, created_at, left(id, 100));
  CREATE INDEX sessions_by_owner ON sessions (owner_key, created_at, left(id, 100));
  CREATE INDEX sessions_unfinished ON sessions (ns, left(id, 100)) WHERE unfinished;

  -- Every call, asked for or not. A call id is unique in its session.
  CREATE TABLE calls (
    ns text COLLATE "C" NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY, key bytea NOT NULL,
    session text NOT NULL, session_key bytea NOT NULL, call_id text NOT NULL, verdict text NOT NULL,
    tool text NOT NULL, digest text NOT NULL, because text NOT NULL, rule text, policy_version text NOT NULL,
    submitted_by text NOT NULL, created_at bigint NOT NULL, request text COLLATE "C", draft text,
    bytes text NOT NULL, commitment_key text NOT NULL,
    PRIMARY KEY (ns, seq)
  );
  CREATE UNIQUE INDEX calls_by_id ON calls (key);
  CREATE INDEX calls_of_session ON calls (session_key, seq) WHERE verdict <> 'ask';
  CREATE INDEX calls_judged ON calls (ns, seq) WHERE verdict <> 'ask';
  CREATE INDEX calls_to_erase ON calls (ns, created_at) WHERE bytes <> '';

  -- What moves of a request. Its seq is that of its call. A vote changes no indexed column and stays on its page.
  CREATE TABLE requests (
    ns text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, seq bigint NOT NULL, session_key bytea NOT NULL,
    submitter_key bytea NOT NULL, state text COLLATE "C" NOT NULL, version integer NOT NULL, deadline bigint,
    sort_at bigint NOT NULL, created_at bigint NOT NULL, delivered boolean NOT NULL, progress text NOT NULL,
    PRIMARY KEY (id, ns)
  ) WITH (fillfactor = 70);
  CREATE INDEX requests_by_state ON requests (ns, state, sort_at, id);
  CREATE INDEX requests_by_session ON requests (session_key, state, sort_at, id);
  CREATE INDEX requests_by_submitter ON requests (submitter_key, state, sort_at, id);
  -- How many there are in each state.
  CREATE TABLE counts (
    ns text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL, n bigint NOT NULL, PRIMARY KEY (ns, state)
  ) WITH (fillfactor = 50);

  CREATE TABLE deliveries (
    ns text COLLATE "C" NOT NULL, request text COLLATE "C" NOT NULL, channel text COLLATE "C" NOT NULL,
    version integer NOT NULL, shown_version integer NOT NULL, due_at bigint NOT NULL, attempts integer NOT NULL,
    ticket bigint NOT NULL, reference text,
    PRIMARY KEY (request, ns, channel)
  ) WITH (fillfactor = 80);
  CREATE INDEX deliveries_due ON deliveries (ns, channel, due_at, request) WHERE shown_version < version;

  CREATE TABLE chains (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ns text COLLATE "C" NOT NULL, key bytea NOT NULL UNIQUE,
    chain text NOT NULL
  );
  CREATE INDEX chains_by_age ON chains (ns, id);
  CREATE TABLE journal (
    ns text COLLATE "C" NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY, chain_id bigint NOT NULL,
    n bigint NOT NULL, type text NOT NULL, request text, version integer, body text NOT NULL,
    PRIMARY KEY (ns, seq), UNIQUE (chain_id, n)
  );

  -- A grant that holds everywhere has the empty session_key.
  CREATE TABLE grants (
    ns text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, tool_key bytea NOT NULL, session_key bytea NOT NULL,
    expires_at bigint, uses_left bigint, uses bigint NOT NULL, revoked_at bigint, revoked_by text, body text NOT NULL,
    PRIMARY KEY (id, ns)
  ) WITH (fillfactor = 80);
  CREATE INDEX grants_in_order ON grants (ns, id);
  CREATE INDEX grants_by_tool ON grants (tool_key, session_key);

  CREATE TABLE turns (
    ns text COLLATE "C" NOT NULL, session_key bytea NOT NULL, at bigint NOT NULL, body text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (session_key, at)
  );
  CREATE INDEX turns_by_age ON turns (ns, created_at) WHERE body <> 'null';

  -- Of all namespaces together, as one server has them.
  CREATE TABLE tokens (
    id text COLLATE "C" PRIMARY KEY, secret_hash text COLLATE "C" NOT NULL UNIQUE, use text NOT NULL,
    revoked_at bigint, expires_at bigint, body text NOT NULL
  );

  CREATE TABLE presence (
    ns text COLLATE "C" NOT NULL, key bytea PRIMARY KEY, channel text NOT NULL, channel_key bytea NOT NULL,
    connection text NOT NULL, subject text NOT NULL, conversation text, until bigint NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX presence_by_channel ON presence (channel_key, until);
  CREATE INDEX presence_by_end ON presence (ns, until);

  -- Leases that have ended are deleted, so their fences come from a sequence of their own.
  CREATE SEQUENCE fences;
  CREATE TABLE leases (
    ns text COLLATE "C" NOT NULL, key bytea PRIMARY KEY, name text COLLATE "C" NOT NULL, holder text NOT NULL,
    fence bigint NOT NULL, until bigint NOT NULL, note text
  ) WITH (fillfactor = 50);
  CREATE INDEX leases_by_name ON leases (ns, left(name, 100));
  CREATE INDEX leases_by_end ON leases (ns, until);

  CREATE TABLE settings (
    ns text COLLATE "C" NOT NULL, key bytea PRIMARY KEY, value text NOT NULL
  );
`
