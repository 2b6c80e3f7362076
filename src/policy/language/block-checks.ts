/**
 * Checks of what people write in a policy. Each names what was wrong, where, and what would be right; what is not
 * understood is never skipped.
 */
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { checkEach, checkTogether } from '../../core/support/mistakes.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'

export function throwInvalidPolicy(
  reason: Reason,
  pointer: string,
  details: Record<string, unknown> = {},
): never {
  throw reasonedError('invalid_policy', reason, { pointer, ...details })
}

/** The members of an object that has these keys and no others. */
export function checkKeys<K extends string>(
  value: unknown,
  keys: readonly K[],
  what: ReasonValue,
  pointer: string,
): Partial<Record<K, unknown>> {
  if (!isObject(value)) {
    throwInvalidPolicy(reasonOf('wrong.object', { what, keys, found: describeValue(value) }), pointer)
  }
  const unknown = Object.keys(value).filter((key) => !(keys as readonly string[]).includes(key))
  checkEach(
    unknown.map(
      (key) => () =>
        unknownWord(reasonOf('what.key'), key, keys, pointer + pointerStep(shortenWord(key)), what),
    ),
  )
  return value as Partial<Record<K, unknown>>
}

type MemberChecks = Readonly<Record<string, (given: unknown, pointer: string) => unknown>>

/** The members of an object that has these keys and no others, each checked if it is there. Tells of every mistake in it. */
export function checkMembers<C extends MemberChecks>(
  value: unknown,
  checks: C,
  what: ReasonValue,
  at: string,
): { [K in keyof C]?: ReturnType<C[K]> } {
  const keys = Object.keys(checks)
  // What is no object has no members to look at.
  const given = isObject(value) ? value : checkKeys(value, keys, what, at)
  const written = keys.filter((key) => given[key] !== undefined)
  const [, found] = checkTogether(
    () => checkKeys(value, keys, what, at),
    () => checkEach(written.map((key) => () => [key, checks[key]!(given[key], `${at}/${key}`)] as const)),
  )
  return Object.fromEntries(found) as { [K in keyof C]?: ReturnType<C[K]> }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function unknownWord(
  kind: ReasonValue,
  word: string,
  allowed: readonly string[],
  pointer: string,
  what: ReasonValue = reasonOf('what.policy'),
): never {
  const suggestion = nearestWord(word, allowed)
  const why = reasonOf('wrong.unknown', { kind, word: JSON.stringify(shortenWord(word)), what, allowed })
  return suggestion === undefined
    ? throwInvalidPolicy(why, pointer, { allowed })
    : throwInvalidPolicy(withNear(why, suggestion), pointer, { allowed, suggestion })
}

/** With what was probably meant. */
export function withNear(why: Reason, near: string): Reason {
  return reasonOf('did-you-mean', { why, near: JSON.stringify(near) })
}

/** One of a closed set of words. */
export function checkWord<W extends string>(
  value: unknown,
  words: readonly W[],
  what: ReasonValue,
  pointer: string,
): W {
  if (typeof value === 'string') {
    const found = words.find((word) => word === value)
    return found ?? unknownWord(what, value, words, pointer)
  }
  return throwInvalidPolicy(
    reasonOf('wrong.word', { what, allowed: words, found: describeValue(value) }),
    pointer,
    {
      allowed: words,
    },
  )
}

/** A text that is not empty, is not too long, and that UTF-8 can carry. */
export function checkText(value: unknown, what: ReasonValue, pointer: string, limit = MAX_TEXT): string {
  if (typeof value !== 'string')
    throwInvalidPolicy(reasonOf('wrong.text', { what, found: describeValue(value) }), pointer)
  if (value.trim() === '') throwInvalidPolicy(reasonOf('wrong.empty', { what }), pointer)
  if (value.length > limit) {
    throwInvalidPolicy(reasonOf('wrong.long', { what, length: value.length, limit }), pointer)
  }
  if (!value.isWellFormed()) throwInvalidPolicy(reasonOf('wrong.surrogate', { what }), pointer)
  return value
}

/** Longer than any tool's name may be, which leaves room for stars. */
export const MAX_TEXT = 1000

export function checkList<T>(
  value: unknown,
  what: ReasonValue,
  pointer: string,
  item: (entry: unknown, pointer: string) => T,
): T[] {
  if (!Array.isArray(value))
    throwInvalidPolicy(reasonOf('wrong.list', { what, found: describeValue(value) }), pointer)
  return checkEach(Array.from(value, (entry: unknown, index) => () => item(entry, `${pointer}/${index}`)))
}

/** One text, or several of which any will do. */
export function checkTexts(value: unknown, what: ReasonValue, pointer: string): string[] {
  if (!Array.isArray(value)) return [checkText(value, what, pointer)]
  if (value.length === 0) throwInvalidPolicy(reasonOf('wrong.empty-texts', { what }), pointer)
  return checkList(value, what, pointer, (entry, at) => checkText(entry, what, at))
}

export function shortenWord(word: string): string {
  return (word.length > 100 ? `${word.slice(0, 100)}…` : word).toWellFormed()
}

export function describeValue(value: unknown): Reason {
  if (value === null || value === undefined) return reasonOf('found.nothing')
  if (Array.isArray(value)) return reasonOf('found.list')
  const kind = typeof value
  const isNamed = kind === 'object' || kind === 'string' || kind === 'number' || kind === 'boolean'
  return reasonOf(isNamed ? `found.${kind}` : 'found.other')
}
