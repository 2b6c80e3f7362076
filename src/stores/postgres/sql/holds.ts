/**
 * The second migration: calls that follow others, who took an allowed call to run, and results of tools. What was there before
 * stays, for nodes of the version before; each `…_v2` calls the `…_v1` and adds what is new.
 */
export const holdFunctions = (schema: string): string => `
  -- Both by the seq of their call. Few calls have them, and a result may be long.
  CREATE TABLE holds (
    seq bigint PRIMARY KEY, ns text COLLATE "C" NOT NULL, version bigint NOT NULL, body text NOT NULL
  ) WITH (fillfactor = 70);
  CREATE TABLE results (seq bigint PRIMARY KEY, ns text COLLATE "C" NOT NULL, body text NOT NULL);

  -- A trigger, so that a result goes with the bytes of its call whichever version of Banksman erases them.
  CREATE FUNCTION erase_result_v1() RETURNS trigger LANGUAGE plpgsql AS $f$
  BEGIN
    DELETE FROM ${schema}.results t WHERE t.seq = NEW.seq;
    RETURN NULL;
  END $f$;
  CREATE TRIGGER erase_result AFTER UPDATE OF bytes ON calls
  FOR EACH ROW WHEN (NEW.bytes = '') EXECUTE FUNCTION erase_result_v1();

  CREATE FUNCTION keep_result_v1(in_ns text, of_call bigint, result text) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    -- Not as the index of what is to be erased has it: that would be a walk over all of it.
    IF EXISTS (SELECT 1 FROM calls c WHERE c.ns = in_ns AND c.seq = of_call AND octet_length(c.bytes) > 0) THEN
      INSERT INTO results (seq, ns, body) VALUES (of_call, in_ns, result)
      ON CONFLICT (seq) DO UPDATE SET body = excluded.body;
    END IF;
  END $f$;

  CREATE FUNCTION keep_hold_v1(in_ns text, of_call bigint, hold jsonb) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    INSERT INTO holds (seq, ns, version, body) VALUES (of_call, in_ns, (hold->>'version')::bigint, hold->>'body')
    ON CONFLICT (seq) DO UPDATE SET version = excluded.version, body = excluded.body;
  END $f$;

  CREATE FUNCTION keep_own_hold_v1(in_ns text, call jsonb) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    PERFORM keep_hold_v1(in_ns, (SELECT c.seq FROM calls c
      WHERE c.key = inner_key_v1(in_ns, call->>'session', call->>'callId')), call->'hold');
  END $f$;

  -- Makes room for a call that follows another one; false where something else has its id. The one before is not found by its
  -- id any more. No other key is the digest of a text that begins with a letter.
  CREATE FUNCTION step_aside_v1(in_ns text, op jsonb, call jsonb) RETURNS boolean LANGUAGE plpgsql AS $f$
  DECLARE
    of_call bytea := inner_key_v1(in_ns, call->>'session', call->>'callId');
    succeeds text := op->>'succeeds';
    before record;
  BEGIN
    IF succeeds IS NULL OR admission_v1(in_ns, op->'session') = 'not_yours' THEN
      RETURN false;
    END IF;
    SELECT c.digest, c.request INTO before FROM calls c WHERE c.key = of_call;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no such call in the session that another could follow' USING ERRCODE = '23503';
    END IF;
    IF before.request IS DISTINCT FROM succeeds OR before.digest <> call->>'digest' OR NOT EXISTS (
         SELECT 1 FROM requests r WHERE r.id = succeeds AND r.ns || '' = in_ns AND op->'final' ? r.state) THEN
      RETURN false;
    END IF;
    UPDATE calls c SET key = sha256(convert_to('followed:' || length(in_ns)::text || ':' || in_ns || succeeds, 'UTF8'))
    WHERE c.key = of_call;
    RETURN true;
  END $f$;

  -- What stepped aside for a call that is refused after all goes back to its place.
  CREATE FUNCTION unless_refused_v1(stepped_aside boolean, wanted text, result jsonb) RETURNS jsonb
  LANGUAGE plpgsql AS $f$
  BEGIN
    IF stepped_aside AND result->>'kind' <> wanted THEN
      RAISE EXCEPTION 'taken back' USING ERRCODE = 'BK001', DETAIL = result::text;
    END IF;
    RETURN result;
  END $f$;

  CREATE FUNCTION open_v2(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    stepped_aside boolean := step_aside_v1(in_ns, op, op->'request');
  BEGIN
    RETURN unless_refused_v1(stepped_aside, 'opened', open_v1(in_ns, at_ms, op));
  END $f$;

  CREATE FUNCTION record_v2(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    stepped_aside boolean := step_aside_v1(in_ns, op, op->'call');
    result jsonb := unless_refused_v1(stepped_aside, 'recorded', record_v1(in_ns, at_ms, op));
  BEGIN
    IF result->>'kind' = 'recorded' AND op->'call' ? 'hold' THEN
      PERFORM keep_own_hold_v1(in_ns, op->'call');
    END IF;
    RETURN result;
  END $f$;

  CREATE FUNCTION record_all_v2(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    all_recorded jsonb := record_all_v1(in_ns, at_ms, op);
    one record;
  BEGIN
    FOR one IN SELECT o.value->'call' AS call, all_recorded->'results'->(o.place - 1)::integer->>'kind' AS kind
               FROM jsonb_array_elements(op->'calls') WITH ORDINALITY o (value, place) WHERE o.value->'call' ? 'hold' LOOP
      IF one.kind = 'recorded' THEN
        PERFORM keep_own_hold_v1(in_ns, one.call);
      END IF;
    END LOOP;
    RETURN all_recorded;
  END $f$;

  -- A deadline that is a moment, as the one before counts it.
  CREATE FUNCTION counted_deadlines_v1(at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    RETURN op || jsonb_build_object('changes', (
      SELECT coalesce(jsonb_agg(CASE WHEN c.value ? 'at'
        THEN c.value || jsonb_build_object('inMs', (c.value->>'at')::bigint - at_ms) ELSE c.value END ORDER BY c.place), '[]')
      FROM jsonb_array_elements(op->'changes') WITH ORDINALITY c (value, place)));
  END $f$;

  CREATE FUNCTION keep_results_v1(in_ns text, op jsonb) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE
    change jsonb;
  BEGIN
    FOR change IN SELECT value FROM jsonb_array_elements(op->'changes') WHERE value ? 'result' LOOP
      PERFORM keep_result_v1(in_ns, (SELECT r.seq FROM requests r WHERE r.id = change->>'id' AND r.ns || '' = in_ns),
        change->>'result');
    END LOOP;
  END $f$;

  CREATE FUNCTION transition_v2(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    result jsonb := transition_v1(in_ns, at_ms, counted_deadlines_v1(at_ms, op));
  BEGIN
    PERFORM keep_results_v1(in_ns, op);
    RETURN result;
  END $f$;

  CREATE FUNCTION end_sessions_v2(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    result jsonb := end_sessions_v1(in_ns, at_ms, counted_deadlines_v1(at_ms, op));
  BEGIN
    PERFORM keep_results_v1(in_ns, op);
    RETURN result;
  END $f$;

  CREATE FUNCTION change_hold_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    of_call bigint;
    found_version bigint;
    found_body text;
  BEGIN
    SELECT c.seq INTO of_call FROM calls c WHERE c.key = inner_key_v1(in_ns, op->>'session', op->>'callId')
      AND c.digest = op->>'digest' AND c.request IS NULL;
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    SELECT h.version, h.body INTO found_version, found_body FROM holds h WHERE h.seq = of_call;
    IF coalesce(found_version, 0) <> (op->>'version')::bigint THEN
      RETURN jsonb_strip_nulls(jsonb_build_object('won', false, 'hold', found_body));
    END IF;
    PERFORM keep_hold_v1(in_ns, of_call, op->'hold');
    IF op ? 'result' THEN
      PERFORM keep_result_v1(in_ns, of_call, op->>'result');
    END IF;
    IF op ? 'entry' THEN
      RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
    END IF;
    RETURN '{"won":true,"wrote":true}';
  END $f$;

  -- As the one before, with the hold.
  CREATE FUNCTION lookup_v2(in_ns text, session text, call text, tool text) RETURNS TABLE (
    granted boolean, id text, owner text, owner_role text, parent text, mode text, created_at bigint,
    ended_at bigint, ended_by text, ended_reason text, digest text, verdict text, because text, request text, hold text
  ) LANGUAGE plpgsql STABLE AS $f$
  #variable_conflict use_column
  DECLARE
    of_session bytea := ${schema}.key_v1(in_ns, session);
    of_call bytea := ${schema}.inner_key_v1(in_ns, session, call);
    of_tool bytea := ${schema}.key_v1(in_ns, tool);
  BEGIN
    RETURN QUERY SELECT EXISTS (SELECT 1 FROM ${schema}.grants g WHERE g.tool_key = of_tool),
      s.id, s.owner, s.owner_role, s.parent, s.mode, s.created_at, s.ended_at, s.ended_by, s.ended_reason,
      c.digest, c.verdict, c.because, c.request, (SELECT h.body FROM ${schema}.holds h WHERE h.seq = c.seq)
      FROM (SELECT 1) one LEFT JOIN ${schema}.sessions s ON s.key = of_session
      LEFT JOIN ${schema}.calls c ON c.key = of_call;
  END $f$;
`
