/**
 * Secrets in a text that is no call, such as a configuration file: each is shown as the same kind of mask that stands in
 * arguments, and all else is made visible (P9). What counts as a secret is what `secrets.ts` says; a value that may be a
 * command, a host or a path is never covered, so that nothing hides behind a mask that somebody is to agree to.
 *
 * The lines stay where they are. Texts that are shown side by side share their masks: the same secret has the same mask
 * in both, and another one of its kind and length has another, so that a secret that was swapped is seen to differ.
 */

import { digestOf } from '../../core/digest.ts'
import { groupDigits } from '../text/shorten.ts'
import { CLOSING_BRACKET, makeVisible, OPENING_BRACKET } from '../text/visible.ts'
import { type SecretKind, secretKindOf } from './secret-kind.ts'

export type MaskText = (text: string) => string

/** One for all texts that are shown together. */
export function createTextMasks(): MaskText {
  const masks = new Map<string, string>()
  const counts = new Map<string, number>()

  const maskOf = (secret: string, kind: SecretKind): string => {
    const known = masks.get(secret)
    if (known !== undefined) return known
    const shape = `${kind} ${secret.length}`
    const count = (counts.get(shape) ?? 0) + 1
    counts.set(shape, count)
    const mask = `${OPENING_BRACKET}masked: ${kind}${count === 1 ? '' : ` #${count}`}, ${groupDigits(secret.length)} characters${CLOSING_BRACKET}`
    masks.set(secret, mask)
    return mask
  }

  return (text) => {
    const parts: string[] = []
    let from = 0
    for (const { start, end, kind } of secretsIn(text)) {
      const secret = text.slice(start, end)
      const lineBreaks = secret.split('\n').length - 1
      parts.push(visibleLines(text.slice(from, start)), maskOf(secret, kind), '\n'.repeat(lineBreaks))
      from = end
    }
    return [...parts, visibleLines(text.slice(from))].join('')
  }
}

/**
 * The text with plain words in place of its secrets and nothing else changed, for a text that is read further before it is shown, such as JSON. The end of
 * each mask is taken from the secret, so that one that was swapped is seen to differ.
 */
export function withPlainMasks(text: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, kind } of secretsIn(text)) {
    const mark = digestOf(text.slice(start, end)).slice(0, 4)
    parts.push(text.slice(from, start), `[masked: ${kind}, ${end - start} characters, ${mark}]`)
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

/**
 * The text with a plain word of the same length in place of each mask, for a reader that has no use for what is under it.
 * Nobody gets at a secret by writing a mask: what it stood for is not put back.
 */
export function withoutMasks(text: string): string {
  return text.replaceAll(MASK, (mask) => 'masked'.padEnd(mask.length, 'x'))
}

const MASK = new RegExp(
  `${OPENING_BRACKET}masked: [^${OPENING_BRACKET}${CLOSING_BRACKET}\\n]{1,100}${CLOSING_BRACKET}`,
  'g',
)

interface MaskedPlace {
  start: number
  end: number
  kind: SecretKind
}

/** In order, none inside another. */
function secretsIn(text: string): MaskedPlace[] {
  const found = [...keyBlocks(text), ...named(text), ...words(text)].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  )
  const places: MaskedPlace[] = []
  for (const place of found) if (place.start >= (places.at(-1)?.end ?? 0)) places.push(place)
  return places
}

/** Indented, or with its line breaks written out. */
const KEY_BLOCK =
  /-----BEGIN ((?:[A-Z]{2,9} )?PRIVATE KEY)-----(?:\s|\\r|\\n)+(?:[A-Za-z0-9+/=]+(?:\s|\\r|\\n)+){1,400}-----END \1-----/g

function keyBlocks(text: string): MaskedPlace[] {
  return [...text.matchAll(KEY_BLOCK)].map(({ 0: block, index }) => ({
    start: index,
    end: index + block.length,
    kind: 'private key',
  }))
}

/** What stands after a name: `api_token: …`, `"authorization": "Bearer …"`, `TOKEN=…`. */
const NAMED = /(?<![\w.-])([\w.-]{1,100})["']?[ \t]*[:=][ \t]*["']?((?:[Bb]earer |[Tt]oken )?[\w.+=-]{12,})/g

function named(text: string): MaskedPlace[] {
  return [...text.matchAll(NAMED)].flatMap(({ 0: whole, 1: name = '', 2: value = '', index }) => {
    const kind = secretKindOf(value, name)
    const end = index + whole.length
    return kind === undefined ? [] : [{ start: end - value.length, end, kind }]
  })
}

/** What is a secret by its own shape, wherever it stands. */
const WORD = /[A-Za-z0-9_.+=-]{12,}/g

function words(text: string): MaskedPlace[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const kind = secretKindOf(word, '')
    return kind === undefined ? [] : [{ start: index, end: index + word.length, kind }]
  })
}

/** Line by line, so that no run of line breaks is written out in place of itself. */
function visibleLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => makeVisible(line, { lines: 'keep' }).text)
    .join('\n')
}
