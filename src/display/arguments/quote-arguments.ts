/**
 * Words of ours that may quote a call, such as the reason of a verdict: hidden characters are written out, and a secret
 * among the arguments stands as its mask (P9).
 *
 * A value that is hidden because of its name may be any word. It is covered only where a value is quoted as one, or is
 * the whole of the words: otherwise whoever writes `token: "push"` would have `git push` covered in the reason.
 *
 * A call may hold tens of thousands of both, so they are never tried one after the other.
 */
import { quoteWord } from '../../core/support/quote-word.ts'
import { valueAt } from '../masks/json-pointer.ts'
import type { MaskedArguments } from '../masks/mask.ts'
import { makeVisibleWithin } from '../text/shorten.ts'

export type QuoteArguments = (words: string, limit: number) => string

/** `show` is for what stands between the masks. */
export type CoverSecrets = (words: string, show: (part: string) => string) => string

/** For reasons, which quote commands, paths and addresses, and no other values. For several texts about the same arguments. */
export function createQuotes(masked: MaskedArguments): QuoteArguments {
  const find = once(() => createFinder(secretsByShape(masked)))
  return (words, limit) => covered(words, (part) => visibleWithin(part, limit), find()(words))
}

/** For words that quote any value: what a grant goes by, what a schema has against an edit. */
export function createValueQuotes(masked: MaskedArguments): QuoteArguments {
  const cover = createSecretCover(masked)
  return (words, limit) => cover(words, (part) => visibleWithin(part, limit))
}

/** For what must stay as it is but for the secrets, such as the values that a tool's schema lists. */
export function createSecretCover(masked: MaskedArguments): CoverSecrets {
  const finders = once(() => {
    const { named, quoted } = secretsByName(masked)
    return {
      named,
      find: createFinder(secretsByShape(masked)),
      findQuoted: createQuotedFinder(quoted),
    }
  })
  return (words, show) => {
    const { named, find, findQuoted } = finders()
    const [plain, inQuotes] = [find(words), findQuoted(words)]
    return named.get(words) ?? covered(words, show, (at) => inQuotes(at) ?? plain(at))
  }
}

/** There is often nothing to be quoted in the end. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** As they may stand in the words, each with its mask. */
function secretsByShape({ args, masks }: MaskedArguments): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  for (const { pointer, text, name } of masks) {
    if (name !== undefined) continue
    const value = String(valueAt(args, pointer))
    // Reasons tell a command as it would be typed, and cut what they quote; enough of a secret to be recognised is
    // enough to be hidden.
    for (const form of [quoteWord(value), value]) {
      addNew(secrets, form, text)
      addNew(secrets, form.slice(0, SHOWN_OF_QUOTED), text)
    }
  }
  return secrets
}

/** What is hidden because of its name, each with its mask: as it is, and in quotes. */
function secretsByName({ args, masks }: MaskedArguments) {
  const named = new Map<string, string>()
  const quoted = new Map<string, string>()
  for (const { pointer, text, name } of masks) {
    if (name === undefined) continue
    const value = String(valueAt(args, pointer))
    addNew(named, value, text)
    addNew(quoted, JSON.stringify(value), text)
  }
  return { named, quoted }
}

function addNew(to: Map<string, string>, form: string, mask: string): void {
  if (!to.has(form)) to.set(form, mask)
}

/** How much of a text the reading of a shell line repeats in a doubt, without its mark. */
const SHOWN_OF_QUOTED = 79

function visibleWithin(part: string, limit: number): string {
  return makeVisibleWithin(part, limit).value.text
}

interface FoundSecret {
  length: number
  mask: string
}

/** What stands at a place of some words. */
type FindAt = (at: number) => FoundSecret | undefined

function covered(words: string, show: (part: string) => string, find: FindAt): string {
  let shown = ''
  let from = 0
  for (let at = 0; at < words.length; at++) {
    const found = find(at)
    if (found === undefined) continue
    if (at > from) shown += show(words.slice(from, at))
    shown += found.mask
    from = at + found.length
    at = from - 1
  }
  return from < words.length || from === 0 ? shown + show(words.slice(from)) : shown
}

const NOTHING: FindAt = () => undefined

/** The longest that stands at a place. Few have the same beginning, and those of one length are looked up at once. */
function createFinder(secrets: ReadonlyMap<string, string>): (words: string) => FindAt {
  let shortest = Number.POSITIVE_INFINITY
  for (const { length } of secrets.keys()) if (length > 0) shortest = Math.min(shortest, length)
  if (shortest === Number.POSITIVE_INFINITY) return () => NOTHING
  const lengths = new Map<string, Set<number>>()
  for (const secret of secrets.keys()) {
    const beginning = secret.slice(0, shortest)
    const known = lengths.get(beginning)
    if (known === undefined) lengths.set(beginning, new Set([secret.length]))
    else known.add(secret.length)
  }
  const longestFirst = new Map(
    [...lengths].map(([beginning, all]) => [beginning, [...all].sort((one, other) => other - one)]),
  )
  return (words) => (at) => {
    for (const length of longestFirst.get(words.slice(at, at + shortest)) ?? []) {
      const mask = secrets.get(words.slice(at, at + length))
      if (mask !== undefined) return { length, mask }
    }
    return undefined
  }
}

/** By where the quotes end: of names there may be values of every length with the same beginning. */
function createQuotedFinder(quoted: ReadonlyMap<string, string>): (words: string) => FindAt {
  if (quoted.size === 0) return () => NOTHING
  const lengths = new Set([...quoted.keys()].map(({ length }) => length))
  return (words) => {
    const ends = closingQuotes(words)
    let next = 0
    return (at) => {
      if (words[at] !== '"') return undefined
      while (next < ends.length && ends[next]! <= at) next++
      const end = ends[next]
      const length = end === undefined ? 0 : end + 1 - at
      const mask = lengths.has(length) ? quoted.get(words.slice(at, at + length)) : undefined
      return mask === undefined ? undefined : { length, mask }
    }
  }
}

/** The quotes that no backslash stands before, or that only backslashes written as two do. */
function closingQuotes(words: string): number[] {
  const ends: number[] = []
  let isEscaped = false
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '"' && !isEscaped) ends.push(at)
    isEscaped = words[at] === '\\' && !isEscaped
  }
  return ends
}
