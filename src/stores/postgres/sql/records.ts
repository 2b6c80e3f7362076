/**
 * Records. Their names are short enough to be keys as they are. No condition that finds one row fits the index by their end, and
 * the other way round: see `tables.ts`.
 */
export const RECORD_FUNCTIONS = `
  -- Records that were deleted keep no version, so versions come from a sequence of their own.
  CREATE SEQUENCE record_versions;
  CREATE TABLE records (
    ns text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL,
    version bigint NOT NULL, expires_at bigint,
    PRIMARY KEY (kind, ns, key)
  ) WITH (fillfactor = 80);
  CREATE INDEX records_by_end ON records (ns, expires_at) WHERE expires_at IS NOT NULL;

  -- All or nothing. It is told which have lost, by their places; the client reads what they are.
  CREATE FUNCTION change_records_v1(in_ns text, at_ms bigint, op jsonb) RETURNS jsonb LANGUAGE plpgsql AS $f$
  DECLARE
    change jsonb;
    place integer := 0;
    found_version bigint;
    lost integer[] := '{}';
    versions bigint[] := '{}';
    old record;
  BEGIN
    FOR change IN SELECT value FROM jsonb_array_elements(op->'records') LOOP
      SELECT r.version INTO found_version FROM records r WHERE r.kind = change->>'kind' AND r.ns = in_ns
        AND r.key = change->>'key' AND (r.expires_at IS NULL OR r.expires_at > at_ms);
      IF change ? 'twice' OR coalesce(found_version, 0) <> (change->>'version')::bigint THEN
        lost := lost || place;
      END IF;
      place := place + 1;
    END LOOP;
    IF cardinality(lost) > 0 THEN
      RETURN jsonb_build_object('won', false, 'lost', to_jsonb(lost));
    END IF;
    -- So many a change: what is left comes with the next ones.
    FOR old IN SELECT r.kind, r.key FROM records r WHERE r.ns = in_ns AND r.expires_at <= at_ms
               ORDER BY r.expires_at LIMIT 100 LOOP
      DELETE FROM records r WHERE r.kind = old.kind AND r.ns = in_ns AND r.key = old.key;
    END LOOP;
    FOR change IN SELECT value FROM jsonb_array_elements(op->'records') LOOP
      IF change ? 'value' THEN
        versions := versions || nextval('record_versions');
        INSERT INTO records (ns, kind, key, value, version, expires_at)
        VALUES (in_ns, change->>'kind', change->>'key', change->>'value', versions[cardinality(versions)],
          at_ms + (change->>'expiresInMs')::bigint)
        ON CONFLICT (kind, ns, key) DO UPDATE SET value = excluded.value, version = excluded.version,
          expires_at = excluded.expires_at;
      ELSE
        versions := versions || 0::bigint;
        DELETE FROM records r WHERE r.kind = change->>'kind' AND r.ns = in_ns AND r.key = change->>'key';
      END IF;
    END LOOP;
    RETURN CASE WHEN op ? 'entry' THEN append_entry_v1(in_ns, at_ms, op) ELSE '{"wrote":true}' END
      || jsonb_build_object('won', true, 'versions', to_jsonb(versions));
  END $f$;
`
