/**
 * Checks the value under `policy:`. A policy that is not understood in full is refused as a whole: a misspelt
 * `deny` that was skipped would allow.
 */
import { BanksmanError } from '../core/errors.ts'
import { pointerStep } from '../core/json.ts'
import { nearestWord } from './nearest-word.ts'

export type Mode = 'default' | 'dontAsk' | 'bypass'

export const MODES: readonly Mode[] = ['default', 'dontAsk', 'bypass']

/** The block after it was checked. Lists that were not there are empty. */
export interface PolicyBlock {
  mode: Mode
  deny: string[]
  ask: string[]
  allow: string[]
  reason: string | undefined
}

const KEYS = ['mode', 'deny', 'ask', 'allow', 'reason'] as const
const MAX_REASON = 1000
/** Longer than any tool's name may be, which leaves room for stars. */
const MAX_PATTERN = 1000

export function checkPolicyBlock(block: unknown): PolicyBlock {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    invalid(`the policy must be an object with ${KEYS.join(', ')}; found ${describe(block)}`, '')
  }
  for (const key of Object.keys(block)) {
    if (!(KEYS as readonly string[]).includes(key)) unknown('key', key, KEYS, pointerStep(shortened(key)))
  }
  const { mode = 'default', deny = [], ask = [], allow = [], reason } = block as Record<string, unknown>
  return {
    mode: checkMode(mode),
    deny: checkList(deny, 'deny'),
    ask: checkList(ask, 'ask'),
    allow: checkList(allow, 'allow'),
    reason: reason === undefined ? undefined : checkReason(reason),
  }
}

export function isMode(value: unknown): value is Mode {
  return (MODES as readonly unknown[]).includes(value)
}

function checkMode(value: unknown): Mode {
  if (isMode(value)) return value
  if (typeof value === 'string') return unknown('mode', value, MODES, '/mode')
  return invalid(`mode must be one of ${MODES.join(', ')}; found ${describe(value)}`, '/mode', {
    allowed: MODES,
  })
}

function checkList(value: unknown, key: string): string[] {
  if (!Array.isArray(value)) {
    invalid(`${key} must be a list of tool names, [] for none; found ${describe(value)}`, `/${key}`)
  }
  return Array.from(value, (entry: unknown, index) => checkPattern(entry, key, index))
}

function checkPattern(value: unknown, key: string, index: number): string {
  const at = `${key}[${index}]`
  const pointer = `/${key}/${index}`
  if (typeof value !== 'string')
    invalid(`${at} must be a tool's name, * for anything; found ${describe(value)}`, pointer)
  if (value === '')
    invalid(`${at} is empty and would match no tool; write its name, or "*" for every tool`, pointer)
  if (value.length > MAX_PATTERN)
    invalid(`${at} is ${value.length} characters long; the limit is ${MAX_PATTERN}`, pointer)
  if (!value.isWellFormed()) invalid(`${at} has a lone surrogate, which no tool's name has`, pointer)
  if (/[()]/.test(value)) {
    invalid(
      `${at} ${JSON.stringify(value)}: this version does not understand specifiers in parentheses; ` +
        'write the name of the tool alone, * for anything',
      pointer,
    )
  }
  return value
}

function checkReason(value: unknown): string {
  if (typeof value !== 'string')
    invalid(`reason must be a text, {tool} for the name; found ${describe(value)}`, '/reason')
  if (value.trim() === '') invalid('reason is empty; leave it out, or say why a person is asked', '/reason')
  if (value.length > MAX_REASON)
    invalid(`reason is ${value.length} characters long; the limit is ${MAX_REASON}`, '/reason')
  if (!value.isWellFormed()) invalid('reason has a lone surrogate, which no UTF-8 can carry', '/reason')
  return value
}

function unknown(what: string, word: string, allowed: readonly string[], pointer: string): never {
  const suggestion = nearestWord(word, allowed)
  const meant = suggestion === undefined ? '' : `; did you mean ${JSON.stringify(suggestion)}?`
  return invalid(
    `unknown ${what} ${JSON.stringify(shortened(word))} in the policy; allowed are ${allowed.join(', ')}${meant}`,
    pointer,
    suggestion === undefined ? { allowed } : { allowed, suggestion },
  )
}

function shortened(word: string): string {
  return (word.length > 100 ? `${word.slice(0, 100)}…` : word).toWellFormed()
}

function invalid(message: string, pointer: string, details: Record<string, unknown> = {}): never {
  throw new BanksmanError('invalid_policy', message, { pointer, ...details })
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
