/** Turns of a session are `t1`, `t2`, … in the order in which they began. 0 for none. */
export function turnNumber(turn: string | undefined): number {
  return turn === undefined ? 0 : Number(turn.slice(1)) || 0
}

/** Those that a process may have left, the newest ones. */
export function turnsAfter(seen: string | undefined, newest: string, most: number): string[] {
  const last = turnNumber(newest)
  const first = Math.max(turnNumber(seen) + 1, last - most + 1)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `t${first + index}`)
}
