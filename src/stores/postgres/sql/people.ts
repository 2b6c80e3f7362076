/** The functions behind tokens, presence, deliveries and leases. */
export const PEOPLE_FUNCTIONS = `
  CREATE FUNCTION insert_token_v1(token jsonb) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    INSERT INTO tokens (id, secret_hash, use, expires_at, body)
    VALUES (token->>'id', token->>'secretHash', token->>'use', (token->>'expiresAt')::bigint, token->>'body');
  END $f$;

  CREATE FUNCTION create_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    PERFORM insert_token_v1(op->'token');
    RETURN append_entry_v1(in_ns, at_ms, op);
  END $f$;

  CREATE FUNCTION revoke_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE tokens t SET revoked_at = at_ms WHERE t.id = op->>'id' AND t.revoked_at IS NULL;
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $f$;

  CREATE FUNCTION exchange_token_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE tokens t SET revoked_at = at_ms WHERE t.id = op->>'id' AND t.use = 'login' AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > at_ms);
    IF NOT FOUND THEN
      RETURN '{"won":false}';
    END IF;
    PERFORM insert_token_v1(op->'token');
    RETURN append_entry_v1(in_ns, at_ms, op) || '{"won":true}';
  END $f$;

  -- Nobody is woken by a connection that goes on.
  CREATE FUNCTION renew_presence_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
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
  END $f$;

  CREATE FUNCTION leave_presence_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    DELETE FROM presence p WHERE p.key = inner_key_v1(in_ns, op->>'channel', op->>'connection');
    RETURN jsonb_build_object('wrote', FOUND);
  END $f$;

  CREATE FUNCTION take_deliveries_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
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
  END $f$;

  CREATE FUNCTION show_delivery_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE deliveries d SET shown_version = greatest(d.shown_version, (op->>'version')::integer), due_at = 0,
      attempts = 0, reference = coalesce(op->>'reference', d.reference)
    WHERE d.request = op->>'request' AND d.ns || '' = in_ns AND d.channel = op->>'channel'
      AND d.ticket = (op->>'ticket')::bigint;
    RETURN jsonb_build_object('won', FOUND, 'wrote', FOUND);
  END $f$;

  CREATE FUNCTION fail_delivery_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE deliveries d SET due_at = at_ms + (op->>'retryInMs')::bigint
    WHERE d.request = op->>'request' AND d.ns || '' = in_ns AND d.channel = op->>'channel'
      AND d.ticket = (op->>'ticket')::bigint;
    RETURN jsonb_build_object('won', FOUND, 'wrote', FOUND);
  END $f$;

  CREATE FUNCTION take_lease_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
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
  END $f$;

  CREATE FUNCTION release_lease_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  BEGIN
    DELETE FROM leases l WHERE l.key = key_v1(in_ns, op->>'name') AND l.holder = op->>'holder';
    RETURN jsonb_build_object('wrote', FOUND);
  END $f$;
`
