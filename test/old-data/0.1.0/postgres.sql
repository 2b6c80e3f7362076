CREATE SCHEMA banksman;
CREATE FUNCTION banksman.add_entry_v1(in_ns text, entry jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.admission_v1(in_ns text, session jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
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
  END $$;
CREATE FUNCTION banksman.append_entry_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    RETURN jsonb_build_object('wrote', true, 'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
  END $$;
CREATE FUNCTION banksman.append_turn_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.apply_v1(in_ns text, origin text, channel text, ops jsonb, given_at bigint) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'banksman', 'pg_temp'
    AS $$
  DECLARE
    at_ms bigint;
    op jsonb;
    result jsonb;
    results jsonb[] := '{}';
    detail text;
    wrote boolean := false;
    -- Of the requests any may have changed, not only those in `ids`.
    any_changed boolean := false;
    ids text[] := '{}';
    gone text[] := '{}';
    come text[] := '{}';
    payload text;
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'a write has to see what was committed before it got its lock'
        USING ERRCODE = 'BK002', HINT = 'set default_transaction_isolation to "read committed" for this role';
    END IF;
    -- Until the end of the transaction, also behind a pooler: an acknowledged write must survive a crash.
    IF current_setting('synchronous_commit') IN ('off', 'local') THEN
      PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    -- Shorter than the client waits: a batch that nobody waits for any more shall not be written later.
    PERFORM set_config('lock_timeout', '10s', true);
    PERFORM 1 FROM namespaces WHERE name = in_ns FOR UPDATE;
    IF NOT FOUND THEN
      INSERT INTO namespaces (name) VALUES (in_ns) ON CONFLICT DO NOTHING;
      PERFORM 1 FROM namespaces WHERE name = in_ns FOR UPDATE;
    END IF;
    at_ms := coalesce(given_at, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    FOR op IN SELECT value FROM jsonb_array_elements(ops) LOOP
      BEGIN
        -- Whoever wrote these entries knows of later ones in their chains than there are.
        IF EXISTS (
          SELECT 1 FROM jsonb_array_elements(op->'follows') f WHERE (f->>1)::bigint > coalesce((
            SELECT j.n FROM journal j WHERE j.chain_id = (
              SELECT c.id FROM chains c WHERE c.key = key_v1(in_ns, f->>0))
            ORDER BY j.n DESC LIMIT 1), 0)) THEN
          RAISE EXCEPTION 'entries of its chain were given out before, and are not there any more'
            USING ERRCODE = 'BK003';
        END IF;
        result := CASE op->>'do'
          WHEN 'open' THEN open_v1(in_ns, at_ms, op)
          WHEN 'record' THEN record_v1(in_ns, at_ms, op)
          WHEN 'recordAll' THEN record_all_v1(in_ns, at_ms, op)
          WHEN 'transition' THEN transition_v1(in_ns, at_ms, op)
          WHEN 'endSessions' THEN end_sessions_v1(in_ns, at_ms, op)
          WHEN 'appendEntry' THEN append_entry_v1(in_ns, at_ms, op)
          WHEN 'appendTurn' THEN append_turn_v1(in_ns, at_ms, op)
          WHEN 'revokeGrant' THEN revoke_grant_v1(in_ns, at_ms, op)
          WHEN 'setMode' THEN set_mode_v1(in_ns, at_ms, op)
          WHEN 'setSetting' THEN set_setting_v1(in_ns, at_ms, op)
          WHEN 'eraseCalls' THEN erase_calls_v1(in_ns, at_ms, op)
          WHEN 'eraseTurns' THEN erase_turns_v1(in_ns, at_ms, op)
          WHEN 'createToken' THEN create_token_v1(in_ns, at_ms, op)
          WHEN 'revokeToken' THEN revoke_token_v1(in_ns, at_ms, op)
          WHEN 'exchangeToken' THEN exchange_token_v1(in_ns, at_ms, op)
          WHEN 'renewPresence' THEN renew_presence_v1(in_ns, at_ms, op)
          WHEN 'leavePresence' THEN leave_presence_v1(in_ns, at_ms, op)
          WHEN 'takeDeliveries' THEN take_deliveries_v1(in_ns, at_ms, op)
          WHEN 'showDelivery' THEN show_delivery_v1(in_ns, at_ms, op)
          WHEN 'failDelivery' THEN fail_delivery_v1(in_ns, at_ms, op)
          WHEN 'takeLease' THEN take_lease_v1(in_ns, at_ms, op)
          WHEN 'releaseLease' THEN release_lease_v1(in_ns, at_ms, op)
          END;
        IF result IS NULL THEN
          RAISE EXCEPTION 'there is no operation %', op->>'do' USING ERRCODE = '22023';
        END IF;
      EXCEPTION
        WHEN SQLSTATE 'BK001' THEN
          GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
          result := detail::jsonb;
        WHEN SQLSTATE 'BK003' OR data_exception OR integrity_constraint_violation OR program_limit_exceeded THEN
          result := jsonb_build_object('error', SQLSTATE, 'message', SQLERRM);
      END;
      results := results || (result - 'wrote' - 'all');
      CONTINUE WHEN NOT coalesce((result->>'wrote')::boolean, false);
      wrote := true;
      any_changed := any_changed OR result ? 'all';
      IF op->>'do' = 'open' THEN
        ids := ids || (op->'request'->>'id');
        come := come || (op->>'state');
      ELSIF op ? 'changes' THEN
        ids := ids || ARRAY(SELECT value->>'id' FROM jsonb_array_elements(op->'changes'));
        gone := gone || ARRAY(SELECT value->>'from' FROM jsonb_array_elements(op->'changes'));
        come := come || ARRAY(SELECT value->>'to' FROM jsonb_array_elements(op->'changes'));
      END IF;
    END LOOP;
    INSERT INTO counts (ns, state, n)
    SELECT in_ns, moved.state, sum(moved.more)
    FROM (SELECT unnest(come) AS state, 1 AS more UNION ALL SELECT unnest(gone), -1) moved
    GROUP BY moved.state HAVING sum(moved.more) <> 0
    ON CONFLICT (ns, state) DO UPDATE SET n = counts.n + excluded.n;
    IF wrote THEN
      payload := jsonb_build_object('origin', origin, 'requests', CASE WHEN NOT any_changed THEN to_jsonb(ids) END)::text;
      -- The server takes less than 8,000 bytes.
      IF octet_length(payload) > 7900 THEN
        payload := jsonb_build_object('origin', origin)::text;
      END IF;
      PERFORM pg_notify(channel, payload);
    END IF;
    RETURN jsonb_build_object('results', to_jsonb(results), 'wrote', wrote,
      'requests', CASE WHEN NOT any_changed THEN to_jsonb(ids) END);
  END $$;
CREATE FUNCTION banksman.change_v1(in_ns text, at_ms bigint, change jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.create_session_v1(in_ns text, at_ms bigint, session jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    INSERT INTO sessions (ns, key, id, owner, owner_key, owner_role, parent, parent_key, mode, created_at)
    VALUES (in_ns, key_v1(in_ns, session->>'id'), session->>'id', session->>'owner', key_v1(in_ns, session->>'owner'),
      session->>'ownerRole', session->>'parent', key_v1(in_ns, session->>'parent'),
      (SELECT p.mode FROM sessions p WHERE p.key = key_v1(in_ns, session->>'parent')), at_ms);
  END $$;
CREATE FUNCTION banksman.create_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    PERFORM insert_token_v1(op->'token');
    RETURN append_entry_v1(in_ns, at_ms, op);
  END $$;
CREATE FUNCTION banksman.end_sessions_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.erase_calls_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.erase_turns_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.exchange_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE tokens t SET revoked_at = at_ms WHERE t.id = op->>'id' AND t.use = 'login' AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > at_ms);
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    PERFORM insert_token_v1(op->'token');
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $$;
CREATE FUNCTION banksman.fail_delivery_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE deliveries d SET due_at = at_ms + (op->>'retryInMs')::bigint
    WHERE d.request = op->>'request' AND d.ns || '' = in_ns AND d.channel = op->>'channel'
      AND d.ticket = (op->>'ticket')::bigint;
    RETURN jsonb_build_object('won', FOUND, 'wrote', FOUND);
  END $$;
CREATE FUNCTION banksman.find_requests_v1(in_ns text, ids text[]) RETURNS TABLE(id text, state text, version integer, deadline bigint, sort_at bigint, progress text, created_at bigint, session text, call_id text, tool text, digest text, because text, policy_version text, submitted_by text, draft text, bytes text, commitment_key text)
    LANGUAGE plpgsql STABLE
    AS $$
  #variable_conflict use_column
  DECLARE
    one text;
  BEGIN
    -- One by one: a plan for a list, made while the table is empty, is a walk over all of it.
    FOREACH one IN ARRAY ids LOOP
      RETURN QUERY SELECT r.id, r.state, r.version, r.deadline, r.sort_at, r.progress, r.created_at, c.session, c.call_id,
  c.tool, c.digest, c.because, c.policy_version, c.submitted_by, c.draft, c.bytes, c.commitment_key FROM "banksman".requests r
        JOIN "banksman".calls c ON c.ns = r.ns AND c.seq = r.seq WHERE r.id = one AND r.ns || '' = in_ns;
    END LOOP;
  END $$;
CREATE FUNCTION banksman.inner_key_v1(ns text, name text, inner_name text) RETURNS bytea
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS $$
    SELECT sha256(convert_to(
      length(ns)::text || ':' || length(name)::text || ':' || ns || name || inner_name, 'UTF8'))
  $$;
CREATE FUNCTION banksman.insert_call_v1(in_ns text, call jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.insert_token_v1(token jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
  BEGIN
    INSERT INTO tokens (id, secret_hash, use, expires_at, body)
    VALUES (token->>'id', token->>'secretHash', token->>'use', (token->>'expiresAt')::bigint, token->>'body');
  END $$;
CREATE FUNCTION banksman.key_v1(ns text, name text) RETURNS bytea
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    AS $$
    SELECT sha256(convert_to(length(ns)::text || ':' || ns || name, 'UTF8'))
  $$;
CREATE FUNCTION banksman.known_v1(in_ns text, call jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
  BEGIN
    RETURN (SELECT jsonb_strip_nulls(jsonb_build_object(
      'digest', c.digest, 'verdict', c.verdict, 'because', c.because, 'request', c.request))
    FROM calls c WHERE c.key = inner_key_v1(in_ns, call->>'session', call->>'callId'));
  END $$;
CREATE FUNCTION banksman.leave_presence_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    DELETE FROM presence p WHERE p.key = inner_key_v1(in_ns, op->>'channel', op->>'connection');
    RETURN jsonb_build_object('wrote', FOUND);
  END $$;
CREATE FUNCTION banksman.lookup_v1(in_ns text, session text, call text, tool text) RETURNS TABLE(granted boolean, id text, owner text, owner_role text, parent text, mode text, created_at bigint, ended_at bigint, ended_by text, ended_reason text, digest text, verdict text, because text, request text)
    LANGUAGE plpgsql STABLE
    AS $$
  #variable_conflict use_column
  DECLARE
    of_session bytea := "banksman".key_v1(in_ns, session);
    of_call bytea := "banksman".inner_key_v1(in_ns, session, call);
    of_tool bytea := "banksman".key_v1(in_ns, tool);
  BEGIN
    RETURN QUERY SELECT EXISTS (SELECT 1 FROM "banksman".grants g WHERE g.tool_key = of_tool),
      s.id, s.owner, s.owner_role, s.parent, s.mode, s.created_at, s.ended_at, s.ended_by, s.ended_reason,
      c.digest, c.verdict, c.because, c.request
      FROM (SELECT 1) one LEFT JOIN "banksman".sessions s ON s.key = of_session
      LEFT JOIN "banksman".calls c ON c.key = of_call;
  END $$;
CREATE FUNCTION banksman.open_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.record_all_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  DECLARE
    one jsonb;
    results jsonb[] := '{}';
  BEGIN
    FOR one IN SELECT value FROM jsonb_array_elements(op->'calls') LOOP
      results := results || record_v1(in_ns, at_ms, one);
    END LOOP;
    RETURN jsonb_build_object('results', to_jsonb(results), 'wrote', true,
      'n', jsonb_build_array(add_entry_v1(in_ns, op->'entry')));
  END $$;
CREATE FUNCTION banksman.record_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.release_lease_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    DELETE FROM leases l WHERE l.key = key_v1(in_ns, op->>'name') AND l.holder = op->>'holder';
    RETURN jsonb_build_object('wrote', FOUND);
  END $$;
CREATE FUNCTION banksman.renew_presence_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  DECLARE
    ends_at bigint := at_ms + (op->>'leaseMs')::bigint;
    connection_key bytea := inner_key_v1(in_ns, op->>'channel', op->>'connection');
  BEGIN
    UPDATE presence p SET until = ends_at WHERE p.key = connection_key AND p.until > at_ms
      AND p.subject = op->>'subject' AND p.conversation IS NOT DISTINCT FROM op->>'conversation';
    IF FOUND THEN
      RETURN '{}';
    END IF;
    DELETE FROM presence p WHERE p.ns = in_ns AND p.until <= at_ms;
    INSERT INTO presence (ns, key, channel, channel_key, connection, subject, conversation, until)
    VALUES (in_ns, connection_key, op->>'channel', key_v1(in_ns, op->>'channel'), op->>'connection', op->>'subject',
      op->>'conversation', ends_at)
    ON CONFLICT (key) DO UPDATE SET until = excluded.until, subject = excluded.subject,
      conversation = excluded.conversation;
    RETURN '{"wrote":true}';
  END $$;
CREATE FUNCTION banksman.revoke_grant_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE grants g SET revoked_at = at_ms, revoked_by = op->>'by'
    WHERE g.id = op->>'id' AND g.ns || '' = in_ns AND g.revoked_at IS NULL;
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $$;
CREATE FUNCTION banksman.revoke_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE tokens t SET revoked_at = at_ms WHERE t.id = op->>'id' AND t.revoked_at IS NULL;
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $$;
CREATE FUNCTION banksman.set_mode_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE sessions s SET mode = op->>'mode' WHERE s.key = key_v1(in_ns, op->>'id');
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $$;
CREATE FUNCTION banksman.set_setting_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE FUNCTION banksman.show_delivery_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  BEGIN
    UPDATE deliveries d SET shown_version = greatest(d.shown_version, (op->>'version')::integer), due_at = 0,
      attempts = 0, reference = coalesce(op->>'reference', d.reference)
    WHERE d.request = op->>'request' AND d.ns || '' = in_ns AND d.channel = op->>'channel'
      AND d.ticket = (op->>'ticket')::bigint;
    RETURN jsonb_build_object('won', FOUND, 'wrote', FOUND);
  END $$;
CREATE FUNCTION banksman.take_deliveries_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  DECLARE
    wanted bigint := (op->>'limit')::bigint;
    taken jsonb;
  BEGIN
    -- A channel at a time, so that only as many are looked at as can be taken.
    WITH due AS MATERIALIZED (
      SELECT d.request, d.channel FROM (SELECT DISTINCT jsonb_array_elements_text(op->'channels') AS name) c
      CROSS JOIN LATERAL (
        SELECT e.request, e.channel, e.due_at FROM deliveries e WHERE e.ns = in_ns AND e.channel = c.name
          AND e.due_at <= at_ms AND e.shown_version < e.version ORDER BY e.due_at, e.request LIMIT wanted) d
      ORDER BY d.due_at, d.request, d.channel LIMIT wanted
    ), leased AS (
      UPDATE deliveries d SET due_at = at_ms + (op->>'leaseMs')::bigint, attempts = d.attempts + 1, ticket = d.ticket + 1
      FROM due WHERE d.request = due.request AND d.ns || '' = in_ns AND d.channel = due.channel
      RETURNING d.request, d.channel, d.shown_version, d.attempts, d.ticket, d.reference
    )
    SELECT jsonb_agg(to_jsonb(l) ORDER BY l.request, l.channel) INTO taken FROM leased l;
    RETURN jsonb_build_object('taken', coalesce(taken, '[]'));
  END $$;
CREATE FUNCTION banksman.take_lease_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
  DECLARE
    lease_key bytea := key_v1(in_ns, op->>'name');
    ends_at bigint := at_ms + (op->>'leaseMs')::bigint;
    held leases;
  BEGIN
    SELECT l.* INTO held FROM leases l WHERE l.key = lease_key AND l.until > at_ms;
    IF FOUND THEN
      IF held.holder = op->>'holder' THEN
        UPDATE leases l SET until = ends_at, note = op->>'note' WHERE l.key = lease_key
        RETURNING l.* INTO held;
      END IF;
      RETURN jsonb_build_object('holder', held.holder, 'fence', held.fence, 'until', held.until, 'note', held.note);
    END IF;
    DELETE FROM leases l WHERE l.ns = in_ns AND l.until <= at_ms;
    INSERT INTO leases (ns, key, name, holder, fence, until, note)
    VALUES (in_ns, lease_key, op->>'name', op->>'holder', nextval('fences'), ends_at, op->>'note')
    RETURNING * INTO held;
    RETURN jsonb_build_object('wrote', true,
      'holder', held.holder, 'fence', held.fence, 'until', held.until, 'note', held.note);
  END $$;
CREATE FUNCTION banksman.transition_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
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
  END $$;
CREATE TABLE banksman.banksman_schema (
    one boolean DEFAULT true NOT NULL,
    number integer NOT NULL,
    installation uuid DEFAULT gen_random_uuid() NOT NULL,
    server text,
    CONSTRAINT banksman_schema_one_check CHECK (one)
);
CREATE TABLE banksman.calls (
    ns text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    key bytea NOT NULL,
    session text NOT NULL,
    session_key bytea NOT NULL,
    call_id text NOT NULL,
    verdict text NOT NULL,
    tool text NOT NULL,
    digest text NOT NULL,
    because text NOT NULL,
    rule text,
    policy_version text NOT NULL,
    submitted_by text NOT NULL,
    created_at bigint NOT NULL,
    request text COLLATE pg_catalog."C",
    draft text,
    bytes text NOT NULL,
    commitment_key text NOT NULL
);
ALTER TABLE banksman.calls ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME banksman.calls_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE banksman.chains (
    id bigint NOT NULL,
    ns text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    chain text NOT NULL
);
ALTER TABLE banksman.chains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME banksman.chains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE banksman.counts (
    ns text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE banksman.deliveries (
    ns text NOT NULL COLLATE pg_catalog."C",
    request text NOT NULL COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    shown_version integer NOT NULL,
    due_at bigint NOT NULL,
    attempts integer NOT NULL,
    ticket bigint NOT NULL,
    reference text
)
WITH (fillfactor='80');
CREATE SEQUENCE banksman.fences
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE banksman.grants (
    ns text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    tool_key bytea NOT NULL,
    session_key bytea NOT NULL,
    expires_at bigint,
    uses_left bigint,
    uses bigint NOT NULL,
    revoked_at bigint,
    revoked_by text,
    body text NOT NULL
)
WITH (fillfactor='80');
CREATE TABLE banksman.journal (
    ns text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    chain_id bigint NOT NULL,
    n bigint NOT NULL,
    type text NOT NULL,
    request text,
    version integer,
    body text NOT NULL
);
ALTER TABLE banksman.journal ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME banksman.journal_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE banksman.leases (
    ns text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL,
    fence bigint NOT NULL,
    until bigint NOT NULL,
    note text
)
WITH (fillfactor='50');
CREATE TABLE banksman.namespaces (
    name text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE banksman.presence (
    ns text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    channel text NOT NULL,
    channel_key bytea NOT NULL,
    connection text NOT NULL,
    subject text NOT NULL,
    conversation text,
    until bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE banksman.requests (
    ns text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    session_key bytea NOT NULL,
    submitter_key bytea NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    deadline bigint,
    sort_at bigint NOT NULL,
    created_at bigint NOT NULL,
    delivered boolean NOT NULL,
    progress text NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE banksman.sessions (
    ns text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL,
    owner_key bytea NOT NULL,
    owner_role text NOT NULL,
    parent text,
    parent_key bytea,
    mode text,
    created_at bigint NOT NULL,
    ended_at bigint,
    ended_by text,
    ended_reason text,
    pending integer DEFAULT 0 NOT NULL,
    unfinished boolean DEFAULT false NOT NULL
)
WITH (fillfactor='80');
CREATE TABLE banksman.settings (
    ns text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    value text NOT NULL
);
CREATE TABLE banksman.tokens (
    id text NOT NULL COLLATE pg_catalog."C",
    secret_hash text NOT NULL COLLATE pg_catalog."C",
    use text NOT NULL,
    revoked_at bigint,
    expires_at bigint,
    body text NOT NULL
);
CREATE TABLE banksman.turns (
    ns text NOT NULL COLLATE pg_catalog."C",
    session_key bytea NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    created_at bigint NOT NULL
);
INSERT INTO banksman.banksman_schema VALUES (true, 1, '4da7f3ed-4809-4d36-b8fa-e910be67ee6b', 'system 7708958358312840856, timeline 1, schema 16384');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 1, '\xdb19f171e55b6f41df53e51ab65315e45e75abedf7d77f5bdacccbc1b5cc4046', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-1', 'allow', 'read_file', 'f15dca35b62226a3033f09ca6b9228dda80696a112e683c06868376b09f86d72', 'read_file is allowed (allow: "read_*")', 'allow: "read_*"', 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, NULL, NULL, '{"arguments":{"path":"src/prices.ts"},"cwd":"/srv/shop","tool":"read_file","v":1}', '52319d78f7dc1cd73283dec829b9d1ae90e758bd86820dfbc5e7c10be383b266');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 2, '\xdf4049db760dc4408c7bcbee6c6e487295a56d6dadbd5064b029084019c91550', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-2', 'deny', 'drop_table', '1e62183fc5181c8df5a9886d60441b7420ccd704fb7b916f5d58225419ec0a31', 'drop_table is denied (deny: "drop_*")', 'deny: "drop_*"', 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, NULL, NULL, '{"arguments":{"table":"orders"},"tool":"drop_table","v":1}', '98b829829d1b6a8e7a2ef96ebd16c153b14d53f85c53d557842fe9648f4ad2b5');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 3, '\x52700f56e7935c8ba36455acac74a6ffaf59ac016982ca3b675317daf23bee83', 'child', '\xc76a26aa64ed34537c41be5c25f2918ad429330f3b40e6b89e14b33b22028f0f', 'call-3', 'allow', 'read_file', 'ea504ba13ae7d142d49e5a9b5c0e263f5653b659e9c6880111ae56549ae321be', 'read_file is allowed (allow: "read_*")', 'allow: "read_*"', 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, NULL, NULL, '{"arguments":{"path":"a"},"tool":"read_file","v":1}', '6720c9f9b7fe1ca169e467ec50e0c81e57c43fe75f7373fc7289c1039da9dc7d');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 4, '\x422114aaf3011ccb70df87fabbfb1ec93798bd1d90946f796e42f0b080b2e416', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-4', 'ask', 'send_mail', '8865191803fa04e0f2e85c91adcac1b59c04db9b57998f20d4b1065f00901a46', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, 'req_1m1e34qm0001jhb787twnvzj', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"lapsed@example.com"},"tool":"send_mail","v":1}', '8fd8e82a4678268a9630aa81c58f8cec6aebe8b7d2c9c4b05081f2930dd088ad');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 5, '\xa9596a566eef0423d06ee9de022e4f22ce2fdbc46cb43d1fc4ea5e4940d37d63', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-5', 'ask', 'send_mail', '6daf8d83d95a53e5e77e49aeeb6bd004281f2f5ea666bffb08b52d01df1c6d20', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, 'req_1m1e34qm00022nb37pwqnraq', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"lost@example.com"},"tool":"send_mail","v":1}', '13768b97d650c41cd81ebc17a83c182b084f6d4781f1c8927fc35118c33c8043');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 6, '\x45331a3afcbca5356af8bff1dba3a34999a6d362a9dbc0bfab81924ad3d491bf', 'late', '\xf26a559ed1304c094e9ccb29fb04ac45b72288cfcb7444943c906a9c8eae7725', 'call-6', 'ask', 'send_mail', 'bbc364c7726179c83caf6e54dc433f80ff77d13b521d101f9d2ed32c8360af40', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788253200000, 'req_1m1e34qm0004ej3zgmx5r1ty', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"expired@example.com"},"tool":"send_mail","v":1}', 'c614fb6127a66651782dded3c36b1519a426a789ad0b85061535902404b7f632');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 7, '\x8c9b5764c8dbe2107ef29bffb291f17044d312b94ddc0749e01ee7015b7ed3bc', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-7', 'ask', 'send_mail', '74aa26336be031d472927e66413f980c7c66b5344fd6d7d75bad8133a4709e79', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v00006stjjws8rs71', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"done@example.com"},"tool":"send_mail","v":1}', 'bab1f530866f7a36823657d1cb14d046acd074b65badbc9ec9e26df7c555a551');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 8, '\x4fa4ed1c9e135a1ef016791c7fc5849797baf5c07ad338623ace7550574a1f21', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-8', 'ask', 'run_sql', 'fc6d781d2da0dc7a538b130da57a91c173119b5f2dc1b3696945be9f29bad4f2', 'a person is asked about run_sql (ask: "run_sql")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v0003yssbazb2q6q2', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"query":"SELECT 1"},"tool":"run_sql","v":1}', 'dc5b73a076c429ac3b740a689ca96d598193217166a6cbddda068e7da10b5994');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 9, '\xdc3ad5c07e1dc2f2800ae8290cd72d9d367a9c04bf64a481f5c43e10e7445a6e', 'other', '\xa50b088076c1ec0aa97c34ed242b0ebabf5d84782d901a94e450180110991726', 'call-9', 'ask', 'send_mail', '30639ca8434eee7a6071d8e4f394cfa13f8cd374df1653339ca69a0f756d4eca', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v0005zc74za8a8w6m', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"rejected@example.com"},"tool":"send_mail","v":1}', '67d810c9e2d7e3d5ec0544280ef6d0a127a5aeedbe5ecaddfcd282cf77fc1108');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 10, '\x1629d42a8c477ea2a89cdbfafae7dbc134f06af0da12f29ee8a928519d8f519a', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-10', 'ask', 'run_sql', 'd6a21fe373d4d9090e855abdec99ed182fa6727330e902babff15fcf772153f5', 'a person is asked about run_sql (ask: "run_sql")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v0006ety3m1jq58x0', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"query":"SELECT 3"},"tool":"run_sql","v":1}', '523eff24122567b5d599c33e52ae9a917c5b35d0d3b765a3758191e4ee413ed4');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 11, '\xd48a2ef5de3c11000137bcb1a61bd06a178d8f0f70f243c7e7d88538d7b771db', 'over', '\x1058123a8a1c94e4398de603bb323230face53de7cfb5c635154e49a614b485f', 'call-11', 'ask', 'send_mail', 'cc00c22b6c61e5dab69a62155bba56db1270796b8738ed1e527cb4f47b90dcc5', 'a person is asked about send_mail (ask: "send_mail")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v00075z2kh1xfbnwq', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"send_mail\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"subject":"Your order","to":"terminated@example.com"},"tool":"send_mail","v":1}', 'f855dde3c0d7a96ed7ce0ce1c926944323a53301dae1a9a9ee0e3a5783789121');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 12, '\xaf864182c75ed698497857159437be6c94aeea77c79b7482c5b5760be2ef1939', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-12', 'ask', 'run_sql', 'c6399ed44b01e64a4ce36224551889e9db6d07f5081c19f07ad8547630470c43', 'a person is asked about run_sql (ask: "run_sql")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v0008trtb601w02wq', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"query":"SELECT 4"},"tool":"run_sql","v":1}', '8df2c1b0ab58afe9439ccb11a2766f36782eb8c3206aed57e98a45419e8dda43');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 13, '\xef75e8a5e07c927e6b509fd279785df1a7613d0aedc3a0bd9964f3a470faf9b6', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-13', 'ask', 'ask_user_question', 'b4fff324df235201901634a30bdbbb6b0701a44b4c5f9507c101e4072970920a', 'no list names ask_user_question, so a person is asked (mode: default)', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v0009bywf72xnpqjv', '{"kind":"question","terms":{"conditions":[{"rule":"mode: default","quorum":1}],"allowedDecisions":["answer","reject","terminate"],"scopes":["once"],"severity":"normal"},"reach":"durable","questions":[{"id":"q","question":"Which?","options":[{"label":"A"},{"label":"B"}]}],"expiresInMs":86400000}', '{"arguments":{"questions":[{"id":"q","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]},"tool":"ask_user_question","v":1}', 'f97a898c6ef4c780e587a99dc3836ce411d6f7df0c01e23ff239b9d69a83cef5');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 14, '\xe0cd97a737616befccc33793765007ff572914ead823584655d031c7a76bb3fa', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-14', 'ask', 'ask_user_question', 'b4fff324df235201901634a30bdbbb6b0701a44b4c5f9507c101e4072970920a', 'no list names ask_user_question, so a person is asked (mode: default)', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v000ar069r9zr3t4f', '{"kind":"question","terms":{"conditions":[{"rule":"mode: default","quorum":1}],"allowedDecisions":["answer","reject","terminate"],"scopes":["once"],"severity":"normal"},"reach":"durable","questions":[{"id":"q","question":"Which?","options":[{"label":"A"},{"label":"B"}]}],"expiresInMs":86400000}', '{"arguments":{"questions":[{"id":"q","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]},"tool":"ask_user_question","v":1}', '2d82956119769809ccc3355cb7462009c78016f680d78be2ac77f3f793165047');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 15, '\xbb23e79e11ae13b5549c82dfbc2094f197150887b2810a7c7572969e7e822c1e', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-15', 'ask', 'run_sql', '99223d8011225c1ad2c674aea63d1c968b54b8a6f82d2468377406785fcbddb0', 'a person is asked about run_sql (ask: "run_sql")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v000bcz4g41dkqy6g', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"query":"SELECT 5"},"tool":"run_sql","v":1}', 'bc5b05f4db7be402f783d21895d08ea7e81247654566f32cb3437a8551c3c75c');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 16, '\x88e1935ac473a49ede302c5409ee50257091841ad692be3f9a9b7753a73c9644', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-16', 'ask', 'run_sql', '9d6f908adc1c91312f7c6d81415e9a7d682447a88f7fd87d61886fa0b1664071', 'a person is asked about run_sql (ask: "run_sql")', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v000d68xvey5t7h9k', '{"kind":"approval","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"query":"SELECT 6"},"tool":"run_sql","v":1}', 'a2cc15f72e0b9063136cb9fabb3bc698964781a8fcf87a5cfa896c0f8bfdce57');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 17, '\x42e35071f5e7518959d24230d5bf77fab94ff7acd050d8dd1e30a921a94e416a', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-17', 'ask', 'deploy', '119dd57047bd8e3f29a8b6bc26204bc70286777b50dd7298b00fcf9d87928ddd', 'a person is asked about deploy (production)', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v000e65yn92n3kn33', '{"kind":"approval","terms":{"conditions":[{"rule":"production","quorum":2}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"critical"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"to":"production","token":"xxxxxxxxxxxxxxxxxxxx"},"tool":"deploy","v":1}', '0d5e9c468d4616dd6c70cf9cbf0035dc9bd17a63e0ccbd1e3a2b96b26fc169a1');
INSERT INTO banksman.calls OVERRIDING SYSTEM VALUE VALUES ('default', 18, '\x273383f8b017045e56327252a381f0b6763f6df79f1ce20e17663b182356955a', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'call-18', 'ask', 'deploy', 'b381423b60460efa44280eca59461bb9b16b67d2b46a9cfc4688ef6b3ae6bce1', 'a person is asked about deploy (production)', NULL, 'daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e', 'coder', 1788343260000, 'req_1m1gs14v000f4dn70ywcpy21', '{"kind":"approval","agent":{"name":"releaser","parents":["planner"]},"context":"It is Friday.","terms":{"conditions":[{"rule":"production","quorum":2}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"critical"},"reach":"durable","expiresInMs":86400000}', '{"arguments":{"to":"生产","when":1.5},"tool":"deploy","v":1}', '4c19279cab3f8b2e296e4ac6aaae477ced89e925e04e770bd12b538651ad2e92');
INSERT INTO banksman.chains OVERRIDING SYSTEM VALUE VALUES (1, 'default', '\x38b999b4f14acb8f46fd0a223489eed02d5bdb0864cb23208dbcac4617b26d3d', 'first');
INSERT INTO banksman.chains OVERRIDING SYSTEM VALUE VALUES (2, 'default', '\x6554c79d11b7cd8c4ba40ea02836226220aea76f31951137019c76554476a3d6', 'second');
INSERT INTO banksman.counts VALUES ('default', 'unknown', 1);
INSERT INTO banksman.counts VALUES ('default', 'lapsed', 1);
INSERT INTO banksman.counts VALUES ('default', 'expired', 1);
INSERT INTO banksman.counts VALUES ('default', 'done', 2);
INSERT INTO banksman.counts VALUES ('default', 'rejected', 1);
INSERT INTO banksman.counts VALUES ('default', 'terminated', 1);
INSERT INTO banksman.counts VALUES ('default', 'cancelled', 1);
INSERT INTO banksman.counts VALUES ('default', 'answered', 2);
INSERT INTO banksman.counts VALUES ('default', 'running', 1);
INSERT INTO banksman.counts VALUES ('default', 'approved', 1);
INSERT INTO banksman.counts VALUES ('default', 'pending', 3);
INSERT INTO banksman.grants VALUES ('default', 'grt_1m1gs14v0001tj2js2sdsrkg', '\x0adbd4880b0a5666110114ab16cfaa70ae2431a4f49cd46463c02efcd67ff551', '\x', NULL, 3, 0, NULL, NULL, '{"id":"grt_1m1gs14v0001tj2js2sdsrkg","tool":"send_mail","definitionDigest":"74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b","rules":["ask: \"send_mail\""],"match":{"kind":"when","when":{"tool":"send_mail","arguments":{"/to":{"equals":"done@example.com"}}},"words":"send_mail with to: \"done@example.com\" and anything else"},"createdAt":1788343260000,"createdBy":"ana","requestId":"req_1m1gs14v00006stjjws8rs71"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 1, 1, 1, 'chain.opened', NULL, NULL, '{"after":[],"at":1788253200000,"by":"coder","prev":null,"type":"chain.opened","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 2, 1, 2, 'calls.judged', NULL, NULL, '{"at":1788253200000,"calls":[{"arguments":{"path":"src/prices.ts"},"at":1788253200000,"because":"read_file is allowed (allow: \"read_*\")","by":"coder","callId":"call-1","commitment":"935336cf978cd9762d44c8dd6ffc6abf8513ecd654bd10148f0e3c38329d55b9","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","session":"shop","tool":"read_file","verdict":"allow"},{"arguments":{"table":"orders"},"at":1788253200000,"because":"drop_table is denied (deny: \"drop_*\")","by":"coder","callId":"call-2","commitment":"5515455830b1886eec3018727d5fe3a0e5b6135f35f7879eeb696e452a3aefac","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","session":"shop","tool":"drop_table","verdict":"deny"},{"arguments":{"path":"a"},"at":1788253200000,"because":"read_file is allowed (allow: \"read_*\")","by":"coder","callId":"call-3","commitment":"956f61948b1388a0ec0ba95834cbe47b9d12fb09bd7e307fcf77d9aeaa602146","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","session":"child","tool":"read_file","verdict":"allow"}],"prev":{"hash":"0577be45f03a3927dc1418cb6851e4ec8db7a987fa8870a8636de79d1933e02f","n":1},"type":"calls.judged","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 3, 1, 3, 'request.opened', 'req_1m1e34qm0001jhb787twnvzj', 1, '{"arguments":{"subject":"Your order","to":"lapsed@example.com"},"at":1788253200000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-4","commitment":"af7efde2d053dc27e81b73f2d34e26f4a92b5f7cee5771ebca2178ed9d50a9a3","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"5cf2390d374b4753298834ffd9c9aaebe6f4308aac74290584d4281de34e7be9","n":2},"request":"req_1m1e34qm0001jhb787twnvzj","rules":["ask: \"send_mail\""],"session":"shop","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 4, 1, 4, 'request.decided', 'req_1m1e34qm0001jhb787twnvzj', 2, '{"at":1788253200000,"by":"ana","decision":"approve","prev":{"hash":"ea8cb72a8e375d9d7e59ffdefb2b52352d6773d4bd98360c120ab968f3a05bd4","n":3},"request":"req_1m1e34qm0001jhb787twnvzj","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 5, 1, 5, 'request.opened', 'req_1m1e34qm00022nb37pwqnraq', 1, '{"arguments":{"subject":"Your order","to":"lost@example.com"},"at":1788253200000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-5","commitment":"3793231b5839dd3bb67bb1c09e29d77d4b0f74a7828a82314f941e0ef5f5546d","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"cdb41a40087fea4c2ebf6b678fac87687f031db2f414be7b2fd3b7177cff7f9b","n":4},"request":"req_1m1e34qm00022nb37pwqnraq","rules":["ask: \"send_mail\""],"session":"shop","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 6, 1, 6, 'request.decided', 'req_1m1e34qm00022nb37pwqnraq', 2, '{"at":1788253200000,"by":"ana","decision":"approve","prev":{"hash":"9aae0a370e20351506b3f59e2613f643f998478c74cd5924968283e41d767114","n":5},"reason":"go on","request":"req_1m1e34qm00022nb37pwqnraq","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 7, 1, 7, 'request.claimed', 'req_1m1e34qm00022nb37pwqnraq', 3, '{"at":1788253200000,"by":"coder","claim":"clm_1m1e34qm0003khrgxx04r8fa","prev":{"hash":"0b076ab78937834142afffca51f0d81f34c976f8e67d08403e5f358b98991e0c","n":6},"request":"req_1m1e34qm00022nb37pwqnraq","state":"running","type":"request.claimed","v":1,"version":3}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 8, 1, 8, 'request.opened', 'req_1m1e34qm0004ej3zgmx5r1ty', 1, '{"arguments":{"subject":"Your order","to":"expired@example.com"},"at":1788253200000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-6","commitment":"7e1bdb87fead9860fb40c8cc07c6b11d408d013f3803839c5b06c89f481cec65","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"8e88aca7868c598d057314c26a9f1694b3456fa184720bd750a56ad84c6cbead","n":7},"request":"req_1m1e34qm0004ej3zgmx5r1ty","rules":["ask: \"send_mail\""],"session":"late","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 9, 1, 9, 'request.lost', 'req_1m1e34qm00022nb37pwqnraq', 4, '{"at":1788343200000,"prev":{"hash":"2890e42624a779796fac4e6ca99b9881f37a142e6c79fe69cbbe152933623ea5","n":8},"request":"req_1m1e34qm00022nb37pwqnraq","state":"unknown","type":"request.lost","v":1,"version":4}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 10, 1, 10, 'request.lapsed', 'req_1m1e34qm0001jhb787twnvzj', 3, '{"at":1788343200000,"prev":{"hash":"2890e42624a779796fac4e6ca99b9881f37a142e6c79fe69cbbe152933623ea5","n":8},"request":"req_1m1e34qm0001jhb787twnvzj","state":"lapsed","type":"request.lapsed","v":1,"version":3}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 11, 1, 11, 'request.expired', 'req_1m1e34qm0004ej3zgmx5r1ty', 2, '{"at":1788343200000,"prev":{"hash":"2890e42624a779796fac4e6ca99b9881f37a142e6c79fe69cbbe152933623ea5","n":8},"request":"req_1m1e34qm0004ej3zgmx5r1ty","state":"expired","type":"request.expired","v":1,"version":2}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 12, 1, 12, 'request.opened', 'req_1m1gs14v00006stjjws8rs71', 1, '{"arguments":{"subject":"Your order","to":"done@example.com"},"at":1788343260000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-7","commitment":"b3ad80165e41fdf6b30cd79e0a46512ccad8ef4b7bceda54cd0e592df6e07c68","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"3be03a899bcec480c635b3655e7f1cf03cbcf86e30d5bc28b04c808f383a8f91","n":11},"request":"req_1m1gs14v00006stjjws8rs71","rules":["ask: \"send_mail\""],"session":"shop","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 13, 1, 13, 'request.decided', 'req_1m1gs14v00006stjjws8rs71', 2, '{"at":1788343260000,"by":"ana","decision":"approve","grant":{"id":"grt_1m1gs14v0001tj2js2sdsrkg","match":"send_mail with to: \"done@example.com\" and anything else","rules":["ask: \"send_mail\""],"uses":3},"prev":{"hash":"5e2815dad6612357a07fec8c0e9cddd0404f8d6e409229c121d75f9829260417","n":12},"request":"req_1m1gs14v00006stjjws8rs71","scope":"always","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"],"wanted":{"suggestion":"argument:/to","uses":3}}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 14, 1, 14, 'request.claimed', 'req_1m1gs14v00006stjjws8rs71', 3, '{"at":1788343260000,"by":"coder","claim":"clm_1m1gs14v0002yw1kn9aajv83","prev":{"hash":"00f03501a0d9b226adb16413aa82e5193b90a6d0428b3a0eb54856c8afccf8c4","n":13},"request":"req_1m1gs14v00006stjjws8rs71","state":"running","type":"request.claimed","v":1,"version":3}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 15, 1, 15, 'request.reported', 'req_1m1gs14v00006stjjws8rs71', 4, '{"at":1788343260000,"by":"coder","outcome":"ok","prev":{"hash":"80dd2b98caaa79b2e6e03eefd47e23dd13cd3111643ad714928245b8af7a036e","n":14},"request":"req_1m1gs14v00006stjjws8rs71","state":"done","type":"request.reported","v":1,"version":4}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 16, 1, 16, 'request.opened', 'req_1m1gs14v0003yssbazb2q6q2', 1, '{"arguments":{"query":"SELECT 1"},"at":1788343260000,"because":"a person is asked about run_sql (ask: \"run_sql\")","by":"coder","callId":"call-8","commitment":"8d54f167152315b7c34afba4cebb9a416311e102e61f8c876e122ef67205b2f9","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"29bc3083559a1205316d5289977b73f9c60688bf9d0882cc64c6f985593d33c2","n":15},"request":"req_1m1gs14v0003yssbazb2q6q2","rules":["ask: \"run_sql\""],"session":"shop","state":"pending","tool":"run_sql","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 17, 1, 17, 'request.decided', 'req_1m1gs14v0003yssbazb2q6q2', 2, '{"at":1788343260000,"by":"ana","decision":"edit","edited":"074a5d18360a49ced2cb98f60ddc64d92ea26226c809333766f1e83454031c96","prev":{"hash":"d9fc981e936c5cede6bd4d52b1b4bcbeab47ca1b51b22cc6ff19aadfe1d2b21a","n":16},"request":"req_1m1gs14v0003yssbazb2q6q2","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 18, 1, 18, 'request.claimed', 'req_1m1gs14v0003yssbazb2q6q2', 3, '{"approved":"074a5d18360a49ced2cb98f60ddc64d92ea26226c809333766f1e83454031c96","at":1788343260000,"by":"coder","claim":"clm_1m1gs14v0004rz6ajvrxqs34","prev":{"hash":"54ace0b580abf92b3cdba2f5c3852b8535e3a3488fe9feb088902a44a3e3b22f","n":17},"request":"req_1m1gs14v0003yssbazb2q6q2","state":"running","type":"request.claimed","v":1,"version":3}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 19, 1, 19, 'request.reported', 'req_1m1gs14v0003yssbazb2q6q2', 4, '{"at":1788343260000,"by":"coder","outcome":"error","prev":{"hash":"4b9b6a0b0d56ceb3bfb593f651455d4932ab0cb1ea79e052fa448827ad72a391","n":18},"request":"req_1m1gs14v0003yssbazb2q6q2","state":"done","type":"request.reported","v":1,"version":4}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 20, 1, 20, 'request.opened', 'req_1m1gs14v0005zc74za8a8w6m', 1, '{"arguments":{"subject":"Your order","to":"rejected@example.com"},"at":1788343260000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-9","commitment":"956fe5c8a9a5fccbc7ebe23c95c1a47f677ae743f3d253d056e0d55570caddde","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"f8bcdf7bd7ab50a77719d0273e4019be38ecdf8b3f431c924f8160e3505eeaa7","n":19},"request":"req_1m1gs14v0005zc74za8a8w6m","rules":["ask: \"send_mail\""],"session":"other","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 21, 1, 21, 'request.decided', 'req_1m1gs14v0005zc74za8a8w6m', 2, '{"at":1788343260000,"by":"ana","decision":"reject","prev":{"hash":"7b1af0f45b1dc5071372d778614570a96bc81c2bfc6587bc7b404f56e82d01e5","n":20},"reason":"not now","request":"req_1m1gs14v0005zc74za8a8w6m","state":"rejected","type":"request.decided","v":1,"version":2,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 22, 1, 22, 'request.opened', 'req_1m1gs14v0006ety3m1jq58x0', 1, '{"arguments":{"query":"SELECT 3"},"at":1788343260000,"because":"a person is asked about run_sql (ask: \"run_sql\")","by":"coder","callId":"call-10","commitment":"5a157b6a97504641967735c82460305b901af28dd1b5dadb543ac373e730b4ba","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"446ddc2f358d274a4b4e1626d6d04c1edfd1309b489d4fb4b75d3557c4421187","n":21},"request":"req_1m1gs14v0006ety3m1jq58x0","rules":["ask: \"run_sql\""],"session":"shop","state":"pending","tool":"run_sql","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 23, 1, 23, 'request.decided', 'req_1m1gs14v0006ety3m1jq58x0', 2, '{"at":1788343260000,"by":"ana","decision":"respond","prev":{"hash":"d4e270f75e7b1df5566d0f7ed651b804007092485a62909be8507a48215742dd","n":22},"request":"req_1m1gs14v0006ety3m1jq58x0","state":"answered","type":"request.decided","v":1,"version":2,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 24, 1, 24, 'request.opened', 'req_1m1gs14v00075z2kh1xfbnwq', 1, '{"arguments":{"subject":"Your order","to":"terminated@example.com"},"at":1788343260000,"because":"a person is asked about send_mail (ask: \"send_mail\")","by":"coder","callId":"call-11","commitment":"3cbf9f70de67a04b9be993ddcce81fb235cb15fcb0cec0c3d0e2cef350c26f06","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"78e2ed04dee79313ffd3ab1025193ba1c48c4aba8a55d189e853a0198c120571","n":23},"request":"req_1m1gs14v00075z2kh1xfbnwq","rules":["ask: \"send_mail\""],"session":"over","state":"pending","tool":"send_mail","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 25, 1, 25, 'request.decided', 'req_1m1gs14v00075z2kh1xfbnwq', 2, '{"at":1788343260000,"by":"ana","decision":"terminate","prev":{"hash":"9cd932509a0e7fd6ebff7c4734eebd7f66a030a245ddd7e8f75c8f8d2324923a","n":24},"reason":"enough","request":"req_1m1gs14v00075z2kh1xfbnwq","state":"terminated","type":"request.decided","v":1,"version":2,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 26, 1, 26, 'session.ended', NULL, NULL, '{"at":1788343260000,"by":"ana","prev":{"hash":"9cd932509a0e7fd6ebff7c4734eebd7f66a030a245ddd7e8f75c8f8d2324923a","n":24},"reason":"enough","sessions":["over"],"type":"session.ended","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 27, 1, 27, 'request.opened', 'req_1m1gs14v0008trtb601w02wq', 1, '{"arguments":{"query":"SELECT 4"},"at":1788343260000,"because":"a person is asked about run_sql (ask: \"run_sql\")","by":"coder","callId":"call-12","commitment":"2348d2a81dda7d462644f74307628f3423993f62ba59c30262a10a693a04461e","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"2ab797677603e2425ffa2f0fd2f7a44201a19d1047fc0b107df07b5742ff6d31","n":26},"request":"req_1m1gs14v0008trtb601w02wq","rules":["ask: \"run_sql\""],"session":"shop","state":"pending","tool":"run_sql","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 28, 1, 28, 'request.cancelled', 'req_1m1gs14v0008trtb601w02wq', 2, '{"at":1788343260000,"by":"coder","cause":"withdrawn","prev":{"hash":"2baec5bb9047817f87ef42829b7d0a536f7f198f377a0c2939fbe1430b682e89","n":27},"reason":"changed my mind","request":"req_1m1gs14v0008trtb601w02wq","state":"cancelled","type":"request.cancelled","v":1,"version":2}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 29, 1, 29, 'request.opened', 'req_1m1gs14v0009bywf72xnpqjv', 1, '{"arguments":{"questions":[{"id":"q","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]},"at":1788343260000,"because":"no list names ask_user_question, so a person is asked (mode: default)","by":"coder","callId":"call-13","commitment":"e1193c7b7761b424926336375290214e76e99a0feaed032f8d052c99d999b8eb","expiresInMs":86400000,"kind":"question","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"21954f072e892d6d82dff55e30bc7fd19da9c1444fa91495752174209d897c74","n":28},"request":"req_1m1gs14v0009bywf72xnpqjv","rules":["mode: default"],"session":"shop","state":"pending","tool":"ask_user_question","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 30, 1, 30, 'request.decided', 'req_1m1gs14v0009bywf72xnpqjv', 2, '{"at":1788343260000,"by":"ana","decision":"answer","prev":{"hash":"d3e18c607334b837c925e4e784ebeb9a75da088225fc359191b53ecd555a6ce9","n":29},"request":"req_1m1gs14v0009bywf72xnpqjv","state":"answered","type":"request.decided","v":1,"version":2,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 31, 1, 31, 'request.opened', 'req_1m1gs14v000ar069r9zr3t4f', 1, '{"arguments":{"questions":[{"id":"q","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]},"at":1788343260000,"because":"no list names ask_user_question, so a person is asked (mode: default)","by":"coder","callId":"call-14","commitment":"567b65649e37a7cef226de87c1c3cae6bd96ac4a3575856e3737cb3f9fdd8cff","expiresInMs":86400000,"kind":"question","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"38c3216732ec35a15eccb6d4e8008842c169592d83f71e10bf831ab7ca5541a9","n":30},"request":"req_1m1gs14v000ar069r9zr3t4f","rules":["mode: default"],"session":"shop","state":"pending","tool":"ask_user_question","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 32, 1, 32, 'request.opened', 'req_1m1gs14v000bcz4g41dkqy6g', 1, '{"arguments":{"query":"SELECT 5"},"at":1788343260000,"because":"a person is asked about run_sql (ask: \"run_sql\")","by":"coder","callId":"call-15","commitment":"0dca64c3c117309f50fc57b8a45cb5efccbf78dce53b6cfc2a375e998768743c","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"73095c720eab2305278af7387b9b40dba280c842f33d189602d91c0bcff8282e","n":31},"request":"req_1m1gs14v000bcz4g41dkqy6g","rules":["ask: \"run_sql\""],"session":"shop","state":"pending","tool":"run_sql","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 33, 1, 33, 'request.decided', 'req_1m1gs14v000bcz4g41dkqy6g', 2, '{"at":1788343260000,"by":"ana","decision":"approve","prev":{"hash":"5608caf614bfef273bfc647189203dda0b5387e26083eaf94a7dc6360216d48a","n":32},"request":"req_1m1gs14v000bcz4g41dkqy6g","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 34, 1, 34, 'request.claimed', 'req_1m1gs14v000bcz4g41dkqy6g', 3, '{"at":1788343260000,"by":"coder","claim":"clm_1m1gs14v000cabn2x2h7m8tt","prev":{"hash":"38270aa5c16f4c65ce667ce83e5fc5ccbcf01656a8fc378e0a4602cb0fb6a095","n":33},"request":"req_1m1gs14v000bcz4g41dkqy6g","state":"running","type":"request.claimed","v":1,"version":3}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 35, 1, 35, 'request.opened', 'req_1m1gs14v000d68xvey5t7h9k', 1, '{"arguments":{"query":"SELECT 6"},"at":1788343260000,"because":"a person is asked about run_sql (ask: \"run_sql\")","by":"coder","callId":"call-16","commitment":"12923b53946eb5c86a7eccd4bcce5aa5a42442b7ed4d171972331656e4ad390b","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"a3877010a14f84321922dcc6004bc6bca328b3e03679bb9fbb540a44311446a2","n":34},"request":"req_1m1gs14v000d68xvey5t7h9k","rules":["ask: \"run_sql\""],"session":"shop","state":"pending","tool":"run_sql","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 36, 1, 36, 'request.decided', 'req_1m1gs14v000d68xvey5t7h9k', 2, '{"at":1788343260000,"by":"ana","decision":"approve","prev":{"hash":"76c29a80ce7adfcfc4322833408649bf524a4f06f55cc240905b6024f2fa8d5a","n":35},"request":"req_1m1gs14v000d68xvey5t7h9k","state":"approved","type":"request.decided","v":1,"version":2,"via":"inbox","votes":["ana"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 37, 1, 37, 'request.opened', 'req_1m1gs14v000e65yn92n3kn33', 1, '{"arguments":{"to":"production","token":"xxxxxxxxxxxxxxxxxxxx"},"at":1788343260000,"because":"a person is asked about deploy (production)","by":"coder","callId":"call-17","commitment":"2d246833896e0814469ce562727ca7954cc5f6880eaac64f7c72292dbbc8e333","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"5547f5a2b0761041c42538b3c4ebda94b98bc5ff93310ccc6341c9341ee715e9","n":36},"request":"req_1m1gs14v000e65yn92n3kn33","rules":["production"],"session":"shop","state":"pending","tool":"deploy","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 38, 1, 38, 'request.voted', 'req_1m1gs14v000e65yn92n3kn33', 2, '{"at":1788343260000,"by":"ben","decision":"approve","prev":{"hash":"75c0d3599e16559066e2e5a4189f7919f341f42e4de372e8724fdc562acf779b","n":37},"request":"req_1m1gs14v000e65yn92n3kn33","state":"pending","type":"request.voted","v":1,"version":2,"via":"terminal","votes":["ben"]}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 39, 1, 39, 'request.opened', 'req_1m1gs14v000f4dn70ywcpy21', 1, '{"agent":{"name":"releaser","parents":["planner"]},"arguments":{"to":"生产","when":1.5},"at":1788343260000,"because":"a person is asked about deploy (production)","by":"coder","callId":"call-18","commitment":"3c49e5aa6a89e5d9a9052f2479231d78b146fe8400b7a47e418222badfcc2030","expiresInMs":86400000,"kind":"approval","policy":"daa61915c0c9a3b8c818fa78b1788dacefc1668352e580c13dcf765e71959f8e","prev":{"hash":"6f1512818548aeba2db3495a3e94063db054bb9a876f3d91910f913e6504cb4a","n":38},"request":"req_1m1gs14v000f4dn70ywcpy21","rules":["production"],"session":"shop","state":"pending","tool":"deploy","type":"request.opened","v":1,"version":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 40, 1, 40, 'session.mode', NULL, NULL, '{"at":1788343260000,"by":"ana","mode":"acceptEdits","prev":{"hash":"788840860bb679d057673fd9bbc619bb892319ce14878667f14b1f116b114deb","n":39},"session":"shop","type":"session.mode","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 41, 1, 41, 'session.mode', NULL, NULL, '{"at":1788343260000,"by":"ana","mode":"acceptEdits","prev":{"hash":"ca5d2b089e04f1a269f7cc72013349c544a45c73412fbbd2aa613e21f461493e","n":40},"session":"child","type":"session.mode","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 42, 1, 42, 'token.created', NULL, NULL, '{"at":1788343260000,"by":"ana","prev":{"hash":"bd2e0e3366d6d51fc5a76e3c10279815de5a7a2ef0902e5022ad09433af202e8","n":41},"role":"agent","subject":"coder","token":"tok_1m1gs14v000gc2k7n233az63","type":"token.created","use":"bearer","v":1,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 43, 1, 43, 'token.created', NULL, NULL, '{"at":1788343260000,"by":"ana","prev":{"hash":"dd5aa47038b64c667c1dc16ab85be80aa38ec392f9e7a03aab07b152ee738c3f","n":42},"role":"approver","subject":"ben","token":"tok_1m1gs14v000hxy0w8m5zc3yz","type":"token.created","use":"bearer","v":1,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 44, 1, 44, 'token.revoked', NULL, NULL, '{"at":1788343260000,"by":"ana","prev":{"hash":"8f5243cf3420c50f3f0af4ad8d79607e1637594478d88b2e9b56b0f006fffa12","n":43},"token":"tok_1m1gs14v000hxy0w8m5zc3yz","type":"token.revoked","v":1,"via":"inbox"}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 45, 1, 45, 'chain.closed', NULL, NULL, '{"at":1788343260000,"by":"coder","prev":{"hash":"25e54abf66f3fb85a80932bfcfd45fe27143b90bf1713b4b69c5475441279fd6","n":44},"type":"chain.closed","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 46, 2, 1, 'session.begun', NULL, NULL, '{"at":1788343260000,"prev":null,"type":"session.begun","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 47, 2, 2, 'policy.applied', NULL, NULL, '{"at":1788343260000,"prev":{"hash":"e9cdac33896186329a39ceb233f2de319412b796f6ea988a0984c03905debc13","n":1},"type":"policy.applied","v":1}');
INSERT INTO banksman.journal OVERRIDING SYSTEM VALUE VALUES ('default', 48, 2, 3, 'policy.applied', NULL, NULL, '{"at":1788343260000,"prev":{"hash":"a4d0724f9b23bfadee9ae11465f33437b01de1f4a1dd073e68dfa161866a17b4","n":2},"type":"policy.applied","v":1}');
INSERT INTO banksman.leases VALUES ('default', '\xf46cb03d97599b40971748bcd218b87d6667189072433975b8a5d2fd02e79cbc', 'work', 'node-1', 1, 1788343320000, NULL);
INSERT INTO banksman.namespaces VALUES ('default');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1e34qm00022nb37pwqnraq', 5, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'unknown', 4, NULL, 1788253200000, 1788253200000, false, '{"decision":{"kind":"approve","by":"ana","at":1788253200000,"via":"inbox","digest":"6daf8d83d95a53e5e77e49aeeb6bd004281f2f5ea666bffb08b52d01df1c6d20","reason":"go on"},"approved":{"digest":"6daf8d83d95a53e5e77e49aeeb6bd004281f2f5ea666bffb08b52d01df1c6d20"},"votes":[{"by":"ana","at":1788253200000,"via":"inbox","digest":"6daf8d83d95a53e5e77e49aeeb6bd004281f2f5ea666bffb08b52d01df1c6d20"}],"claim":{"id":"clm_1m1e34qm0003khrgxx04r8fa","key":"key-call-5","by":"coder","at":1788253200000,"leaseMs":30000}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1e34qm0001jhb787twnvzj', 4, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'lapsed', 3, NULL, 1788253200000, 1788253200000, false, '{"decision":{"kind":"approve","by":"ana","at":1788253200000,"via":"inbox","digest":"8865191803fa04e0f2e85c91adcac1b59c04db9b57998f20d4b1065f00901a46"},"approved":{"digest":"8865191803fa04e0f2e85c91adcac1b59c04db9b57998f20d4b1065f00901a46"},"votes":[{"by":"ana","at":1788253200000,"via":"inbox","digest":"8865191803fa04e0f2e85c91adcac1b59c04db9b57998f20d4b1065f00901a46"}]}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1e34qm0004ej3zgmx5r1ty', 6, '\xf26a559ed1304c094e9ccb29fb04ac45b72288cfcb7444943c906a9c8eae7725', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'expired', 2, NULL, 1788253200000, 1788253200000, false, '{}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v00006stjjws8rs71', 7, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'done', 4, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"approve","by":"ana","at":1788343260000,"via":"inbox","digest":"74aa26336be031d472927e66413f980c7c66b5344fd6d7d75bad8133a4709e79","scope":"always","grant":{"suggestion":"argument:/to","uses":3}},"approved":{"digest":"74aa26336be031d472927e66413f980c7c66b5344fd6d7d75bad8133a4709e79"},"votes":[{"by":"ana","at":1788343260000,"via":"inbox","digest":"74aa26336be031d472927e66413f980c7c66b5344fd6d7d75bad8133a4709e79","scope":"always","grant":{"suggestion":"argument:/to","uses":3}}],"claim":{"id":"clm_1m1gs14v0002yw1kn9aajv83","key":"key-call-7","by":"coder","at":1788343260000,"leaseMs":30000},"outcome":{"kind":"ok","summary":"sent","at":1788343260000,"by":"coder"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v0003yssbazb2q6q2', 8, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'done', 4, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"edit","by":"ana","at":1788343260000,"via":"inbox","digest":"fc6d781d2da0dc7a538b130da57a91c173119b5f2dc1b3696945be9f29bad4f2"},"approved":{"digest":"60297af46280b13be496df77edf0285a841aeadc434f46e08ff3c986a50990b1","bytes":"{\"arguments\":{\"query\":\"SELECT 2\"},\"tool\":\"run_sql\",\"v\":1}"},"votes":[{"by":"ana","at":1788343260000,"via":"inbox","digest":"60297af46280b13be496df77edf0285a841aeadc434f46e08ff3c986a50990b1"}],"edit":{"digest":"60297af46280b13be496df77edf0285a841aeadc434f46e08ff3c986a50990b1","bytes":"{\"arguments\":{\"query\":\"SELECT 2\"},\"tool\":\"run_sql\",\"v\":1}","by":"ana","terms":{"conditions":[{"rule":"ask: \"run_sql\"","quorum":1}],"allowedDecisions":["approve","edit","reject","respond","terminate"],"scopes":["once","session","always"],"severity":"normal"}},"claim":{"id":"clm_1m1gs14v0004rz6ajvrxqs34","key":"key-edited","by":"coder","at":1788343260000,"leaseMs":30000},"outcome":{"kind":"error","summary":"no such table","at":1788343260000,"by":"coder"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v0005zc74za8a8w6m', 9, '\xa50b088076c1ec0aa97c34ed242b0ebabf5d84782d901a94e450180110991726', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'rejected', 2, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"reject","by":"ana","at":1788343260000,"via":"inbox","digest":"30639ca8434eee7a6071d8e4f394cfa13f8cd374df1653339ca69a0f756d4eca","reason":"not now"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v0006ety3m1jq58x0', 10, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'answered', 2, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"respond","by":"ana","at":1788343260000,"via":"inbox","digest":"d6a21fe373d4d9090e855abdec99ed182fa6727330e902babff15fcf772153f5","text":"there are 12"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v00075z2kh1xfbnwq', 11, '\x1058123a8a1c94e4398de603bb323230face53de7cfb5c635154e49a614b485f', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'terminated', 2, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"terminate","by":"ana","at":1788343260000,"via":"inbox","digest":"cc00c22b6c61e5dab69a62155bba56db1270796b8738ed1e527cb4f47b90dcc5","reason":"enough"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v0008trtb601w02wq', 12, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'cancelled', 2, NULL, 1788343260000, 1788343260000, false, '{"cancelled":{"cause":"withdrawn","by":"coder","reason":"changed my mind"}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v0009bywf72xnpqjv', 13, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'answered', 2, NULL, 1788343260000, 1788343260000, false, '{"decision":{"kind":"answer","by":"ana","at":1788343260000,"via":"inbox","digest":"b4fff324df235201901634a30bdbbb6b0701a44b4c5f9507c101e4072970920a","answers":{"q":{"choices":["A"]}}}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v000ar069r9zr3t4f', 14, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'pending', 1, 1788429660000, 1788429660000, 1788343260000, false, '{}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v000bcz4g41dkqy6g', 15, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'running', 3, 1788343290000, 1788343290000, 1788343260000, false, '{"decision":{"kind":"approve","by":"ana","at":1788343260000,"via":"inbox","digest":"99223d8011225c1ad2c674aea63d1c968b54b8a6f82d2468377406785fcbddb0"},"approved":{"digest":"99223d8011225c1ad2c674aea63d1c968b54b8a6f82d2468377406785fcbddb0"},"votes":[{"by":"ana","at":1788343260000,"via":"inbox","digest":"99223d8011225c1ad2c674aea63d1c968b54b8a6f82d2468377406785fcbddb0"}],"claim":{"id":"clm_1m1gs14v000cabn2x2h7m8tt","key":"key-call-15","by":"coder","at":1788343260000,"leaseMs":30000}}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v000d68xvey5t7h9k', 16, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'approved', 2, 1788343860000, 1788343860000, 1788343260000, false, '{"decision":{"kind":"approve","by":"ana","at":1788343260000,"via":"inbox","digest":"9d6f908adc1c91312f7c6d81415e9a7d682447a88f7fd87d61886fa0b1664071"},"approved":{"digest":"9d6f908adc1c91312f7c6d81415e9a7d682447a88f7fd87d61886fa0b1664071"},"votes":[{"by":"ana","at":1788343260000,"via":"inbox","digest":"9d6f908adc1c91312f7c6d81415e9a7d682447a88f7fd87d61886fa0b1664071"}]}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v000e65yn92n3kn33', 17, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'pending', 2, 1788429660000, 1788429660000, 1788343260000, false, '{"votes":[{"by":"ben","at":1788343260000,"via":"terminal","digest":"119dd57047bd8e3f29a8b6bc26204bc70286777b50dd7298b00fcf9d87928ddd"}]}');
INSERT INTO banksman.requests VALUES ('default', 'req_1m1gs14v000f4dn70ywcpy21', 18, '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'pending', 1, 1788429660000, 1788429660000, 1788343260000, false, '{}');
INSERT INTO banksman.sessions VALUES ('default', '\xf26a559ed1304c094e9ccb29fb04ac45b72288cfcb7444943c906a9c8eae7725', 'late', 'coder', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'agent', NULL, NULL, NULL, 1788253200000, NULL, NULL, NULL, 0, false);
INSERT INTO banksman.sessions VALUES ('default', '\xa50b088076c1ec0aa97c34ed242b0ebabf5d84782d901a94e450180110991726', 'other', 'coder', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'agent', NULL, NULL, NULL, 1788343260000, NULL, NULL, NULL, 0, false);
INSERT INTO banksman.sessions VALUES ('default', '\x1058123a8a1c94e4398de603bb323230face53de7cfb5c635154e49a614b485f', 'over', 'coder', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'agent', NULL, NULL, NULL, 1788343260000, 1788343260000, 'ana', 'enough', 0, false);
INSERT INTO banksman.sessions VALUES ('default', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'shop', 'coder', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'agent', NULL, NULL, 'acceptEdits', 1788253200000, NULL, NULL, NULL, 3, false);
INSERT INTO banksman.sessions VALUES ('default', '\xc76a26aa64ed34537c41be5c25f2918ad429330f3b40e6b89e14b33b22028f0f', 'child', 'coder', '\xb9b471a478b14fd7ec70cd29641a874cb1b838c70c21658860172258d02de09a', 'agent', 'shop', '\x2a09cedf2fa4a2a24ce6e30b32994e3adef84c0a3177f228c55bb145fd6f6ea2', 'acceptEdits', 1788253200000, NULL, NULL, NULL, 0, false);
INSERT INTO banksman.sessions VALUES ('default', '\x3a7d877499ea4610e668600144c4e21fe65e2231a0bf1711827af6e90db6561d', 'talk', 'ana', '\x95e9df1b7c2ad6f16e91d78909fd7f6116636f5fd15a4932a0392f950d2658ae', 'admin', NULL, NULL, NULL, 1788343260000, NULL, NULL, NULL, 0, false);
INSERT INTO banksman.settings VALUES ('default', '\x756bb0d3e21c289755397907e3e6401e32a2528219cb96aa40c8764f9c68de12', '{"a":[1,"two",null]}');
INSERT INTO banksman.tokens VALUES ('tok_1m1gs14v000gc2k7n233az63', '4ea55d503ae3971450543540d05691f9c80594680ad196402c5c30647086b693', 'bearer', NULL, NULL, '{"id":"tok_1m1gs14v000gc2k7n233az63","secretHash":"4ea55d503ae3971450543540d05691f9c80594680ad196402c5c30647086b693","role":"agent","subject":"coder","namespace":"default","label":"laptop","createdAt":1788343260000,"createdBy":"ana","use":"bearer"}');
INSERT INTO banksman.tokens VALUES ('tok_1m1gs14v000hxy0w8m5zc3yz', '5622d935a53c97ae3a91a4afcca2fe73a43ef65d539ab13dca182ac8e8fbd410', 'bearer', 1788343260000, NULL, '{"id":"tok_1m1gs14v000hxy0w8m5zc3yz","secretHash":"5622d935a53c97ae3a91a4afcca2fe73a43ef65d539ab13dca182ac8e8fbd410","role":"approver","subject":"ben","namespace":"default","createdAt":1788343260000,"createdBy":"ana","use":"bearer"}');
INSERT INTO banksman.turns VALUES ('default', '\x3a7d877499ea4610e668600144c4e21fe65e2231a0bf1711827af6e90db6561d', 0, '{"said":"hello"}', 1788343260000);
INSERT INTO banksman.turns VALUES ('default', '\x3a7d877499ea4610e668600144c4e21fe65e2231a0bf1711827af6e90db6561d', 1, '{"answered":"hi"}', 1788343260000);
SELECT pg_catalog.setval('banksman.calls_seq_seq', 18, true);
SELECT pg_catalog.setval('banksman.chains_id_seq', 2, true);
SELECT pg_catalog.setval('banksman.fences', 1, true);
SELECT pg_catalog.setval('banksman.journal_seq_seq', 48, true);
ALTER TABLE ONLY banksman.banksman_schema
    ADD CONSTRAINT banksman_schema_pkey PRIMARY KEY (one);
ALTER TABLE ONLY banksman.calls
    ADD CONSTRAINT calls_pkey PRIMARY KEY (ns, seq);
ALTER TABLE ONLY banksman.chains
    ADD CONSTRAINT chains_key_key UNIQUE (key);
ALTER TABLE ONLY banksman.chains
    ADD CONSTRAINT chains_pkey PRIMARY KEY (id);
ALTER TABLE ONLY banksman.counts
    ADD CONSTRAINT counts_pkey PRIMARY KEY (ns, state);
ALTER TABLE ONLY banksman.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (request, ns, channel);
ALTER TABLE ONLY banksman.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id, ns);
ALTER TABLE ONLY banksman.journal
    ADD CONSTRAINT journal_chain_id_n_key UNIQUE (chain_id, n);
ALTER TABLE ONLY banksman.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (ns, seq);
ALTER TABLE ONLY banksman.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (key);
ALTER TABLE ONLY banksman.namespaces
    ADD CONSTRAINT namespaces_pkey PRIMARY KEY (name);
ALTER TABLE ONLY banksman.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (key);
ALTER TABLE ONLY banksman.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (id, ns);
ALTER TABLE ONLY banksman.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (key);
ALTER TABLE ONLY banksman.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY banksman.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY banksman.tokens
    ADD CONSTRAINT tokens_secret_hash_key UNIQUE (secret_hash);
ALTER TABLE ONLY banksman.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (session_key, at);
CREATE UNIQUE INDEX calls_by_id ON banksman.calls USING btree (key);
CREATE INDEX calls_judged ON banksman.calls USING btree (ns, seq) WHERE (verdict <> 'ask'::text);
CREATE INDEX calls_of_session ON banksman.calls USING btree (session_key, seq) WHERE (verdict <> 'ask'::text);
CREATE INDEX calls_to_erase ON banksman.calls USING btree (ns, created_at) WHERE (bytes <> ''::text);
CREATE INDEX chains_by_age ON banksman.chains USING btree (ns, id);
CREATE INDEX deliveries_due ON banksman.deliveries USING btree (ns, channel, due_at, request) WHERE (shown_version < version);
CREATE INDEX grants_by_tool ON banksman.grants USING btree (tool_key, session_key);
CREATE INDEX grants_in_order ON banksman.grants USING btree (ns, id);
CREATE INDEX leases_by_end ON banksman.leases USING btree (ns, until);
CREATE INDEX leases_by_name ON banksman.leases USING btree (ns, "left"(name, 100));
CREATE INDEX presence_by_channel ON banksman.presence USING btree (channel_key, until);
CREATE INDEX presence_by_end ON banksman.presence USING btree (ns, until);
CREATE INDEX requests_by_session ON banksman.requests USING btree (session_key, state, sort_at, id);
CREATE INDEX requests_by_state ON banksman.requests USING btree (ns, state, sort_at, id);
CREATE INDEX requests_by_submitter ON banksman.requests USING btree (submitter_key, state, sort_at, id);
CREATE INDEX sessions_by_age ON banksman.sessions USING btree (ns, created_at, "left"(id, 100));
CREATE INDEX sessions_by_owner ON banksman.sessions USING btree (owner_key, created_at, "left"(id, 100));
CREATE INDEX sessions_by_parent ON banksman.sessions USING btree (parent_key) WHERE (parent_key IS NOT NULL);
CREATE INDEX sessions_unfinished ON banksman.sessions USING btree (ns, "left"(id, 100)) WHERE unfinished;
CREATE INDEX turns_by_age ON banksman.turns USING btree (ns, created_at) WHERE (body <> 'null'::text);
