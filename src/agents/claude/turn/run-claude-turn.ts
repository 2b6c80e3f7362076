/**
 * One turn with a child that is ready: what people said goes in, what comes out is written down and told, and the child's result for
 * exactly these words ends it. A turn that is stopped waits for its result too, so that it is never taken for that of the next one.
 */
import { defined } from '../../../core/defined.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { EngineTurn } from '../../sessions/engine.ts'
import { type TurnOutcome, TurnOver } from '../../sessions/turn-over.ts'
import type { ClaudeChild } from '../child/start-child.ts'
import type { ClaudeMessage, TurnResult } from '../claude-messages.ts'
import { createTurnAnswers } from './turn-answers.ts'
import { createTurnCalls, type TurnCalls } from './turn-calls.ts'

export interface ClaudeTurnRun {
  readonly turn: EngineTurn
  readonly calls: TurnCalls
  take(message: ClaudeMessage): Promise<void>
  /** Hands the words to the child, and gives what it says in the end. Throws `ChildLost` where it ended before it began. */
  say(child: ClaudeChild, text: string): Promise<TurnResult>
  /** After a stop: has the child stop. False where it doesn't within the time. */
  halt(child: ClaudeChild): Promise<boolean>
  fail(error: unknown): void
  /** Nothing more of it is waited for. */
  over(): void
}

export interface ClaudeTurnStart {
  turn: EngineTurn
  clock: Clock
  /** The last step of the turn that is in the log. */
  step: number
  heard: () => number
  cwd: () => string | undefined
  /** Whether the child says which message a result is of. It is found out with the first that does. */
  naming: { isDone: boolean }
}

/** The child ended before it had begun with the words. */
export class ChildLost extends Error {
  /** What it said itself; undefined where it only ended. */
  readonly said: string | undefined

  constructor(message: string, said: string | undefined) {
    super(message)
    this.said = said
  }
}

/** Below what the host gives an engine to stop. */
const HALT_WITHIN_MS = 5000

export function createClaudeTurn(start: ClaudeTurnStart): ClaudeTurnRun {
  const { turn, clock, step, heard, cwd, naming } = start
  const answers = createTurnAnswers({ turn, clock, step, heard, cwd })
  const halted = Promise.withResolvers<void>()
  const calls = createTurnCalls({ turn, answers, clock, halted: () => halted.promise })
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  let message: string | undefined
  let hasBegun = false
  let result = Promise.withResolvers<TurnResult>()
  let interruptAgain = () => {}

  function fail(error: unknown): void {
    answers.fail(error)
    failed.reject(error)
  }

  /** Not of a message before, nor of something that nobody has said. */
  function isOurs({ answers, isError }: TurnResult): boolean {
    if (answers !== undefined) naming.isDone = true
    if (answers === undefined) return !naming.isDone || (isError && !hasBegun)
    return message !== undefined && answers.includes(message)
  }

  async function write(each: ClaudeMessage): Promise<void> {
    switch (each.kind) {
      case 'init':
        hasBegun = true
        // A stop that came before the child had begun did not stop anything.
        interruptAgain()
        return
      case 'tool_results':
        if (!turn.stop.aborted) await answers.keepAll()
        for (const one of each.results) await calls.take(one)
        return
      case 'result':
        if (!turn.stop.aborted) await answers.keepAll()
        if (isOurs(each)) result.resolve(each)
        return
      default:
        if (!turn.stop.aborted) await answers.take(each)
    }
  }

  return {
    turn,
    calls,
    fail,
    over() {
      fail(new Error('the turn is over'))
      halted.resolve()
    },
    take: (each) => write(each).catch(fail),
    async say(child, text) {
      turn.stop.throwIfAborted()
      hasBegun = false
      result = Promise.withResolvers<TurnResult>()
      message = child.send(text)
      const gone = child.ended.then((error) => {
        const because = error?.message ?? 'Claude Code has ended'
        throw hasBegun ? new Error(because, { cause: error }) : new ChildLost(because, undefined)
      })
      gone.catch(() => {})
      const stopped = untilAborted(turn.stop)
      const answer = await Promise.race([result.promise, gone, failed.promise, stopped])
      message = undefined
      if (!hasBegun && answer.isError) throw new ChildLost(answer.text, answer.text)
      return answer
    },
    async halt(child) {
      if (message === undefined) return true
      const isOver = Promise.race([result.promise.then(() => true), child.ended.then(() => true)])
      const { promise: isLate, resolve } = Promise.withResolvers<false>()
      const timer = clock.after(HALT_WITHIN_MS, () => resolve(false))
      const interrupt = () => child.interrupt().catch(() => {})
      interruptAgain = () => void interrupt()
      await Promise.race([interrupt(), isOver, isLate])
      halted.resolve()
      const hasStopped = await Promise.race([isOver, isLate])
      timer.cancel()
      return hasStopped
    },
  }
}

/** Its own advice, `/login`, is for people at its terminal. */
const NOT_LOGGED_IN = /^(?:not logged in|invalid api key)\b/i
const HOW_TO_LOG_IN =
  'There is no /login here: set CLAUDE_CODE_OAUTH_TOKEN (from `claude setup-token`), ANTHROPIC_AUTH_TOKEN or ANTHROPIC_API_KEY where the server is started, and start it again'

/** How the child's result ends the turn. */
export function outcomeOf(
  turn: EngineTurn,
  { isError, isLimit, text }: TurnResult,
  maxTurns: number,
): TurnOutcome {
  if (turn.windUp.aborted)
    return { status: 'interrupted', text: isError ? '' : text, reason: 'it was interrupted' }
  if (isLimit) {
    const reason = `the model was asked ${maxTurns} times in this turn, which is the limit`
    return { status: 'limit', text: '', reason }
  }
  if (!isError) return { status: 'completed', text }
  const reason = NOT_LOGGED_IN.test(text) ? `${text.trim()}. ${HOW_TO_LOG_IN}` : text
  turn.emit({ kind: 'failed', stage: 'turn', message: reason })
  return { status: 'failed', text: '', reason }
}

/** How a stop ends the turn. Throws where the turn isn't over. */
export function stoppedOutcome({ stop }: EngineTurn): TurnOutcome {
  if (!(stop.reason instanceof TurnOver)) throw stop.reason
  const { status, message: reason } = stop.reason
  return { status, text: '', ...defined({ reason }) }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
