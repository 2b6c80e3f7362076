/** Times go over the wire as ISO 8601, in UTC. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
