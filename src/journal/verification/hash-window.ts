/**
 * The hashes of the newest entries of a chain while it is read, so that what a later entry says of an earlier
 * one can be compared.
 *
 * It is bounded: a vouching entry lies at most some group commits behind. An entry that vouches for something
 * older is not compared, which is honest, because then it does not count as vouching either.
 */
import { bodyHash, type ChainHead, extendHead, genesis } from '../entry.ts'

export interface HashWindow {
  /** Takes the next entry. Numbers go up; some may be missing. */
  append(n: number, body: string): void
  at(n: number): 'forgotten' | 'unknown' | { hash: string }
  /** Goes on from what was said about entry n, and makes the hashes of the entries after it anew from there. */
  adopt(head: ChainHead): void
  /** The newest head, unless a gap before it keeps it from being known. */
  head(): ChainHead | undefined
  /** Forgets all but the head. */
  shrink(): void
}

/** Some thousands of group commits' entries; about two megabytes. */
const WINDOW_SIZE = 8192

interface HashPair {
  hashOfBody: string | undefined
  hash: string | undefined
}

export function createHashWindow(chain: string, size: number = WINDOW_SIZE): HashWindow {
  const links = new Map<number, HashPair>()
  const start = genesis(chain)
  let newest = 0
  let oldest = 0

  const hashOf = (n: number) => (n === 0 ? start.hash : links.get(n)?.hash)
  const extend = (n: number, hashOfBody: string) => {
    const before = hashOf(n - 1)
    return before === undefined ? undefined : extendHead({ n: n - 1, hash: before }, hashOfBody).hash
  }

  return {
    append(n, body) {
      const hashOfBody = bodyHash(body)
      links.set(n, { hashOfBody, hash: extend(n, hashOfBody) })
      newest = n
      oldest = Math.max(oldest, newest - size)
      for (const old of links.keys()) {
        if (old >= oldest) break
        links.delete(old)
      }
    },
    at(n) {
      if (n < oldest) return 'forgotten'
      const hash = hashOf(n)
      return hash === undefined ? 'unknown' : { hash }
    },
    adopt(head) {
      links.set(head.n, { hashOfBody: links.get(head.n)?.hashOfBody, hash: head.hash })
      for (let n = head.n + 1; n <= newest; n++) {
        const link = links.get(n)
        if (link?.hashOfBody === undefined) break
        link.hash = extend(n, link.hashOfBody)
      }
    },
    head() {
      const hash = hashOf(newest)
      return hash === undefined ? undefined : { n: newest, hash }
    },
    shrink() {
      const link = links.get(newest)
      links.clear()
      if (link !== undefined) links.set(newest, link)
      oldest = newest
    },
  }
}
