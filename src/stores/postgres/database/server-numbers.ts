/** Times and counts as the server takes them. */

/** The server's time in milliseconds, or the parameter where it is not null. It stands still within a statement. */
export function nowOr(parameter: string): string {
  return `coalesce(${parameter}::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)`
}

/** A number that the server takes as one of its own. */
export function toServerNumber(value: number): number {
  const bound = Number.MAX_SAFE_INTEGER
  return Number.isNaN(value) ? 0 : Math.max(-bound, Math.min(bound, Math.floor(value)))
}
