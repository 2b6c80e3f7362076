/**
 * The one function that writes: a batch of operations, in one statement, one transaction and one round trip.
 *
 * The lock on the namespace's row is taken first and the time is read after it, so the times of two commits are in the
 * order of the commits. Because the whole transaction is one statement, no client can hold the lock while it thinks,
 * or while it is stopped. Each operation runs in a subtransaction: one that fails, or that takes itself back, leaves its
 * neighbours alone. What is wrong with the server rather than with an operation ends the batch.
 *
 * `given_at` stands in for the clock in tests. The result is a list of results, in the order of the operations.
 */
const FIRST_OPERATIONS: Record<string, string> = {
  open: 'open_v1',
  record: 'record_v1',
  recordAll: 'record_all_v1',
  transition: 'transition_v1',
  endSessions: 'end_sessions_v1',
  appendEntry: 'append_entry_v1',
  appendTurn: 'append_turn_v1',
  revokeGrant: 'revoke_grant_v1',
  setMode: 'set_mode_v1',
  setSetting: 'set_setting_v1',
  eraseCalls: 'erase_calls_v1',
  eraseTurns: 'erase_turns_v1',
  createToken: 'create_token_v1',
  revokeToken: 'revoke_token_v1',
  exchangeToken: 'exchange_token_v1',
  renewPresence: 'renew_presence_v1',
  leavePresence: 'leave_presence_v1',
  takeDeliveries: 'take_deliveries_v1',
  showDelivery: 'show_delivery_v1',
  failDelivery: 'fail_delivery_v1',
  takeLease: 'take_lease_v1',
  releaseLease: 'release_lease_v1',
}

const SECOND_OPERATIONS: Record<string, string> = {
  ...FIRST_OPERATIONS,
  open: 'open_v2',
  record: 'record_v2',
  recordAll: 'record_all_v2',
  transition: 'transition_v2',
  endSessions: 'end_sessions_v2',
  changeHold: 'change_hold_v1',
  changeRecords: 'change_records_v1',
}

export const firstApply = (schema: string) => applyFunction(schema, 'apply_v1', FIRST_OPERATIONS)
export const secondApply = (schema: string) => applyFunction(schema, 'apply_v2', SECOND_OPERATIONS)

const dispatch = (operations: Record<string, string>) =>
  Object.entries(operations)
    .map(([name, call]) => `WHEN '${name}' THEN ${call}(in_ns, at_ms, op)`)
    .join('\n          ')

/** `schema` is the name as SQL writes it, quoted. */
const applyFunction = (schema: string, name: string, operations: Record<string, string>): string => `
  CREATE FUNCTION ${name}(in_ns text, origin text, channel text, ops jsonb, given_at bigint) RETURNS jsonb
  LANGUAGE plpgsql SET search_path = pg_catalog, ${schema}, pg_temp AS $f$
  DECLARE
    at_ms bigint;
    op jsonb;
    result jsonb;
    results jsonb[] := '{}';
    detail text;
    wrote boolean := false;
    -- Of the requests any may have changed, not only those in \`ids\`.
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
          ${dispatch(operations)}
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
  END $f$;
`
