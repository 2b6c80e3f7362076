/**
 * Reads that are made all the time. A function keeps its plan for as long as the connection lives; a statement without a
 * name is planned anew each time, which takes longer than these take themselves, and one with a name can't go through a
 * transaction pooler.
 */

/** Of requests `r` and their calls `c`. */
export const REQUEST_COLUMNS = `r.id, r.state, r.version, r.deadline, r.sort_at, r.progress, r.created_at, c.session, c.call_id,
  c.tool, c.digest, c.because, c.policy_version, c.submitted_by, c.draft, c.bytes, c.commitment_key`

export function readFunctions(schema: string): string {
  return `
  CREATE FUNCTION find_requests_v1(in_ns text, ids text[]) RETURNS TABLE (
    id text, state text, version integer, deadline bigint, sort_at bigint, progress text, created_at bigint,
    session text, call_id text, tool text, digest text, because text, policy_version text, submitted_by text,
    draft text, bytes text, commitment_key text
  ) LANGUAGE plpgsql STABLE AS $f$
  #variable_conflict use_column
  DECLARE
    one text;
  BEGIN
    -- One by one: a plan for a list, made while the table is empty, is a walk over all of it.
    FOREACH one IN ARRAY ids LOOP
      RETURN QUERY SELECT ${REQUEST_COLUMNS} FROM ${schema}.requests r
        JOIN ${schema}.calls c ON c.ns = r.ns AND c.seq = r.seq WHERE r.id = one AND r.ns || '' = in_ns;
    END LOOP;
  END $f$;

  -- In one statement, so that all of it comes of the same moment.
  CREATE FUNCTION lookup_v1(in_ns text, session text, call text, tool text) RETURNS TABLE (
    granted boolean, id text, owner text, owner_role text, parent text, mode text, created_at bigint,
    ended_at bigint, ended_by text, ended_reason text, digest text, verdict text, because text, request text
  ) LANGUAGE plpgsql STABLE AS $f$
  #variable_conflict use_column
  DECLARE
    of_session bytea := ${schema}.key_v1(in_ns, session);
    of_call bytea := ${schema}.inner_key_v1(in_ns, session, call);
    of_tool bytea := ${schema}.key_v1(in_ns, tool);
  BEGIN
    RETURN QUERY SELECT EXISTS (SELECT 1 FROM ${schema}.grants g WHERE g.tool_key = of_tool),
      s.id, s.owner, s.owner_role, s.parent, s.mode, s.created_at, s.ended_at, s.ended_by, s.ended_reason,
      c.digest, c.verdict, c.because, c.request
      FROM (SELECT 1) one LEFT JOIN ${schema}.sessions s ON s.key = of_session
      LEFT JOIN ${schema}.calls c ON c.key = of_call;
  END $f$;
  `
}
