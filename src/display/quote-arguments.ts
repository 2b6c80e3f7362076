/**
 * Words of ours that may quote a call, such as the reason of a verdict: hidden characters are written out, and a secret
 * among the arguments stands as its mask (P9).
 */
import type { JsonObject } from '../core/json.ts'
import { maskArguments } from './mask.ts'
import { valueAt } from './pointer.ts'
import { makeVisibleWithin } from './shorten.ts'

export type QuoteArguments = (words: string, limit: number) => string

/** For several texts about the same arguments. */
export function createQuotes(args: JsonObject): QuoteArguments {
  const secrets = maskArguments(args).masks.flatMap(({ pointer, text: mask }) => {
    const secret = String(valueAt(args, pointer))
    // Reasons cut what they quote; enough of a secret to be recognised is enough to be hidden.
    const cut = secret.slice(0, SHOWN_OF_QUOTED)
    return cut === secret
      ? [{ secret, mask }]
      : [
          { secret, mask },
          { secret: cut, mask },
        ]
  })
  return (words, limit) => withoutSecrets(words, limit, secrets)
}

/** How much of a text the reading of a shell line repeats in a doubt, without its mark. */
const SHOWN_OF_QUOTED = 79

function withoutSecrets(
  words: string,
  limit: number,
  [first, ...others]: readonly { secret: string; mask: string }[],
): string {
  if (first === undefined) return makeVisibleWithin(words, limit).value.text
  return words
    .split(first.secret)
    .map((part) => withoutSecrets(part, limit, others))
    .join(first.mask)
}
