/** The order of a list in which nothing moves under a finger: what is shown keeps its place, and what is new comes on top. */

export interface KeptPlaces<Row> {
  arrange(rows: readonly Row[]): Row[]
  /** The newest activity first again, from the next time on. */
  forget(): void
}

export function createKeptPlaces<Row extends { id: string }>(
  activityOf: (row: Row) => number,
): KeptPlaces<Row> {
  let order: readonly string[] = []
  return {
    arrange(rows) {
      const byActivity = rows.toSorted((one, other) => activityOf(other) - activityOf(one))
      const known = new Set(order)
      order = [...byActivity.filter(({ id }) => !known.has(id)).map(({ id }) => id), ...order]
      const places = new Map(order.map((id, place) => [id, place]))
      return rows.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!)
    },
    forget() {
      order = []
    },
  }
}
