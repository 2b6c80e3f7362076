/**
 * Erases what is old without holding up the server: it looks at a bounded number at a time, and a script erases a bounded
 * number, with an entry that says how many. What changed between the look and the script is looked at again.
 */
export interface Erasure<T> {
  limit: number
  /** Looks at so many after the place, which is `-` at the start; `last` is empty where there is nothing more. */
  look(after: string, most: number): Promise<{ last: string; found: T[] }>
  /** False, and nothing was erased, where one of them had changed meanwhile. */
  erase(found: T[]): Promise<boolean>
}

const LOOK_AT = 500
const MOST_AT_ONCE = 500
/** What is old hardly ever changes; whoever comes too late so often leaves the rest for the next time. */
const TRIES = 5

export async function eraseInSteps<T>({ limit, look, erase }: Erasure<T>): Promise<number> {
  let erased = 0
  let tries = 0
  let after = '-'
  while (erased < limit && tries < TRIES) {
    const { last, found } = await look(after, LOOK_AT)
    if (last === '') break
    const some = found.slice(0, Math.min(limit - erased, MOST_AT_ONCE))
    if (some.length > 0 && !(await erase(some))) {
      tries++
      continue
    }
    erased += some.length
    after = `(${last}`
  }
  return erased
}
