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
  const secrets = maskArguments(args).masks.flatMap(({ pointer, text: mask }) => {
    const secret = String(valueAt(args, pointer))
    // Reasons tell a command as it would be typed, and cut what they quote; enough of a secret to be recognised is
    // enough to be hidden.
    const forms = [quoteWord(secret), secret].flatMap((form) => [form, form.slice(0, SHOWN_OF_QUOTED)])
    return [...new Set(forms)].map((form) => ({ secret: form, mask }))
  })
  return (words, show) => withoutSecrets(words, show, secrets)
}

/** How much of a text the reading of a shell line repeats in a doubt, without its mark. */
const SHOWN_OF_QUOTED = 79

function withoutSecrets(
  words: string,
  show: (part: string) => string,
  [first, ...others]: readonly { secret: string; mask: string }[],
): string {
  if (first === undefined) return show(words)
  return words
    .split(first.secret)
    .map((part) => withoutSecrets(part, show, others))
    .join(first.mask)
}
