/**
 * The calls of one turn, from the hook that asks about one to its result. Each goes through `hold`. What came of it is in the log
 * before the model is told: a refusal and an answer before the hook returns, a result before the model is asked again.
 */

import type { CallResult, Refusal } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { told } from '../../../core/reasons/english.ts'
import { toldOf } from '../../../core/reasons/reason.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Answered, Held, NotRun, Refused, Replayed } from '../../../guard/contract.ts'
import { refusalText } from '../../../guard/model-texts.ts'
import type { EngineCall, EngineOptions, EngineTurn } from '../../sessions/engine.ts'
import { SessionLost } from '../../sessions/log/turn-log.ts'
import { TurnOver } from '../../sessions/turn-over.ts'
import type { ToolResult } from '../claude-messages.ts'
import { createRepeatedCalls, type RepeatedCalls } from './repeated-calls.ts'
import type { ClaudeCall, TurnAnswers } from './turn-answers.ts'

export interface TurnCalls {
  /** By the SDK's id of the call. `given` aborts when the program wants it no more. */
  hold(toolUseId: string, call: AskedCall, given: AbortSignal | undefined): Promise<Held | Replayed | NotRun>
  /** What the model is told of a call. Resolves when that is in the log; told twice, it is there once. */
  take(result: Omit<ToolResult, 'isError'> & Partial<ToolResult>): Promise<void>
  /** Whether a tool runs now. */
  isRunning(): boolean
  /** Says of what still runs that it was stopped. */
  stopAll(why: string): Promise<void>
  /** After a stop: what was being asked has heard of it. */
  settled(): Promise<void>
  /** Those of the process before. */
  readonly repeated: Pick<RepeatedCalls, 'expect' | 'doubt'>
}

export type AskedCall = Omit<EngineCall, 'callId' | 'context'>

export interface TurnCallsStart {
  turn: EngineTurn
  answers: Pick<TurnAnswers, 'callOf'>
  clock: Clock
  /** Resolves when the program has been told to stop, or is no more: what it is told before that, it would act on. */
  halted(): Promise<void>
}

interface ToolAtWork {
  call: ClaudeCall
  held: Held
  startedAt: number
  /** As it was reported. */
  hasFailed: boolean
}

/** What the model said goes along as the agent's word; a long one is cut, since it is only that. */
const MAX_CONTEXT = 2000
/** Of what a tool gave, for the log. */
const MAX_RESULT = 64 * 1024
const SKIPPED = 'the turn was interrupted before it began'

export function createTurnCalls({ turn, answers, clock, halted }: TurnCallsStart): TurnCalls {
  const running = new Map<string, ToolAtWork>()
  const settled = new Map<string, Promise<void>>()
  const repeated = createRepeatedCalls()
  const underway = new Set<Promise<unknown>>()

  async function hold(
    toolUseId: string,
    asked: AskedCall,
    given: AbortSignal | undefined,
  ): Promise<Held | Replayed | NotRun> {
    const call = await answers.callOf(toolUseId)
    await refuseWhenOver()
    if (turn.windUp.aborted) return refuse(toolUseId, call, skipped())
    const result = await holdOne(call, asked, given)
    if (turn.stop.aborted || turn.windUp.aborted) {
      if (result.kind === 'held') await result.release('the turn was interrupted').catch(() => {})
      await refuseWhenOver()
      if (result.kind === 'held') return refuse(toolUseId, call, skipped())
    }
    switch (result.kind) {
      case 'held':
        return watched(toolUseId, call, result)
      case 'answered':
        await answer(toolUseId, call, result)
        return result
      case 'refused':
        return refuse(toolUseId, call, result)
      default:
        return result
    }
  }

  async function holdOne(call: ClaudeCall, asked: AskedCall, given: AbortSignal | undefined) {
    const earlier = repeated.take(asked)
    const anew = () => holdUntil(contextual(call, call.id, asked), repeated.asksAbout(asked), given)
    if (earlier === undefined) return anew()
    const result = await holdUntil(contextual(call, earlier, asked), {}, given)
    const why = told(reasonOf('refused.made-again', { call: call.id }))
    const about = { state: 'skipped', ...why, mayRetry: false } as const
    turn.emit({ kind: 'call_refused', call: earlier, tool: call.tool, ...about })
    // Its commands are in another folder by now: so it is another call.
    return result.kind === 'refused' && result.code === 'call_conflict' ? anew() : result
  }

  /** Of a call that the program gave up, what comes of it later is given back. */
  async function holdUntil(
    call: EngineCall,
    options: EngineOptions<object>,
    given: AbortSignal | undefined,
  ): Promise<Held | Replayed | NotRun> {
    const holding = turn.hold(call, { ...options, join: true })
    underway.add(holding)
    void holding.catch(() => {}).finally(() => underway.delete(holding))
    if (given === undefined) return holding
    const { promise: gone, resolve } = Promise.withResolvers<NotRun>()
    const leave = () => resolve({ kind: 'pending', because: 'aborted' })
    if (given.aborted) leave()
    given.addEventListener('abort', leave, { once: true })
    const result = await Promise.race([holding, gone])
    given.removeEventListener('abort', leave)
    if (result.kind === 'pending')
      void holding.then(
        async (late) => {
          if (late.kind === 'held') await late.release('nobody waits for it any longer').catch(() => {})
        },
        () => {},
      )
    return result
  }

  /** A stop is waited for, so that the program hears it first. What it is told of the call then is not acted on. */
  async function refuseWhenOver(): Promise<void> {
    if (!turn.stop.aborted) return
    await halted()
    throw new Error('the turn was interrupted, so it did not run')
  }

  /** The right to run it, with the last look right before it runs and the result in the log. */
  function watched(toolUseId: string, call: ClaudeCall, held: Held): Held {
    return {
      ...held,
      async ready() {
        await held.ready()
        await confirm(toolUseId, call)
        if (turn.stop.aborted || turn.windUp.aborted) {
          if (!turn.stop.aborted) await refuse(toolUseId, call, skipped())
          throw new Error(SKIPPED)
        }
        running.set(toolUseId, { call, held, startedAt: clock.now(), hasFailed: false })
        const { arguments: args, requestId: request } = held
        turn.emit({
          kind: 'call_started',
          call: call.id,
          tool: call.tool,
          arguments: args,
          ...defined({ request }),
        })
      },
      report(outcome) {
        const ran = running.get(toolUseId)
        if (ran !== undefined) ran.hasFailed = !outcome.ok
        return held.report(outcome)
      },
    }
  }

  async function confirm(toolUseId: string, call: ClaudeCall): Promise<void> {
    try {
      await turn.confirmLease()
    } catch (error) {
      if (error instanceof SessionLost) {
        turn.end(error)
        throw error
      }
      const why = told(reasonOf('refused.unsure', { why: String(error) }))
      await refuse(toolUseId, call, {
        kind: 'refused',
        code: 'internal',
        state: 'error',
        ...why,
        mayRetry: true,
      })
      throw new Error(why.because)
    }
  }

  async function refuse(toolUseId: string, call: ClaudeCall, refused: Refused): Promise<Refused> {
    const { state, because, by, mayRetry, requestId: request } = refused
    if (state === 'terminated' || refused.code === 'session_ended') {
      turn.end(new TurnOver('terminated', because))
      return refused
    }
    const refusal: Refusal = { state, ...toldOf(refused), mayRetry, ...defined({ by, request }) }
    const { id, tool } = call
    const text = refusalText(tool, refusal)
    await settle(toolUseId, call, { call: id, tool, outcome: 'refused', text, refusal })
    turn.emit({ kind: 'call_refused', call: id, tool, ...refusal })
    return refused
  }

  async function answer(toolUseId: string, call: ClaudeCall, answered: Answered): Promise<void> {
    const { by, requestId: request } = answered
    const { id, tool } = call
    const text = answered.text ?? JSON.stringify(answered.answers ?? {})
    await settle(toolUseId, call, { call: id, tool, outcome: 'answered', text })
    turn.emit({ kind: 'call_answered', call: id, tool, text, by, request })
  }

  function settle(toolUseId: string, { step }: ClaudeCall, result: CallResult): Promise<void> {
    const written = turn.append({ kind: 'result', step, ...result })
    settled.set(toolUseId, written)
    return written
  }

  async function finish(toolUseId: string, { call, held, startedAt }: ToolAtWork, ok: boolean, text: string) {
    running.delete(toolUseId)
    const { id, tool } = call
    await settle(toolUseId, call, { call: id, tool, outcome: ok ? 'ran' : 'failed', text })
    const about = { durationMs: clock.now() - startedAt, ...defined({ request: held.requestId }) }
    turn.emit({ kind: 'call_finished', call: id, tool, ok, text, ...about })
  }

  return {
    hold,
    async take({ toolUseId, text, isError }) {
      if (turn.stop.aborted) return
      if (settled.has(toolUseId)) return settled.get(toolUseId)
      const ran = running.get(toolUseId)
      const shown = cut(text)
      if (ran !== undefined) return finish(toolUseId, ran, !(isError ?? ran.hasFailed), shown)
      // The program has refused it without asking anybody: there is no such tool, or its arguments are wrong.
      const call = await answers.callOf(toolUseId)
      if (settled.has(toolUseId)) return settled.get(toolUseId)
      const refused = { kind: 'refused', code: 'invalid', state: 'error' } as const
      await refuse(toolUseId, call, { ...refused, because: shown, mayRetry: true })
    },
    isRunning: () => running.size > 0,
    async settled() {
      await Promise.allSettled(underway)
    },
    async stopAll(why) {
      for (const [toolUseId, ran] of [...running]) {
        void ran.held.report({ ok: false, error: new Error(why) })
        await finish(toolUseId, ran, false, why)
      }
    },
    repeated,
  }
}

function contextual({ said }: ClaudeCall, callId: string, call: AskedCall): EngineCall {
  const words = said.trim()
  const context =
    words.length > MAX_CONTEXT ? `${words.slice(0, MAX_CONTEXT).toWellFormed()}…` : words.toWellFormed()
  return { ...call, callId, ...(context === '' ? {} : { context }) }
}

function skipped(): Refused {
  const why = told(reasonOf('refused.skipped'))
  return { kind: 'refused', state: 'cancelled', code: 'cancelled', ...why, mayRetry: false }
}

function cut(text: string): string {
  return text.length <= MAX_RESULT ? text : `${text.slice(0, MAX_RESULT).toWellFormed()}…`
}
