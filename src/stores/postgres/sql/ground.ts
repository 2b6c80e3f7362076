/**
 * The functions that all others stand on: digests of long names, entries of the journal, and who may use a session.
 *
 * Only what the planner puts in the place of its call is written in SQL: it would otherwise be planned at every call.
 * That asks for STABLE here, which is what \`convert_to\` is.
 */
export const GROUND_FUNCTIONS = `
  CREATE FUNCTION key_v1(ns text, name text) RETURNS bytea LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $f$
    SELECT sha256(convert_to(length(ns)::text || ':' || ns || name, 'UTF8'))
  $f$;

  -- Of something that has a name within something else, such as a call id in a session.
  CREATE FUNCTION inner_key_v1(ns text, name text, inner_name text)
  RETURNS bytea LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $f$
    SELECT sha256(convert_to(
      length(ns)::text || ':' || length(name)::text || ':' || ns || name || inner_name, 'UTF8'))
  $f$;

  -- Gives the entry the next number of its chain, and its place in the feed.
  CREATE FUNCTION add_entry_v1(in_ns text, entry jsonb) RETURNS bigint LANGUAGE plpgsql AS $f$
  DECLARE
    chain_key bytea := key_v1(in_ns, entry->>'chain');
    found_chain bigint;
    number bigint;
  BEGIN
    SELECT c.id INTO found_chain FROM chains c WHERE c.key = chain_key;
    IF NOT FOUND THEN
      INSERT INTO chains (ns, key, chain) VALUES (in_ns, chain_key, entry->>'chain') RETURNING id INTO found_chain;
    END IF;
    SELECT coalesce(max(j.n), 0) + 1 INTO number FROM journal j WHERE j.chain_id = found_chain;
    INSERT INTO journal (ns, chain_id, n, type, request, version, body)
    VALUES (in_ns, found_chain, number, entry->>'type', entry->>'request', (entry->>'version')::integer,
      entry->>'body');
    RETURN number;
  END $f$;

  -- Whether the caller may use the session, and whether it has to be made first.
  CREATE FUNCTION admission_v1(in_ns text, session jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $f$
  DECLARE
    found_owner text;
    found_end bigint;
    is_there boolean := true;
  BEGIN
    SELECT s.owner, s.ended_at INTO found_owner, found_end FROM sessions s
    WHERE s.key = key_v1(in_ns, session->>'id');
    IF NOT FOUND THEN
      is_there := false;
      SELECT s.owner, s.ended_at INTO found_owner, found_end FROM sessions s
      WHERE s.key = key_v1(in_ns, session->>'parent');
      IF NOT FOUND THEN
        RETURN 'new';
      END IF;
    END IF;
    IF found_owner <> session->>'owner' THEN
      RETURN 'not_yours';
    END IF;
    IF found_end IS NOT NULL THEN
      RETURN 'session_ended';
    END IF;
    RETURN CASE WHEN is_there THEN 'open' ELSE 'new' END;
  END $f$;

  CREATE FUNCTION create_session_v1(in_ns text, at_ms bigint, session jsonb) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    INSERT INTO sessions (ns, key, id, owner, owner_key, owner_role, parent, parent_key, mode, created_at)
    VALUES (in_ns, key_v1(in_ns, session->>'id'), session->>'id', session->>'owner', key_v1(in_ns, session->>'owner'),
      session->>'ownerRole', session->>'parent', key_v1(in_ns, session->>'parent'),
      (SELECT p.mode FROM sessions p WHERE p.key = key_v1(in_ns, session->>'parent')), at_ms);
  END $f$;
`
