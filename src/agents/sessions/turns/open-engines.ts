/**
 * Engines that are open, a session each. One that keeps its lease stays open after a turn, with the lease, until it is idle for long,
 * fails, loses the lease or this process closes. Engine first, lease second: nobody else gets the session while something runs here.
 */
import type { EngineCloseReason, EngineSession, OpenEngine } from '../engine.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { HostedSession, OpenedEngine, TurnStart } from '../hosted-session.ts'

export interface OpenEngines {
  /** The session's engine, opened if it isn't. */
  open(hosted: HostedSession): Promise<OpenEngine>
  /** A turn is over. `keep`: the engine can go on with the next one. */
  afterTurn(
    hosted: HostedSession,
    lease: TurnStart['lease'],
    end: { keep: boolean; reason: EngineCloseReason },
  ): Promise<void>
  /** Closes one that no turn runs in, and gives the lease back. */
  close(hosted: HostedSession, reason: EngineCloseReason): Promise<void>
}

const IDLE_MS = 10 * 60_000

export function createOpenEngines({ clock, report }: SessionHostParts): OpenEngines {
  function open(hosted: HostedSession): Promise<OpenEngine> {
    const { engine } = hosted
    if (engine === undefined)
      throw new Error(`this process doesn't have the agent of session ${hosted.session}`)
    if (hosted.opened === undefined) {
      const opened = {
        engine: engine.open(sessionFor(hosted, engine.kind)),
        lease: undefined,
        idle: undefined,
      }
      hosted.opened = opened
      // It is the turn's to tell; the next one opens another.
      opened.engine.catch(() => {
        if (hosted.opened === opened) hosted.opened = undefined
      })
    }
    return hosted.opened.engine
  }

  function sessionFor(hosted: HostedSession, kind: string): EngineSession {
    const { session, parent, agent, actor, log } = hosted
    return {
      id: session,
      parent,
      agent,
      owner: actor,
      entries: () => log.entries,
      note() {
        const note = log.entries.findLast((entry) => entry.kind === 'note' && entry.engine === kind)
        return note?.kind === 'note' ? note.data : undefined
      },
      failed(error) {
        report({ doing: `keeping the ${kind} engine of session ${session} open`, error })
        // In a turn it is the turn's to fail. One that is just ending hears of it no more, so it is closed after it.
        if (hosted.opened !== undefined) hosted.opened.hasFailed = true
        if (hosted.running === undefined) void close(hosted, 'failed')
      },
    }
  }

  async function close(hosted: HostedSession, reason: EngineCloseReason): Promise<void> {
    const { opened } = hosted
    if (opened === undefined) return hosted.closing
    hosted.opened = undefined
    opened.idle?.cancel()
    const closing = end(opened, reason)
      .catch((error) => report({ doing: `closing the engine of session ${hosted.session}`, error }))
      .then(() => opened.lease?.end())
      .finally(() => {
        if (hosted.closing === closing) hosted.closing = undefined
      })
    hosted.closing = closing
    await closing
  }

  async function end(opened: OpenedEngine, reason: EngineCloseReason): Promise<void> {
    const engine = await opened.engine.catch(() => undefined)
    await engine?.close(reason)
  }

  return {
    open,
    close,
    async afterTurn(hosted, lease, { keep, reason }) {
      const { opened, engine } = hosted
      const isKept =
        keep &&
        engine?.lease === 'open' &&
        hosted.parent === undefined &&
        opened !== undefined &&
        opened.hasFailed !== true
      if (!isKept || lease.end === undefined) {
        // Given back with the engine: who waits for its end must not take the lease again before that.
        if (opened !== undefined && lease.end !== undefined) opened.lease = lease as typeof opened.lease
        await close(hosted, opened?.hasFailed === true ? 'failed' : reason)
        await lease.end?.()
        return
      }
      opened.lease = lease as typeof opened.lease
      opened.idle = clock.after(engine.idleMs ?? IDLE_MS, () => {
        if (hosted.running === undefined) void close(hosted, 'idle')
      })
      await opened.lease?.use(undefined).catch((error) => {
        // Its lease goes with it.
        if (hosted.opened !== opened) return
        report({ doing: `noting that session ${hosted.session} is idle`, error })
      })
    },
  }
}
