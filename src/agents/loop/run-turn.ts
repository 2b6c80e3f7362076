/**
 * One turn: think, act, observe, until the model has nothing more to do. Where it stands is read from the log before every
 * step, so a turn that a restart has cut in two goes on where it was: calls that have a result are not made again, and those
 * that wait are found again by their ids.
 */

import type { CallResult, LoggedCall, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { SessionLost } from '../sessions/log/turn-log.ts'
import { type TurnOutcome, TurnOver } from '../sessions/turn-over.ts'
import { actOnCall } from './act-on-call.ts'
import { addHookTools } from './hook-tools.ts'
import { offerToBlock } from './offer-to-block.ts'
import { rejectionsIn } from './rejected-by-people.ts'
import { type AnsweredEntry, steeringIn, think, type UnloggedAnswer } from './think.ts'
import { type TurnState, turnEntries } from './turn-state.ts'

/** From where it stands to where the model has nothing more to do, or may do no more. */
export async function runTurn(state: TurnState): Promise<TurnOutcome & { heard: number }> {
  try {
    const outcome = await takeSteps(state)
    return { ...outcome, heard: lastAnswered(turnEntries(state))?.heard ?? 0 }
  } catch (error) {
    const { stop } = state.turn
    const cause: unknown = error instanceof TurnOver ? error : stop.reason
    if (cause instanceof TurnOver && cause.status === 'failed')
      state.turn.emit({ kind: 'failed', stage: 'hook', message: cause.message })
    throw error
  }
}

async function takeSteps(state: TurnState): Promise<TurnOutcome> {
  const { turn, parts } = state
  const { maxSteps } = parts.settings
  for (;;) {
    turn.stop.throwIfAborted()
    const answered = lastAnswered(turnEntries(state))
    if (answered !== undefined) {
      await actAll(state, answered)
      turn.stop.throwIfAborted()
      if (isDone(state, answered) && !turn.windUp.aborted) {
        return { status: 'completed', text: answered.calls.length === 0 ? answered.text : '' }
      }
    }
    const step = (answered?.step ?? 0) + 1
    if (turn.windUp.aborted) return lastWord(state, step)
    if (step > maxSteps) {
      const reason = `the model was asked ${maxSteps} times in this turn, which is the limit`
      return { status: 'limit', text: answered?.text ?? '', reason }
    }
    await keep(state, await think(state, step, false))
  }
}

/** What this process can't know of itself about a turn that another one began. */
export async function takeUp(state: TurnState): Promise<void> {
  const entries = turnEntries(state)
  const answered = lastAnswered(entries)
  const offered = answered?.offered ?? []
  state.parts.hooks.remember(state.session.id, offered)
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
async function keep(state: TurnState, entry: UnloggedAnswer): Promise<void> {
  await state.turn.append(entry)
  const { step, text, reasoning, calls, usage } = entry
  state.turn.emit({
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
  const done = new Set(turnEntries(state).flatMap((entry) => (entry.kind === 'result' ? [entry.call] : [])))
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
  state.turn.stop.throwIfAborted()
  const failed = settled.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  state.turn.emit({ kind: 'observing', step, results: calls.length })
}

async function settle(
  state: TurnState,
  { step, calls, text, cutOff, heard }: AnsweredEntry,
  call: LoggedCall,
  judged: () => void,
): Promise<void> {
  try {
    state.turn.stop.throwIfAborted()
    const place = {
      step,
      index: calls.indexOf(call),
      of: calls.length,
      said: text,
      cutOff: cutOff === true,
      isOvertaken: () => steeringIn(turnEntries(state), state.turn.id) > heard,
      judged,
    }
    const result = await actOnCall(state, call, place)
    await state.turn.append({ kind: 'result', step, ...result })
    if (isRejection(result)) await offer(state, call.id, result.shape)
  } catch (error) {
    // Its siblings may be waiting for a person; the turn does not wait for them.
    if (error instanceof TurnOver || error instanceof SessionLost) state.turn.end(error)
    throw error
  }
}

async function offer(state: TurnState, callId: string, shape: string | undefined): Promise<void> {
  if (shape === undefined || !rejectionsIn(state.session.entries(), state.turn.id).isWearing(shape)) return
  const by = await offerToBlock(state, callId, shape)
  if (by === undefined) return
  await state.turn.append({ kind: 'barred', shape, by })
  throw new TurnOver('interrupted', `${by} wants no more calls of the kind "${shape}" in this session`)
}

/** Nothing is left to do: the model made no call, or people were served by all of them; and nobody said anything since. */
function isDone(state: TurnState, answered: AnsweredEntry): boolean {
  const entries = turnEntries(state)
  if (steeringIn(entries, state.turn.id) > answered.heard) return false
  const results = entries.filter((entry) => entry.kind === 'result' && entry.step === answered.step)
  return (
    answered.calls.length === 0 ||
    (results.length === answered.calls.length &&
      results.every((entry) => entry.kind === 'result' && entry.handled === true))
  )
}

function lastAnswered(entries: readonly TurnEntry[]): AnsweredEntry | undefined {
  return entries.findLast((entry) => entry.kind === 'answered')
}
