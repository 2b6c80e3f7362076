/** The functions behind the verbs that concern no request: grants, sessions, turns, settings, the journal, erasure. */
export const GRANT_AND_SESSION_FUNCTIONS = `
  CREATE FUNCTION append_entry_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    RETURN jsonb_build_object('wrote', true, 'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
  END $f$;

  CREATE FUNCTION revoke_grant_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE grants g SET revoked_at = at_ms, revoked_by = op->>'by'
    WHERE g.id = op->>'id' AND g.ns || '' = in_ns AND g.revoked_at IS NULL;
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $f$;

  CREATE FUNCTION set_mode_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE sessions s SET mode = op->>'mode' WHERE s.key = key_v1(in_ns, op->>'id');
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $f$;

  CREATE FUNCTION append_turn_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    log_key bytea := key_v1(in_ns, op->'session'->>'id');
    goes_on boolean := (op->>'unfinished')::boolean;
    admission text := admission_v1(in_ns, op->'session');
    numbers jsonb := '[]';
  BEGIN
    IF admission = 'not_yours' OR (admission = 'session_ended' AND (goes_on OR NOT EXISTS (
         SELECT 1 FROM sessions s WHERE s.key = log_key))) THEN
      RETURN jsonb_build_object('said', admission);
    END IF;
    IF coalesce((SELECT max(t.at) FROM turns t WHERE t.session_key = log_key), -1) + 1
         <> (op->>'at')::bigint THEN
      RETURN '{"said":"lost"}';
    END IF;
    IF admission = 'new' THEN
      PERFORM create_session_v1(in_ns, at_ms, op->'session');
      numbers := jsonb_build_array(add_entry_v1(in_ns, op->'entry'));
    END IF;
    INSERT INTO turns (ns, session_key, at, body, created_at)
    VALUES (in_ns, log_key, (op->>'at')::bigint, op->>'turn', at_ms);
    UPDATE sessions s SET unfinished = goes_on WHERE s.key = log_key AND s.unfinished <> goes_on;
    RETURN jsonb_build_object('said', 'appended', 'wrote', true, 'n', numbers);
  END $f$;

  -- The value is compared as a text: what \`get\` gave is the same text again.
  CREATE FUNCTION set_setting_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    setting_key bytea := key_v1(in_ns, op->>'key');
    found_value text := (SELECT s.value FROM settings s WHERE s.key = setting_key);
  BEGIN
    IF (op->>'guarded')::boolean AND found_value IS DISTINCT FROM op->>'before' THEN
      RETURN '{"won":false}';
    END IF;
    INSERT INTO settings (ns, key, value) VALUES (in_ns, setting_key, op->>'value')
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;
    IF op ? 'entry' THEN
      RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
    END IF;
    RETURN '{"won":true,"wrote":true}';
  END $f$;

  -- The client has found what is to be erased, and what is left of it. Where some of it was erased meanwhile nothing is
  -- done, and it is told what is still there: the entry has to say how many they were.
  CREATE FUNCTION erase_calls_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    still bigint[] := ARRAY(
      SELECT c.seq FROM jsonb_array_elements(op->'rows') row
      JOIN calls c ON c.ns = in_ns AND c.seq = (row->>'seq')::bigint AND c.bytes <> ''
      LEFT JOIN requests r ON r.id = c.request AND r.ns || '' = in_ns
      WHERE r.id IS NULL OR r.version = (row->>'version')::integer);
  BEGIN
    IF cardinality(still) < jsonb_array_length(op->'rows') THEN
      RETURN jsonb_build_object('won', false, 'still', to_jsonb(still));
    END IF;
    UPDATE calls c SET bytes = '', commitment_key = '', draft = row->>'draft'
    FROM jsonb_array_elements(op->'rows') row WHERE c.ns = in_ns AND c.seq = (row->>'seq')::bigint;
    UPDATE requests r SET progress = row->>'progress'
    FROM jsonb_array_elements(op->'rows') row WHERE r.id = row->>'request' AND r.ns || '' = in_ns;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true,"all":true}';
  END $f$;

  CREATE FUNCTION erase_turns_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    -- Their places among those that were asked for.
    still bigint[] := ARRAY(
      SELECT row.place - 1 FROM jsonb_array_elements(op->'rows') WITH ORDINALITY row (value, place)
      JOIN turns t ON t.session_key = decode(row.value->>'key', 'hex')
        AND t.at = (row.value->>'at')::bigint AND t.body <> 'null'
      JOIN sessions s ON s.key = t.session_key AND NOT s.unfinished);
  BEGIN
    IF cardinality(still) < jsonb_array_length(op->'rows') THEN
      RETURN jsonb_build_object('won', false, 'still', to_jsonb(still));
    END IF;
    UPDATE turns t SET body = 'null' FROM jsonb_array_elements(op->'rows') row
    WHERE t.session_key = decode(row->>'key', 'hex') AND t.at = (row->>'at')::bigint;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $f$;
`
