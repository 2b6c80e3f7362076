/**
 * One turn: think, act, observe, until the model has nothing more to do. Where it stands is read from the log before every
 * step, so a turn that a restart has cut in two goes on where it was: calls that have a result are not made again, and those
 * that wait are found again by their ids.
 */

import type { CallResult, LoggedCall, TurnEntry, TurnStatus, Usage } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { SessionLost } from '../sessions/turn-log.ts'
import { act } from './act.ts'
import { addHookTools } from './hook-tools.ts'
import { offerToBlock } from './offer-to-block.ts'
import { rejectionsIn } from './rejected-calls.ts'
import { type AnsweredEntry, steeringIn, think } from './think.ts'
import { TurnOver, type TurnState } from './turn-state.ts'

export interface TurnOutcome {
  status: TurnStatus
  text: string
  reason?: string
}

export interface TurnControl {
  /** Resolves when all that was said so far is in the log. */
  settleSteering(): Promise<void>
  /** From here on nothing more is taken into the turn. */
  end(): void
  /** Words came in before the end was written: it is not over. */
  goOn(): void
  /** A turn that is over leaves no question behind. */
  withdraw(reason: string): Promise<void>
}

/** How the turn ended; throws only what leaves it unfinished. */
export async function runTurn(state: TurnState, control: TurnControl): Promise<TurnOutcome> {
  for (;;) {
    const end = await takeSteps(state, control).catch((error) => endOf(state, error))
    control.end()
    await control.withdraw(end.reason ?? 'the turn is over')
    const entries = state.log.of(state.turn)
    const begunAt = entries[0]?.kind === 'begun' ? entries[0].at : state.parts.clock.now()
    const totals = { usage: usageOf(entries), steps: lastAnswered(entries)?.step ?? 0 }
    const { status, text, reason } = end
    const about = { status, text, ...defined({ reason }), ...totals }
    const ended = { kind: 'ended', turn: state.turn, at: state.parts.clock.now(), ...about } as const
    // Somebody may have said something elsewhere: what was to be the last word was said without hearing that.
    const isStill = () => status !== 'completed' || isOverBy(state)
    if (await state.log.append(ended, isStill)) {
      state.emit({ kind: 'turn_ended', ...about, durationMs: state.parts.clock.now() - begunAt })
      return end
    }
    control.goOn()
  }
}

function isOverBy(state: TurnState): boolean {
  const answered = lastAnswered(state.log.of(state.turn))
  return answered !== undefined && isDone(state, answered) && !state.stop.aborted && !state.isWindingUp()
}

async function takeSteps(state: TurnState, control: TurnControl): Promise<TurnOutcome> {
  const { maxSteps } = state.parts.settings
  state.stop.throwIfAborted()
  if (state.isResumed) await takeUp(state)
  for (;;) {
    state.stop.throwIfAborted()
    const answered = lastAnswered(state.log.of(state.turn))
    if (answered !== undefined) {
      await actAll(state, answered)
      await control.settleSteering()
      state.stop.throwIfAborted()
      if (isDone(state, answered) && !state.isWindingUp()) {
        control.end()
        return { status: 'completed', text: answered.calls.length === 0 ? answered.text : '' }
      }
    }
    const step = (answered?.step ?? 0) + 1
    if (state.isWindingUp()) return lastWord(state, step)
    if (step > maxSteps) {
      const reason = `the model was asked ${maxSteps} times in this turn, which is the limit`
      return { status: 'limit', text: answered?.text ?? '', reason }
    }
    await keep(state, await think(state, step, false))
  }
}

/** What this process can't know of itself about a turn that another one began. */
async function takeUp(state: TurnState): Promise<void> {
  const entries = state.log.of(state.turn)
  const answered = lastAnswered(entries)
  const offered = answered?.offered ?? []
  state.parts.hooks.remember(state.session, offered)
  addHookTools(state, offered)
  // The person may have been asked whether to be done with a kind of call, and may have answered since.
  for (const entry of entries) {
    const wasAsked = entry.kind === 'result' && entry.step === answered?.step && isRejection(entry)
    if (wasAsked) await offer(state, entry.call, entry.shape)
  }
}

function isRejection({ refusal }: Pick<CallResult, 'refusal'>): boolean {
  return refusal?.state === 'rejected' && refusal.request !== undefined
}

/**
 * Writes the answer down, and tells of it. Nothing that it asks for is looked at before that: a result whose answer is not in
 * the log would be taken for that of another call.
 */
async function keep(state: TurnState, entry: AnsweredEntry): Promise<void> {
  await state.log.append(entry)
  const { step, text, reasoning, calls, usage } = entry
  state.emit({
    kind: 'model_answered',
    step,
    text,
    ...defined({ reasoning }),
    calls: calls.length,
    usage,
  })
}

/** After a graceful interrupt. Calls that it makes all the same are not looked at. */
async function lastWord(state: TurnState, step: number): Promise<TurnOutcome> {
  const entry = await think(state, step, true)
  await keep(state, entry)
  const { text } = entry
  return { status: 'interrupted', text, reason: 'it was interrupted' }
}

/** All calls of an answer, side by side; a no to one of them does not drop its siblings. */
async function actAll(state: TurnState, answered: AnsweredEntry): Promise<void> {
  const done = new Set(
    state.log.of(state.turn).flatMap((entry) => (entry.kind === 'result' ? [entry.call] : [])),
  )
  const { step, calls } = answered
  const missing = calls.filter((call) => !done.has(call.id))
  if (missing.length === 0) return
  let previous = Promise.resolve()
  const settled = await Promise.allSettled(
    missing.map((call) => {
      const { promise: judged, resolve } = Promise.withResolvers<void>()
      // People are asked in the order of the calls; from then on each goes its own way.
      const whole = previous.then(() => settle(state, answered, call, resolve)).finally(resolve)
      previous = judged
      return whole
    }),
  )
  state.stop.throwIfAborted()
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  state.emit({ kind: 'observing', step, results: calls.length })
}

async function settle(
  state: TurnState,
  { step, calls, text, cutOff }: AnsweredEntry,
  call: LoggedCall,
  judged: () => void,
): Promise<void> {
  try {
    state.stop.throwIfAborted()
    const place = {
      step,
      index: calls.indexOf(call),
      of: calls.length,
      said: text,
      cutOff: cutOff === true,
      judged,
    }
    const result = await act(state, call, place)
    await state.log.append({ kind: 'result', turn: state.turn, at: state.parts.clock.now(), step, ...result })
    if (isRejection(result)) await offer(state, call.id, result.shape)
  } catch (error) {
    // Its siblings may be waiting for a person; the turn does not wait for them.
    if (error instanceof TurnOver || error instanceof SessionLost) state.stopAll(error)
    throw error
  }
}

async function offer(state: TurnState, callId: string, shape: string | undefined): Promise<void> {
  if (shape === undefined || !rejectionsIn(state.log.entries, state.turn).isWearing(shape)) return
  const by = await offerToBlock(state, callId, shape)
  if (by === undefined) return
  await state.log.append({ kind: 'barred', turn: state.turn, at: state.parts.clock.now(), shape, by })
  throw new TurnOver('interrupted', `${by} wants no more calls of the kind "${shape}" in this session`)
}

/** Nothing is left to do: the model made no call, or people were served by all of them; and nobody said anything since. */
function isDone(state: TurnState, answered: AnsweredEntry): boolean {
  const entries = state.log.of(state.turn)
  if (steeringIn(entries, state.turn) > answered.heard) return false
  const results = entries.filter((entry) => entry.kind === 'result' && entry.step === answered.step)
  return (
    answered.calls.length === 0 ||
    (results.length === answered.calls.length &&
      results.every((entry) => entry.kind === 'result' && entry.handled === true))
  )
}

function endOf(state: TurnState, error: unknown): TurnOutcome {
  const cause: unknown = error instanceof TurnOver ? error : state.stop.aborted ? state.stop.reason : error
  if (cause instanceof TurnOver) {
    if (cause.status === 'failed') state.emit({ kind: 'failed', stage: 'hook', message: cause.message })
    return { status: cause.status, text: '', reason: cause.message }
  }
  // This process is closing: the turn goes on after a restart.
  if (state.stop.aborted) throw cause
  if (isBanksmanError(error, 'session_ended'))
    return { status: 'terminated', text: '', reason: error.message }
  if (error instanceof SessionLost || isHeldUp(error)) throw error
  const message = error instanceof Error ? error.message : String(error)
  state.emit({ kind: 'failed', stage: 'turn', message })
  return { status: 'failed', text: '', reason: message }
}

/** The store can't be reached, or the gateway is closed: the turn is not over. */
function isHeldUp(error: unknown): boolean {
  return isBanksmanError(error) && (error.code.startsWith('store_') || error.code === 'closed')
}

function lastAnswered(entries: readonly TurnEntry[]): AnsweredEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'answered')
}

function usageOf(entries: readonly TurnEntry[]): Usage {
  const usage: Usage = { inputTokens: 0, outputTokens: 0 }
  for (const entry of entries) {
    if (entry.kind !== 'answered') continue
    usage.inputTokens += entry.usage.inputTokens
    usage.outputTokens += entry.usage.outputTokens
  }
  return usage
}
