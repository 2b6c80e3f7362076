/**
 * Words of ours that may quote a call, such as the reason of a verdict: hidden characters are written out, and a secret
 * among the arguments stands as its mask (P9).
 */
import type { JsonObject } from '../core/json.ts'
import { quoteWord } from '../core/quote-word.ts'
import { maskArguments } from './mask.ts'
import { valueAt } from './pointer.ts'
import { makeVisibleWithin } from './shorten.ts'

export type QuoteArguments = (words: string, limit: number) => string

/** `show` is for what stands between the masks. */
export type CoverSecrets = (words: string, show: (part: string) => string) => string

/** For several texts about the same arguments. */
export function createQuotes(args: JsonObject): QuoteArguments {
  const cover = createCover(args)
  return (words, limit) => cover(words, (part) => makeVisibleWithin(part, limit).value.text)
}

/** For what must stay as it is but for the secrets, such as the values that a tool's schema lists. */
export function createCover(args: JsonObject): CoverSecrets {
  const masks = new Map<string, string>()
  for (const { pointer, text } of maskArguments(args).masks) {
    const secret = String(valueAt(args, pointer))
    // Reasons tell a command as it would be typed, and cut what they quote; enough of a secret to be recognised is
    // enough to be hidden.
    for (const form of [quoteWord(secret), secret].flatMap((one) => [one, one.slice(0, SHOWN_OF_QUOTED)])) {
      if (!masks.has(form)) masks.set(form, text)
    }
  }
  const finder = createFinder(masks)
  return (words, show) => {
    if (finder === undefined) return show(words)
    let shown = ''
    let from = 0
    for (let at = 0; at < words.length; at++) {
      const secret = finder(words, at)
      if (secret === undefined) continue
      if (at > from) shown += show(words.slice(from, at))
      shown += masks.get(secret) ?? ''
      from = at + secret.length
      at = from - 1
    }
    return from < words.length || from === 0 ? shown + show(words.slice(from)) : shown
  }
}

/** How much of a text the reading of a shell line repeats in a doubt, without its mark. */
const SHOWN_OF_QUOTED = 79

/**
 * The longest secret that stands at a place. A call may hold tens of thousands of them, so they are not tried one after
 * the other: few have the same beginning, and those of one length are looked up at once.
 */
function createFinder(
  secrets: ReadonlyMap<string, string>,
): ((words: string, at: number) => string | undefined) | undefined {
  let shortest = Number.POSITIVE_INFINITY
  for (const { length } of secrets.keys()) if (length > 0) shortest = Math.min(shortest, length)
  if (shortest === Number.POSITIVE_INFINITY) return undefined
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
  return (words, at) => {
    for (const length of longestFirst.get(words.slice(at, at + shortest)) ?? []) {
      const found = words.slice(at, at + length)
      if (secrets.has(found)) return found
    }
    return undefined
  }
}
