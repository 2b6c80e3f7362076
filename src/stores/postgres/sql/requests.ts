/**
 * The functions behind `open`, `record`, `recordAll`, `transition`, `transitionAll` and `endSessions`.
 *
 * Each is given the namespace, the time and the operation, with the lock on the namespace held, and gives back a
 * small result. A request that lost is not part of it: a client that was stopped in the middle of reading a long
 * result would keep the lock, for a server commits only after it has sent what it has to say.
 *
 * `n` in a result has the numbers of the entries that were written, in their order; `wrote` says that others should
 * look. What an operation has to take back it takes back by raising BK001 with its result as the detail.
 */
export const REQUEST_FUNCTIONS = `
  CREATE FUNCTION known_v1(in_ns text, call jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $f$
  BEGIN
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
      'digest', c.digest, 'verdict', c.verdict, 'because', c.because, 'request', c.request))
    FROM calls c WHERE c.key = inner_key_v1(in_ns, call->>'session', call->>'callId'));
  END $f$;

  CREATE FUNCTION insert_call_v1(in_ns text, call jsonb) RETURNS bigint LANGUAGE plpgsql AS $f$
  DECLARE
    place bigint;
  BEGIN
    INSERT INTO calls (ns, key, session, session_key, call_id, verdict, tool, digest, because, rule, policy_version,
      submitted_by, created_at, request, draft, bytes, commitment_key)
    VALUES (in_ns, inner_key_v1(in_ns, call->>'session', call->>'callId'), call->>'session', key_v1(in_ns, call->>'session'),
      call->>'callId', call->>'verdict', call->>'tool', call->>'digest', call->>'because', call->>'rule',
      call->>'policyVersion', call->>'submittedBy', (call->>'createdAt')::bigint, call->>'request', call->>'draft',
      call->>'bytes', call->>'commitmentKey')
    RETURNING seq INTO place;
    RETURN place;
  END $f$;

  CREATE FUNCTION open_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    request jsonb := op->'request';
    session_key bytea := key_v1(in_ns, op->'session'->>'id');
    admission text := admission_v1(in_ns, op->'session');
    is_pending boolean := op->>'state' = 'pending';
    until bigint := CASE WHEN op->>'state' = 'pending' THEN at_ms + (op->>'expiresInMs')::bigint END;
    before jsonb;
    call_seq bigint;
  BEGIN
    IF admission = 'not_yours' THEN
      RETURN jsonb_build_object('kind', 'refused', 'code', admission);
    END IF;
    before := known_v1(in_ns, request);
    IF before IS NOT NULL THEN
      RETURN before || jsonb_build_object('kind', 'before');
    END IF;
    IF admission = 'session_ended' THEN
      RETURN jsonb_build_object('kind', 'refused', 'code', admission);
    END IF;
    IF coalesce((SELECT s.pending FROM sessions s WHERE s.key = session_key), 0)
         >= (op->>'maxPending')::bigint THEN
      RETURN jsonb_build_object('kind', 'refused', 'code', 'too_many_pending');
    END IF;
    IF admission = 'new' THEN
      PERFORM create_session_v1(in_ns, at_ms, op->'session');
    END IF;
    IF is_pending THEN
      UPDATE sessions s SET pending = s.pending + 1 WHERE s.key = session_key;
    END IF;
    call_seq := insert_call_v1(in_ns, request || jsonb_build_object(
      'verdict', 'ask', 'createdAt', at_ms, 'request', request->>'id'));
    INSERT INTO requests (ns, id, seq, session_key, submitter_key, state, version, deadline, sort_at, created_at,
      delivered, progress)
    VALUES (in_ns, request->>'id', call_seq, key_v1(in_ns, request->>'session'), key_v1(in_ns, request->>'submittedBy'),
      op->>'state', 1, until, coalesce(until, at_ms), at_ms, jsonb_array_length(op->'channels') > 0, '{}');
    INSERT INTO deliveries (ns, request, channel, version, shown_version, due_at, attempts, ticket)
    SELECT in_ns, request->>'id', c, 1, 0, 0, 0, 0 FROM jsonb_array_elements_text(op->'channels') c;
    RETURN jsonb_build_object('kind', 'opened', 'wrote', true, 'at', at_ms,
      'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
  END $f$;

  CREATE FUNCTION record_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    admission text := admission_v1(in_ns, op->'session');
    before jsonb;
    grant_id text;
  BEGIN
    IF admission = 'not_yours' THEN
      RETURN jsonb_build_object('kind', 'refused', 'code', admission);
    END IF;
    before := known_v1(in_ns, op->'call');
    IF before IS NOT NULL THEN
      RETURN before || jsonb_build_object('kind', 'existing');
    END IF;
    IF admission = 'session_ended' THEN
      RETURN jsonb_build_object('kind', 'refused', 'code', admission);
    END IF;
    FOR grant_id IN SELECT jsonb_array_elements_text(op->'consume') LOOP
      UPDATE grants g SET uses = g.uses + 1, uses_left = g.uses_left - 1
      WHERE g.id = grant_id AND g.ns || '' = in_ns AND g.revoked_at IS NULL
        AND (g.expires_at IS NULL OR g.expires_at > at_ms) AND (g.uses_left IS NULL OR g.uses_left > 0);
      IF NOT FOUND THEN
        RAISE EXCEPTION 'taken back' USING ERRCODE = 'BK001', DETAIL = '{"kind":"refused","code":"grant_spent"}';
      END IF;
    END LOOP;
    IF admission = 'new' THEN
      PERFORM create_session_v1(in_ns, at_ms, op->'session');
    END IF;
    PERFORM insert_call_v1(in_ns, op->'call');
    IF op ? 'entry' THEN
      RETURN jsonb_build_object('kind', 'recorded', 'wrote', true,
        'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
    END IF;
    RETURN jsonb_build_object('kind', 'recorded');
  END $f$;

  CREATE FUNCTION record_all_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    one jsonb;
    results jsonb[] := '{}';
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(op->'calls') LOOP
      results := results || record_v1(in_ns, at_ms, one);
    END LOOP;
    RETURN jsonb_build_object('results', to_jsonb(results), 'wrote', true,
      'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
  END $f$;

  -- Null when it lost.
  CREATE FUNCTION change_v1(in_ns text, at_ms bigint, change jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    keeps boolean := change->>'deadline' = 'keep';
    until bigint := at_ms + (change->>'inMs')::bigint;
    guard text := change->>'guard';
    more integer := (change->>'to' = 'pending')::integer - (change->>'from' = 'pending')::integer;
    changed record;
    given jsonb := change->'grant';
  BEGIN
    UPDATE requests r SET state = change->>'to', version = r.version + 1, progress = change->>'progress',
      deadline = CASE WHEN keeps THEN r.deadline ELSE until END,
      sort_at = CASE WHEN keeps THEN r.sort_at ELSE coalesce(until, r.created_at) END
    WHERE r.id = change->>'id' AND r.ns || '' = in_ns AND r.version = (change->>'version')::integer
      AND r.state = change->>'from'
      AND (guard IS DISTINCT FROM 'before_deadline' OR r.deadline IS NULL OR r.deadline > at_ms)
      AND (guard IS DISTINCT FROM 'after_deadline' OR r.deadline <= at_ms)
    RETURNING r.deadline, r.delivered, r.session_key, r.version INTO changed;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    IF more <> 0 THEN
      UPDATE sessions s SET pending = s.pending + more WHERE s.key = changed.session_key;
    END IF;
    IF changed.delivered THEN
      -- A lease goes on: whoever is showing the old version finds out when it says that it has.
      UPDATE deliveries d SET version = changed.version WHERE d.request = change->>'id' AND d.ns || '' = in_ns;
    END IF;
    IF given IS NOT NULL THEN
      INSERT INTO grants (ns, id, tool_key, session_key, expires_at, uses_left, uses, body)
      VALUES (in_ns, given->>'id', key_v1(in_ns, given->>'tool'), coalesce(key_v1(in_ns, given->>'session'), ''),
        (given->>'expiresAt')::bigint, (given->>'usesLeft')::bigint, (given->>'uses')::bigint, given->>'body');
    END IF;
    RETURN jsonb_build_object('deadline', changed.deadline, 'n', add_entry_v1(in_ns, change->'entry'));
  END $f$;

  -- All or nothing. A request that is named twice loses; all are tried, so that each that loses is named.
  CREATE FUNCTION transition_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    change jsonb;
    applied jsonb;
    lost text[] := ARRAY(SELECT jsonb_array_elements_text(op->'twice'));
    deadlines jsonb[] := '{}';
    numbers jsonb[] := '{}';
  BEGIN
    FOR change IN SELECT value FROM jsonb_array_elements(op->'changes') LOOP
      CONTINUE WHEN change->>'id' = ANY (lost);
      applied := change_v1(in_ns, at_ms, change);
      IF applied IS NULL THEN
        lost := lost || (change->>'id');
      ELSE
        deadlines := deadlines || (applied->'deadline');
        numbers := numbers || (applied->'n');
      END IF;
    END LOOP;
    IF cardinality(lost) > 0 THEN
      RAISE EXCEPTION 'taken back' USING ERRCODE = 'BK001',
        DETAIL = jsonb_build_object('won', false, 'lost', to_jsonb(lost))::text;
    END IF;
    RETURN jsonb_build_object('won', true, 'wrote', cardinality(numbers) > 0,
      'deadlines', to_jsonb(deadlines), 'n', to_jsonb(numbers));
  END $f$;

  CREATE FUNCTION end_sessions_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    change jsonb;
    applied jsonb;
    numbers jsonb[] := '{}';
    changed text[] := ARRAY(SELECT value->>'id' FROM jsonb_array_elements(op->'changes'));
    ended bytea[] := ARRAY(SELECT key_v1(in_ns, id) FROM jsonb_array_elements_text(op->'sessions') id);
  BEGIN
    FOR change IN SELECT value FROM jsonb_array_elements(op->'changes') LOOP
      applied := change_v1(in_ns, at_ms, change);
      IF applied IS NULL THEN
        RAISE EXCEPTION 'taken back' USING ERRCODE = 'BK001', DETAIL = '{"won":false}';
      END IF;
      numbers := numbers || (applied->'n');
    END LOOP;
    IF EXISTS (SELECT 1 FROM requests r WHERE r.session_key = ANY (ended)
                 AND r.state IN ('pending', 'approved', 'running') AND r.id <> ALL (changed))
      OR EXISTS (SELECT 1 FROM sessions s WHERE s.parent_key = ANY (ended)
                   AND s.ended_at IS NULL AND s.key <> ALL (ended)) THEN
      RAISE EXCEPTION 'taken back' USING ERRCODE = 'BK001', DETAIL = '{"won":false}';
    END IF;
    UPDATE sessions s SET ended_at = at_ms, ended_by = op->>'by', ended_reason = op->>'reason'
    WHERE s.key = ANY (ended) AND s.ended_at IS NULL;
    numbers := numbers || to_jsonb(add_entry_v1(in_ns, op->'entry'));
    RETURN jsonb_build_object('won', true, 'wrote', true, 'n', to_jsonb(numbers));
  END $f$;
`
