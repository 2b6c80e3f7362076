/** The same function, whose answer is worked out once for each object and kept as long as that. */
export function kept<K extends object, V, R extends unknown[] = []>(
  make: (key: K, ...rest: R) => V,
): (key: K, ...rest: R) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key, ...rest) => {
    const already = known.get(key)
    if (already !== undefined) return already.value
    const value = make(key, ...rest)
    known.set(key, { value })
    return value
  }
}
