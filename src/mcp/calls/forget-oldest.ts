/** Keeps a list of what was said or asked from growing for as long as a client lives: those that were put in first are forgotten. */
export function forgetOldest<T>(
  kept: { size: number; keys(): Iterable<T>; delete(key: T): unknown },
  most: number,
  onForget: (key: T) => void = () => {},
): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(key)
    onForget(key)
  }
}
