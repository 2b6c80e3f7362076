/** One page of a list. Written by hand, unlike its neighbours: generated types have no parameters. */
export interface WirePage<T> {
  items: T[]
  /** Where the next page begins; absent on the last. */
  cursor?: string
}
