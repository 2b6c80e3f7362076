/**
 * Calls that were open when the process before ended. A transcript doesn't give them back, so the guard is asked what became of each,
 * by the same id, and the log is told. None of them is run here: the model makes it again if it still wants it.
 */

import { guardedCall } from '../../../adapters/claude-agent-sdk/questions.ts'
import type { LoggedCall, TurnEntry } from '../../../core/conversation.ts'
import { BanksmanError, type ErrorCode } from '../../../core/errors.ts'
import { told } from '../../../core/reasons/english.ts'
import { toldOf } from '../../../core/reasons/reason.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import type { Held, NotRun, Refused, Replayed } from '../../../guard/contract.ts'
import { refusalText } from '../../../guard/model-texts.ts'
import type { EngineTurn } from '../../sessions/engine.ts'
import { readToolArguments } from '../../sessions/read-tool-arguments.ts'
import { TurnOver } from '../../sessions/turn-over.ts'
import type { KeptAnswer } from './turn-answers.ts'
import type { AskedCall, TurnCalls } from './turn-calls.ts'
import type { LeftCall } from './turn-words.ts'

export async function settleLeftCalls(
  turn: EngineTurn,
  entries: readonly TurnEntry[],
  folder: string,
  repeated: TurnCalls['repeated'],
): Promise<LeftCall[]> {
  const own = entries.filter((entry) => entry.kind !== 'erased' && entry.turn === turn.id)
  const done = new Set(own.flatMap((entry) => (entry.kind === 'result' ? [entry.call] : [])))
  const answered = own.filter((entry): entry is KeptAnswer => entry.kind === 'answered')
  const left: LeftCall[] = []
  for (const entry of answered) {
    for (const call of entry.calls.filter(({ id }) => !done.has(id)))
      left.push(await settleOne(turn, { ...call, step: entry.step }, folder, repeated))
  }
  return left
}

async function settleOne(
  turn: EngineTurn,
  call: LoggedCall & { step: number },
  folder: string,
  repeated: TurnCalls['repeated'],
): Promise<LeftCall> {
  const { id, tool, argumentsText, step } = call
  const about = { tool, argumentsText }
  const asked = askedCall(call, folder)
  const result = asked === undefined ? UNREADABLE : await turn.hold({ ...asked, callId: id }, { holdMs: 0 })
  turn.stop.throwIfAborted()
  if (result.kind === 'refused') throwIfHeldUp(result)
  if (result.kind === 'answered') {
    const text = result.text ?? JSON.stringify(result.answers ?? {})
    await turn.append({ kind: 'result', step, call: id, tool, outcome: 'answered', text })
    turn.emit({ kind: 'call_answered', call: id, tool, text, by: result.by, request: result.requestId })
    return { ...about, fate: 'answered', by: result.by, text }
  }
  const isOpen = result.kind === 'held' || result.kind === 'pending'
  if (asked !== undefined && isOpen) repeated.expect(asked, id)
  if (result.kind === 'held') await result.release('the process that asked has ended').catch(() => {})
  const refusal = isOpen
    ? { state: 'skipped' as const, ...told(reasonOf('refused.restarted')), mayRetry: true }
    : refusalOf(result)
  await turn.append({
    kind: 'result',
    step,
    call: id,
    tool,
    outcome: 'refused',
    text: refusalText(tool, refusal),
    refusal,
  })
  turn.emit({ kind: 'call_refused', call: id, tool, ...refusal })
  if (isOpen) return { ...about, fate: result.kind === 'held' ? 'approved' : 'waiting' }
  const { because } = refusal
  if (!mayHaveRun(result)) return { ...about, fate: 'refused', because }
  if (asked !== undefined) repeated.doubt(asked)
  return { ...about, fate: 'unknown', because }
}

/** The store can't say what became of it; or there is nothing more to do in the session. */
function throwIfHeldUp({ code, state, because }: Refused): void {
  if (state === 'terminated' || code === 'session_ended') throw new TurnOver('terminated', because)
  if (code === 'closed' || code.startsWith('store_')) throw new BanksmanError(code as ErrorCode, because)
}

/** As the hook makes it of what the model wrote. Undefined: it can't be read. */
function askedCall({ tool, argumentsText, provider }: LoggedCall, folder: string): AskedCall | undefined {
  const read = readToolArguments(argumentsText)
  if (!read.ok) return undefined
  const cwd =
    typeof provider === 'object' && provider !== null && 'cwd' in provider ? provider.cwd : undefined
  return { ...guardedCall(tool, read.arguments), cwd: typeof cwd === 'string' ? cwd : folder }
}

/** It was let through once; or it is in the store with other bytes than could be made of the log. */
const MAY_HAVE_RUN: string[] = ['already_claimed', 'call_conflict']

const UNREADABLE: Refused = {
  kind: 'refused',
  state: 'error',
  code: 'invalid',
  ...told(reasonOf('refused.unreadable')),
  mayRetry: true,
}

function refusalOf(result: Exclude<Held | Replayed | NotRun, { kind: 'held' | 'pending' | 'answered' }>) {
  if (result.kind === 'ran')
    return { state: 'done' as const, ...told(reasonOf('refused.ran')), mayRetry: false }
  const { state, mayRetry } = result
  return { state, ...toldOf(result), mayRetry }
}

function mayHaveRun(result: Held | Replayed | NotRun): boolean {
  if (result.kind === 'ran') return true
  if (result.kind !== 'refused') return false
  return ['unknown', 'running', 'done'].includes(result.state) || MAY_HAVE_RUN.includes(result.code)
}
