/**
 * What a hook's answer means at a stage. The answer is copied first, which reads every property once and leaves the hook
 * nothing to change afterwards.
 *
 * What narrows is understood by its action alone: a deny with a broken reason still denies. Everything else must be whole,
 * else it is a failure. As in the original protocol, a payload beside `continue` counts as `modify`, and `modify` without
 * one changes nothing.
 */
import { describe, failed, keysOf, quote, shortened } from './hook-failure.ts'

export type HookDecision =
  /** `unclear`: it said that it changed something, and did not. */
  | { kind: 'continue'; unclear?: string }
  | { kind: 'change'; payload: unknown }
  | { kind: 'respond'; payload: unknown }
  | { kind: 'deny'; reason: string }
  | { kind: 'stop'; hard: boolean; reason: string }

/** What may be answered where. */
interface StageLanguage {
  stage: 'beforeModel' | 'afterModel' | 'beforeTool' | 'afterTool'
  actions: readonly DecisionAction[]
  /** The key under which a change comes. */
  payload: 'request' | 'response' | 'call' | 'result'
}

const ACTIONS = ['continue', 'modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'] as const
type DecisionAction = (typeof ACTIONS)[number]

const EVERYWHERE = ['continue', 'modify', 'abort_turn', 'hard_abort'] as const

export const LANGUAGES = {
  beforeModel: { stage: 'beforeModel', actions: EVERYWHERE, payload: 'request' },
  afterModel: { stage: 'afterModel', actions: EVERYWHERE, payload: 'response' },
  beforeTool: { stage: 'beforeTool', actions: ACTIONS, payload: 'call' },
  afterTool: { stage: 'afterTool', actions: EVERYWHERE, payload: 'result' },
} as const satisfies Record<string, StageLanguage>

export function readDecision(hook: string, given: unknown, language: StageLanguage): HookDecision {
  if (given === undefined) return { kind: 'continue' }
  const answer = copyOf(hook, given)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw failed(
      hook,
      `it answered ${describe(answer)}, which is no decision; answer { action: … } or nothing`,
    )
  const { action, reason } = answer as Record<string, unknown>
  switch (checkAction(hook, action, answer, language)) {
    case 'continue':
    case 'modify': {
      const payload = (answer as Record<string, unknown>)[language.payload]
      if (payload !== undefined && payload !== null) return { kind: 'change', payload }
      if (action === 'continue') return { kind: 'continue' }
      const found = `it answered modify without \`${language.payload}\`, so nothing is changed; found: ${keysOf(answer)}`
      return { kind: 'continue', unclear: failed(hook, found).message }
    }
    case 'respond': {
      const { result } = answer as Record<string, unknown>
      if (result === undefined || result === null)
        throw failed(hook, `it answered respond without a result; found: ${keysOf(answer)}`)
      return { kind: 'respond', payload: result }
    }
    case 'deny_tool':
      return { kind: 'deny', reason: reasonOf(hook, 'denied it', reason, answer) }
    case 'abort_turn':
      return { kind: 'stop', hard: false, reason: reasonOf(hook, 'ended the turn', reason, answer) }
    case 'hard_abort':
      return { kind: 'stop', hard: true, reason: reasonOf(hook, 'ended the turn', reason, answer) }
  }
}

/** Undefined when it approves, else why it does not. Throws for an answer that says neither. */
export function readApproval(hook: string, given: unknown): string | undefined {
  const answer = copyOf(hook, given)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw failed(hook, `the answer lacks the boolean \`approved\`; found ${describe(answer)}`)
  const { approved, reason, action } = answer as Record<string, unknown>
  if (approved === undefined)
    throw failed(hook, `the answer lacks the boolean \`approved\`; found: ${keysOf(answer)}`)
  if (typeof approved !== 'boolean')
    throw failed(hook, `\`approved\` must be true or false; found ${describe(approved)}`)
  if (!approved) return reasonOf(hook, 'did not approve', reason, answer)
  if (action !== undefined && action !== 'continue')
    throw failed(hook, `it approves and says ${quote(String(action))} in one answer`)
  return undefined
}

function copyOf(hook: string, given: unknown): unknown {
  try {
    return structuredClone(given)
  } catch (error) {
    throw failed(hook, 'its answer is not plain data', { cause: error })
  }
}

function checkAction(hook: string, action: unknown, answer: object, language: StageLanguage): DecisionAction {
  const { stage, actions } = language
  const allowed = `${stage} takes ${actions.join(', ')}`
  if (typeof action !== 'string')
    throw failed(hook, `the answer lacks an action; found: ${keysOf(answer)}; ${allowed}`)
  const known = ACTIONS.find((one) => one === action)
  if (known === undefined) throw failed(hook, `unknown action ${quote(action)}; ${allowed}`)
  if (!actions.includes(known)) throw failed(hook, `${quote(action)} has no meaning here; ${allowed}`)
  return known
}

function reasonOf(hook: string, did: string, reason: unknown, answer: object): string {
  if (typeof reason === 'string' && reason.trim() !== '') return shortened(reason, MAX_REASON)
  const { action: _, approved: __, reason: ___, ...others } = answer as Record<string, unknown>
  const found =
    Object.keys(others).length === 0 ? '' : `; its answer has no \`reason\`, but: ${keysOf(others)}`
  return `hook ${quote(hook)} ${did} and gave no reason${found}`
}

/** It goes to a model and on a screen. */
const MAX_REASON = 4000
