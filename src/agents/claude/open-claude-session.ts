/**
 * The engine at one session: one child for all of its turns, which is started with the first one and again when it was lost. Whatever
 * goes wrong in a turn ends the child: what it may still do belongs to no turn.
 */
import { banksman } from '../../adapters/claude-agent-sdk/banksman.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Guard } from '../../guard/contract.ts'
import type { EngineSession, EngineTurn, OpenEngine } from '../sessions/engine.ts'
import { type TurnOutcome, TurnOver } from '../sessions/turn-over.ts'
import { childOptions } from './child/child-options.ts'
import type { ChildRecords } from './child/child-records.ts'
import { type ClaudeChild, startChild } from './child/start-child.ts'
import { createChildTranscript, hasTranscript } from './child-transcript.ts'
import { type ClaudeMessage, contentText, type TurnResult } from './claude-messages.ts'
import type { ClaudeEngineParts } from './claude-parts.ts'
import type { ClaudeSdk } from './claude-sdk.ts'
import { type BegunTurn, beginTurn } from './turn/begin-turn.ts'
import { ChildLost, outcomeOf, stoppedOutcome } from './turn/run-claude-turn.ts'
import { LOST_TRANSCRIPT } from './turn/turn-words.ts'

export interface ClaudeSessionParts extends ClaudeEngineParts {
  sdk: ClaudeSdk
  records: ChildRecords
  /** Told what the child says of itself. */
  onInit(about: Extract<ClaudeMessage, { kind: 'init' }>): void
}

interface LiveChild {
  process: ClaudeChild
  folder: string
  /** The transcript that it goes on with. */
  resumed: string | undefined
  /** It has not been told anything. */
  isNew: boolean
  isPlanning: boolean
}

export function openClaudeSession(parts: ClaudeSessionParts, session: EngineSession): OpenEngine {
  const transcript = createChildTranscript(session)
  let child: LiveChild | undefined
  let begun: BegunTurn | undefined
  /** The turn that runs now: only its calls may run. */
  let current: BegunTurn | undefined
  let cwd: string | undefined
  let ending: Promise<void> = Promise.resolve()
  let isClosed = false
  const naming = { isDone: false }

  const guard: Pick<Guard, 'hold'> = {
    // The adapter's call has no arguments of its own kind.
    hold: (async (call, options) => {
      if (current === undefined) throw new Error('no turn runs in this session, so nothing may run')
      const asked = { tool: call.tool, arguments: call.arguments as JsonObject }
      const about = defined({ cwd: call.cwd, subAgent: call.agent?.name })
      return current.run.calls.hold(call.callId, { ...asked, ...about }, options?.signal)
    }) as Guard['hold'],
  }

  async function start(resume: string | undefined): Promise<LiveChild> {
    await ending
    const { folder, settings } = await parts.placeOf(session)
    const mode = await childMode()
    const over = new AbortController()
    const { refusal } = parts
    const gate = banksman(guard, { session: session.id, signal: over.signal, ...defined({ refusal }) })
    const { hooks, canUseTool } = gate
    const process = startChild({
      sdk: parts.sdk,
      records: parts.records,
      listen,
      options: {
        ...(await childOptions(parts, { folder, settings }, mode, resume)),
        canUseTool,
        hooks: {
          ...hooks,
          PreToolUse: [{ hooks: [noteFolder] }, ...hooks.PreToolUse],
          PostToolUse: [...hooks.PostToolUse, { hooks: [noteFolder] }],
          PostToolBatch: [...hooks.PostToolBatch, { hooks: [stepOver] }],
        },
      },
    })
    const live = { process, folder, resumed: resume, isNew: true, isPlanning: mode === 'plan' }
    child = live
    cwd = undefined
    transcript.reopened(resume)
    void process.ended.then((error) => {
      over.abort()
      // The SDK may be done with a process that still runs.
      if (child === live) void end('at_once')
      if (!isClosed && current === undefined) session.failed(error ?? new Error('Claude Code has ended'))
    })
    return live
  }

  async function childMode(): Promise<'default' | 'plan'> {
    return (await parts.modeOf(session)) === 'plan' ? 'plan' : 'default'
  }

  async function ready(): Promise<LiveChild> {
    if (child === undefined) return start(transcript.id())
    const mode = await childMode()
    // It leaves the mode by itself when its plan is approved.
    if (child.isPlanning || mode === 'plan')
      await Promise.race([child.process.setMode(mode), child.process.ended])
    child.isPlanning = mode === 'plan'
    return child
  }

  async function listen(message: ClaudeMessage): Promise<void> {
    if (message.kind === 'init') parts.onInit(message)
    if (message.kind === 'init' || message.kind === 'result') {
      const noting = current === undefined ? undefined : transcript.take(message, current)
      await noting?.catch((error) => current?.run.fail(error))
    }
    await current?.run.take(message)
  }

  async function noteFolder(event: unknown): Promise<object> {
    const folder = (event as { cwd?: unknown } | null)?.cwd
    if (typeof folder === 'string') cwd = folder
    return {}
  }

  /** Results are in the log before the model is asked again; and it isn't asked when the turn is to end, or is none of ours. */
  async function stepOver(event: unknown): Promise<object> {
    const turn = current
    const { tool_calls: made } = event as { tool_calls?: unknown }
    try {
      for (const each of Array.isArray(made) ? made : []) {
        const { tool_use_id: toolUseId, tool_response: response } = each ?? {}
        if (typeof toolUseId === 'string')
          await turn?.run.calls.take({ toolUseId, text: contentText(response) })
      }
    } catch (error) {
      turn?.run.fail(error)
    }
    const goesOn = turn !== undefined && !turn.turn.windUp.aborted
    return goesOn ? {} : { continue: false, stopReason: 'the turn was interrupted' }
  }

  /** A transcript that isn't here is told of, and the model begins anew with what the log knows. */
  async function converse(turn: BegunTurn): Promise<TurnOutcome> {
    const live = await ready()
    const result = await say(turn, live).catch(async (error: unknown) => {
      if (!isTranscriptLost(error, live, parts.home)) throw error
      await end('at_once')
      turn.turn.emit({ kind: 'shown', tool: 'claude', text: LOST_TRANSCRIPT })
      return say(turn, await start(undefined))
    })
    turn.turn.stop.throwIfAborted()
    return outcomeOf(turn.turn, result, parts.maxTurns)
  }

  async function say(turn: BegunTurn, live: LiveChild): Promise<TurnResult> {
    const knowsNothing = live.isNew && live.resumed === undefined
    live.isNew = false
    return turn.run.say(live.process, turn.words(knowsNothing))
  }

  /** The child is kept only where it has stopped, and where the turn is over and not only gone elsewhere. */
  async function stop({ turn, run }: BegunTurn): Promise<void> {
    const live = child
    const isOver = turn.stop.reason instanceof TurnOver
    const hasStopped = live === undefined || (isOver && (await run.halt(live.process)))
    if (!hasStopped) await end('at_once')
    run.over()
    // Whoever withdraws what the turn has asked must find all of it.
    await run.calls.settled()
    if (isOver)
      await run.calls.stopAll('the turn was interrupted while it ran; it may have had a part of its effect')
  }

  function cwdElsewhere(): string | undefined {
    return cwd === child?.folder ? undefined : cwd
  }

  /** Two processes with one transcript would not know of each other: the next one waits. */
  async function end(how: 'at_once' | 'gently'): Promise<void> {
    const live = child
    child = undefined
    if (live === undefined) return ending
    const closing = live.process.close(how).catch((error: unknown) => {
      parts.report({ doing: `ending the process of session ${session.id}`, error })
    })
    ending = Promise.all([ending, closing]).then(() => {})
    await ending
  }

  return {
    async runTurn(turn: EngineTurn) {
      // The host calls again about a turn in which something was said before its end.
      if (begun?.turn !== turn) begun = await beginTurn({ parts, session, turn, cwd: cwdElsewhere, naming })
      const running = begun
      current = running
      const windUp = () => {
        if (!running.run.calls.isRunning()) void child?.process.interrupt().catch(() => {})
      }
      turn.windUp.addEventListener('abort', windUp, { once: true })
      try {
        const outcome = await converse(running)
        await running.run.calls.stopAll('the turn ended before it was reported')
        return { ...outcome, ...running.told() }
      } catch (error) {
        if (!turn.stop.aborted) {
          await end('at_once')
          running.run.over()
          await running.run.calls.stopAll(`it ended while the tool ran: ${String(error)}`).catch(() => {})
          throw error
        }
        await stop(running)
        return { ...stoppedOutcome(turn), ...running.told() }
      } finally {
        turn.windUp.removeEventListener('abort', windUp)
        if (current === running) current = undefined
      }
    },
    async close() {
      isClosed = true
      await end(current === undefined ? 'gently' : 'at_once')
      current?.run.over()
      current = undefined
    },
  }
}

function isTranscriptLost(error: unknown, { resumed }: LiveChild, home: string): boolean {
  if (!(error instanceof ChildLost) || resumed === undefined) return false
  return /no conversation found/i.test(error.said ?? '') || !hasTranscript(home, resumed)
}
