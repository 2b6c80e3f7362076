/**
 * Checks of what people write in a policy. Each names what was wrong, where, and what would be right; what is not
 * understood is never skipped.
 */
import { BanksmanError } from '../../core/errors.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { checkEach, checkTogether } from '../../core/support/mistakes.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'

export function throwInvalidPolicy(
  message: string,
  pointer: string,
  details: Record<string, unknown> = {},
): never {
  throw new BanksmanError('invalid_policy', message, { pointer, ...details })
}

/** The members of an object that has these keys and no others. */
export function checkKeys<K extends string>(
  value: unknown,
  keys: readonly K[],
  what: string,
  pointer: string,
): Partial<Record<K, unknown>> {
  if (!isObject(value)) {
    throwInvalidPolicy(
      `${what} must be an object with ${keys.join(', ')}; found ${describeValue(value)}`,
      pointer,
    )
  }
  const unknown = Object.keys(value).filter((key) => !(keys as readonly string[]).includes(key))
  checkEach(
    unknown.map((key) => () => unknownWord('key', key, keys, pointer + pointerStep(shortenWord(key)), what)),
  )
  return value as Partial<Record<K, unknown>>
}

type MemberChecks = Readonly<Record<string, (given: unknown, pointer: string) => unknown>>

/** The members of an object that has these keys and no others, each checked if it is there. Tells of every mistake in it. */
export function checkMembers<C extends MemberChecks>(
  value: unknown,
  checks: C,
  what: string,
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
  kind: string,
  word: string,
  allowed: readonly string[],
  pointer: string,
  what = 'the policy',
): never {
  const suggestion = nearestWord(word, allowed)
  const meant = suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`
  return throwInvalidPolicy(
    `unknown ${kind} ${JSON.stringify(shortenWord(word))} in ${what}; allowed are ${allowed.join(', ')}${meant}`,
    pointer,
    suggestion === undefined ? { allowed } : { allowed, suggestion },
  )
}

/** One of a closed set of words. */
export function checkWord<W extends string>(
  value: unknown,
  words: readonly W[],
  what: string,
  pointer: string,
): W {
  if (typeof value === 'string') {
    const found = words.find((word) => word === value)
    return found ?? unknownWord(what, value, words, pointer)
  }
  return throwInvalidPolicy(
    `${what} must be one of ${words.join(', ')}; found ${describeValue(value)}`,
    pointer,
    {
      allowed: words,
    },
  )
}

/** A text that is not empty, is not too long, and that UTF-8 can carry. */
export function checkText(value: unknown, what: string, pointer: string, limit = MAX_TEXT): string {
  if (typeof value !== 'string')
    throwInvalidPolicy(`${what} must be a text; found ${describeValue(value)}`, pointer)
  if (value.trim() === '') throwInvalidPolicy(`${what} is empty; leave it out, or write something`, pointer)
  if (value.length > limit) {
    throwInvalidPolicy(`${what} is ${value.length} characters long; the limit is ${limit}`, pointer)
  }
  if (!value.isWellFormed())
    throwInvalidPolicy(`${what} has a lone surrogate, which no UTF-8 can carry`, pointer)
  return value
}

/** Longer than any tool's name may be, which leaves room for stars. */
export const MAX_TEXT = 1000

export function checkList<T>(
  value: unknown,
  what: string,
  pointer: string,
  item: (entry: unknown, pointer: string) => T,
): T[] {
  if (!Array.isArray(value))
    throwInvalidPolicy(`${what} must be a list; found ${describeValue(value)}`, pointer)
  return checkEach(Array.from(value, (entry: unknown, index) => () => item(entry, `${pointer}/${index}`)))
}

/** One text, or several of which any will do. */
export function checkTexts(value: unknown, what: string, pointer: string): string[] {
  if (!Array.isArray(value)) return [checkText(value, what, pointer)]
  if (value.length === 0)
    throwInvalidPolicy(`${what} is an empty list, which nothing fits; leave it out`, pointer)
  return checkList(value, what, pointer, (entry, at) => checkText(entry, what, at))
}

export function shortenWord(word: string): string {
  return (word.length > 100 ? `${word.slice(0, 100)}…` : word).toWellFormed()
}

export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
