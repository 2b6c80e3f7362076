/**
 * What happens in other processes on the same store, for those here who follow it or are told to stop by it.
 *
 * A turn's events are in the memory of the process that runs it. Listeners at another process are told what is in the store:
 * each entry of the log as it is written, and what waits for a person. Pieces of text are not in the store, so here a
 * message comes as a whole.
 *
 * The store's hints say when to look; without one it is looked every second.
 */

import { contentOf } from '../../../core/call.ts'
import type { Interruption } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { type HostedSession, type RunningTurn, steered } from '../hosted-session.ts'
import { eventBodiesOf } from '../log/replay-turns.ts'
import { isInboundEntry, type KeptEntry, SessionLost } from '../log/turn-log.ts'
import { agentOf } from '../session-agent.ts'
import type { SessionTable } from '../session-table.ts'
import { createNudges, type Nudges } from './nudges.ts'

export interface RemoteSessions {
  /** Told of what other processes have written in a session. */
  hear(hosted: HostedSession, entries: readonly KeptEntry[]): void
  /** Somebody listens; what another process does in it is written in its event buffer from now on. */
  follow(hosted: HostedSession): Promise<{ leave(): void }>
  /** A turn has been started here, which others may put words into. */
  started(): void
  nudge: Nudges['leave']
  close(): void
}

export interface RemoteSessionsParts {
  holder: string
  sessions: () => SessionTable
  /** Somebody wants the turn to stop. */
  stop(hosted: HostedSession, running: RunningTurn, input: Interruption, by: Actor): void
  /** Another process has begun a turn in a session whose engine is open here. */
  begun(hosted: HostedSession): void
}

const LOOK_EVERY_MS = 1000
/** A conversation in which nothing goes on is looked at less often. */
const IDLE_LOOKS = 3
/** So many are looked at with each hint; more only as often as the clock says. */
const FEW = 50

export function createRemoteSessions(
  parts: SessionHostParts,
  { holder, sessions, stop, begun }: RemoteSessionsParts,
): RemoteSessions {
  const { gateway, clock, report } = parts
  const followed = new Map<HostedSession, number>()
  let timer: { cancel(): void } | undefined
  let looking = false
  let again = false
  let looks = 0
  let isClosed = false
  const nudges = createNudges(parts, holder)
  const hints = gateway.turns.onElsewhere(() => {
    if (isBusy() && followed.size <= FEW) void look(true)
  })

  function isBusy(): boolean {
    return followed.size > 0 || sessions().all().some(isActive)
  }

  function plan(): void {
    if (isClosed || timer !== undefined || !isBusy()) return
    timer = clock.after(LOOK_EVERY_MS, () => {
      timer = undefined
      looks++
      void look(looks % IDLE_LOOKS === 0).finally(plan)
    })
  }

  async function look(atIdle: boolean): Promise<void> {
    if (looking) {
      again = true
      return
    }
    looking = true
    try {
      do {
        again = false
        if (sessions().all().some(isActive)) await nudges.take((id) => sessions().get(id)?.log.refresh())
        for (const hosted of [...followed.keys()]) {
          if (atIdle || hosted.log.unfinished() !== undefined) await lookAt(hosted)
        }
      } while (again && !isClosed)
    } catch (error) {
      if (!isClosed) report({ doing: 'looking at what other processes do', error })
    } finally {
      looking = false
    }
  }

  async function lookAt(hosted: HostedSession): Promise<void> {
    if (hosted.running !== undefined) return
    await hosted.log.refresh()
    const turn = hosted.log.unfinished()
    if (turn === undefined || hosted.running !== undefined) return hosted.awaited.clear()
    const waiting = (await gateway.waiting(hosted.session, hosted.actor))?.items ?? []
    const ids = new Set(waiting.map(({ request }) => request.id))
    for (const [id, about] of hosted.awaited) about.isWaiting = ids.has(id)
    for (const { request } of waiting) {
      if (hosted.awaited.has(request.id) || hosted.running !== undefined) continue
      const { callId: call, tool, session, agent = hosted.agent } = request
      const about = { call, tool, arguments: contentOf(request.bytes).arguments, session, agent }
      hosted.awaited.set(request.id, { ...about, isWaiting: true })
      hosted.events.write(turn, { kind: 'call_waiting', ...about, request: request.id, at: clock.now() })
    }
  }

  return {
    hear(hosted, entries) {
      for (const entry of entries) {
        const { running } = hosted
        if (running !== undefined && entry.turn === running.turn && isInboundEntry(entry)) {
          if (entry.kind === 'interrupted') {
            const { how: kind, reason, by, role } = entry
            const input = { kind, ...defined({ reason }) }
            stop(hosted, running, input, { subject: by, role, via: 'agent' })
          } else {
            steered(parts, hosted, running, entry)
          }
          continue
        }
        running?.controller.abort(new SessionLost(hosted.session))
        if (entry.kind === 'begun' && isActive(hosted)) begun(hosted)
        // The first message says whom it is said to, unless the session was opened for an agent.
        else if ((entry.kind === 'begun' || entry.kind === 'opened') && hosted.parent === undefined)
          Object.assign(hosted, agentOf(parts, hosted.log.entries))
        // A task that is part of a turn is told of by whoever runs that.
        if (hosted.parent !== undefined) continue
        const { session, agent, events, log } = hosted
        const { turn, at } = entry
        for (const body of eventBodiesOf(entry, log.entries)) {
          const asked = body.kind === 'call_finished' ? askedFor(hosted, body.call) : undefined
          const request = asked === undefined ? {} : { request: asked }
          events.write(turn, { session, agent, at, ...body, ...request })
        }
      }
    },
    async follow(hosted) {
      followed.set(hosted, (followed.get(hosted) ?? 0) + 1)
      plan()
      const leave = () => {
        const left = (followed.get(hosted) ?? 1) - 1
        if (left > 0) followed.set(hosted, left)
        else followed.delete(hosted)
      }
      try {
        await lookAt(hosted)
      } catch (error) {
        leave()
        throw error
      }
      return { leave }
    },
    started: plan,
    nudge: nudges.leave,
    close() {
      isClosed = true
      hints.remove()
      timer?.cancel()
    },
  }
}

/** Other processes may have something to say to it. */
function isActive({ running, opened }: HostedSession): boolean {
  return running !== undefined || opened !== undefined
}

/** The request that was told to wait for the call. */
function askedFor({ awaited, session }: HostedSession, call: string): string | undefined {
  for (const [request, about] of awaited) if (about.session === session && about.call === call) return request
  return undefined
}
