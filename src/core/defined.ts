/** Optional members are left out where there is nothing to say: on the wire and in the store, absent and undefined differ. */
export type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The members that are not undefined: `{ id, ...defined({ reason }) }`. */
export function defined<T extends object>(members: T): Defined<T> {
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value
  return found as Defined<T>
}
