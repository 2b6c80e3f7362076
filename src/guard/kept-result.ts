/** What `remember` keeps of a tool's result, as the text that goes into the store, and back. */

import { canonicalize, type JsonValue } from '../core/json/json.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { OutcomeKind } from '../core/request-state.ts'
import type { HeldOutcome, HoldOptions } from './contract.ts'

/** In UTF-16 code units, so that it costs nothing to tell. */
const MAX_RESULT = 256 * 1024

/** Undefined where it can't be kept: too long, or nothing that JSON can carry. */
export function resultText(
  outcome: HeldOutcome,
  options: Pick<HoldOptions, 'remember' | 'rememberAllowed'>,
  isAsked: boolean,
): string | undefined {
  const { remember } = options
  if (!isRemembered(options, isAsked)) return undefined
  try {
    return canonicalize(contentOf(outcome, remember), { at: '', depth: 0, maxLength: MAX_RESULT })
  } catch {
    return undefined
  }
}

/** Whether the result is kept, of a call that a person was asked about or not. */
export function isRemembered(
  { remember = false, rememberAllowed = true }: Pick<HoldOptions, 'remember' | 'rememberAllowed'>,
  isAsked: boolean,
): boolean {
  return remember !== false && (isAsked || rememberAllowed)
}

function contentOf(outcome: HeldOutcome, remember: HoldOptions['remember']): unknown {
  if (!outcome.ok) {
    const { error } = outcome
    const isError = error instanceof Error
    return { v: 1, ok: false, error: isError ? { name: error.name, message: error.message } : String(error) }
  }
  const value = typeof remember === 'function' ? remember(outcome.value) : outcome.value
  return value === undefined ? { v: 1, ok: true } : { v: 1, ok: true, value }
}

/** A text that came from elsewhere: undefined where it is too long, or not what `resultText` writes of such an outcome. */
export function checkedResult(text: string | undefined, outcome: OutcomeKind): string | undefined {
  if (text === undefined || text.length > MAX_RESULT) return undefined
  try {
    const kept = parseJson<{ ok?: unknown; error?: unknown } | null>(text)
    // Refuses what is nested too deeply to be sent again.
    canonicalize(kept)
    if (outcome === 'ok') return kept?.ok === true ? text : undefined
    const isError = typeof kept?.error === 'string' || isNamed(kept?.error)
    return kept?.ok === false && isError ? text : undefined
  } catch {
    return undefined
  }
}

function isNamed(error: unknown): boolean {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown }
  return typeof name === 'string' && typeof message === 'string'
}

export function readResult(
  text: string,
): { ok: true; value: JsonValue | undefined } | { ok: false; error: Error } {
  const kept = parseJson(text) as
    | { ok: true; value?: JsonValue }
    | { ok: false; error: string | { name: string; message: string } }
  if (kept.ok) return { ok: true, value: kept.value }
  if (typeof kept.error === 'string') return { ok: false, error: new Error(kept.error) }
  const error = new Error(kept.error.message)
  error.name = kept.error.name
  return { ok: false, error }
}
