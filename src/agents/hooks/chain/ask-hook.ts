/**
 * Asks one hook at one stage and says what came of it: what it decided, or that it failed and how that counts. This is the
 * one place where a failure is turned into "passed over".
 */
import type { Clock } from '../../../core/time/clock.ts'
import type { HookContext } from '../hook.ts'
import { callHook } from './call-hook.ts'
import { failed, HookFailure, type HookFault, messageOf } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'

export interface HookQuestion<Finding extends Continuable = Continuable> {
  hook: MountedHook
  stage: Exclude<HookFault['stage'], 'observe' | 'close'>
  about: HookContext
  put(about: HookContext): unknown
  /** What the answer means. A `HookFailure` that it throws is the hook's. */
  read(answer: unknown): Finding | Promise<Finding>
  /** It counts even with `onFailure: continue`. */
  mustAnswer?: true
}

type Continuable = { kind: string; unclear?: string }
type Continued = { kind: 'continue' }
export type Failed = { kind: 'failed'; reason: string }
export type AskHook = <Finding extends Continuable>(
  question: HookQuestion<Finding>,
) => Promise<Finding | Failed | Continued>

export interface AskHookParts {
  clock: Pick<Clock, 'after'>
  closing: AbortSignal
  report(fault: HookFault): void
}

export function createAskHook({ clock, closing, report }: AskHookParts): AskHook {
  return async ({ hook, stage, about, put, read, mustAnswer }) => {
    const limitMs = stage === 'approveTool' ? hook.timeouts.approveMs : hook.timeouts.interceptMs
    const { session, turn } = about
    try {
      const finding = await read(await callHook({ hook: hook.name, limitMs, about, closing, clock, put }))
      const { unclear } = finding
      if (unclear !== undefined)
        report({ hook: hook.name, stage, reason: unclear, effect: 'passed_over', session, turn })
      return finding
    } catch (error) {
      const failure = error instanceof HookFailure ? error : failed(hook.name, messageOf(error))
      const passedOver = hook.passedOver && failure.kind === 'failed' && mustAnswer !== true
      const effect = passedOver ? 'passed_over' : EFFECTS[stage]
      if (failure.kind !== 'stopped')
        report({ hook: hook.name, stage, reason: failure.message, effect, session, turn })
      return passedOver ? { kind: 'continue' } : { kind: 'failed', reason: failure.message }
    }
  }
}

const EFFECTS = {
  beforeModel: 'stopped',
  afterModel: 'stopped',
  beforeTool: 'denied',
  provide: 'denied',
  approveTool: 'denied',
  afterTool: 'withheld',
} as const satisfies Record<HookQuestion['stage'], HookFault['effect']>
