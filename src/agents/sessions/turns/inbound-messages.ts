/**
 * What somebody says. It steers the turn that runs, here or at another process, or interrupts it where the engine wants that, and
 * begins one where none does. Words are kept first, at their place in the log; who runs the turn is a matter of its own, and the
 * lease says who.
 */

import type { Said, Saying, TurnEntry } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { emit, type HostedSession, type RunningTurn, steered } from '../hosted-session.ts'
import { leasedTurn, type SessionLease, type TakenLease } from '../nodes/session-lease.ts'
import { addressAgent, agentOf, unknownAgent } from '../session-agent.ts'
import type { StopTurn } from './stop-turn.ts'

export interface InboundMessageParts {
  /** Whether it is what this process has of the session: in one that was dropped no turn is begun, which nobody could stop. */
  isCurrent(hosted: HostedSession): boolean
  /** What is held of the session here is no longer true. */
  drop(hosted: HostedSession): Promise<void>
  take(hosted: HostedSession, turn: string): Promise<TakenLease>
  /** Runs a turn that has begun. */
  run(hosted: HostedSession, lease: SessionLease, turn: string): void
  /** Goes on with what another process left. */
  takeUp(hosted: HostedSession, lease: SessionLease): Promise<boolean>
  pursue(hosted: HostedSession): void
  nudge(holder: string, session: string): Promise<void>
  /** Stops the turn of a session, wherever it runs. */
  stop: StopTurn
  refuseClosed(): void
}

/** Undefined where the session has been dropped meanwhile: it is to be held anew. */
export type TakeMessage = (hosted: HostedSession, saying: Saying, by: string) => Promise<Said | undefined>

/** A turn that was told to stop at another process ends in a moment: so often, and so long in between, it is looked. */
const MAX_LOOKS = 50
const LOOK_AGAIN_MS = 200
const NEW_MESSAGE = 'a new message came'

export function createInboundMessages(parts: SessionHostParts, inbound: InboundMessageParts): TakeMessage {
  const { clock, report } = parts
  const { isCurrent, drop, take, run, takeUp, pursue, nudge, stop, refuseClosed } = inbound

  async function steer(hosted: HostedSession, running: RunningTurn, text: string, by: string): Promise<Said> {
    const { turn } = running
    const after = hosted.events.lastId(turn)
    const written = hosted.log.append({ kind: 'steered', turn, at: clock.now(), text, by })
    running.steering.add(written)
    await written.finally(() => running.steering.delete(written))
    steered(parts, hosted, running, { text, by })
    return { turn, kind: 'steered', after }
  }

  /** Undefined when a turn has begun at another process meanwhile. */
  async function begin(
    hosted: HostedSession,
    { text, origin }: Saying,
    by: string,
  ): Promise<Said | undefined> {
    const { log, agent, engine } = hosted
    if (engine === undefined) throw unknownAgent(parts, agent.name)
    const named = agent.name === parts.defaultAgent ? undefined : agent.name
    // Both at once: one commit for the words, and one for the right to act on them.
    const taking = take(hosted, log.nextTurn()).catch((error: unknown) => {
      report({ doing: `taking the turn of session ${hosted.session}`, error })
      return undefined
    })
    const begun = await log
      .offer((): TurnEntry | undefined => {
        if (
          log.unfinished() !== undefined ||
          agentOf(parts, log.entries, agent.name).agent.name !== agent.name
        )
          return undefined
        const said = { turn: log.nextTurn(), at: clock.now(), text, by }
        return { kind: 'begun', ...said, ...defined({ origin, agent: named }) }
      })
      .catch(async (error: unknown) => {
        await letGo(hosted, await taking)
        // Somebody else's by now: what is held here is no longer true.
        await drop(hosted)
        throw error
      })
    const taken = await taking
    if (begun?.kind !== 'begun') {
      await letGo(hosted, taken)
      return undefined
    }
    const { turn } = begun
    const after = hosted.events.lastId(turn)
    emit(parts, hosted, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by })
    if (taken?.kind === 'ours') run(hosted, taken.lease, turn)
    else {
      // An engine that is open there, with nothing to do.
      if (taken?.kind === 'theirs' && taken.lease !== undefined && leasedTurn(taken.lease) === undefined)
        await tell(taken.lease.holder, hosted)
      pursue(hosted)
    }
    return { turn, kind: 'begun', after }
  }

  /** The turn is unfinished, and does not run here. Undefined when it is to be looked at again. */
  async function join(
    hosted: HostedSession,
    turn: string,
    text: string,
    by: string,
  ): Promise<Said | undefined> {
    const { log, events } = hosted
    const taken = await take(hosted, turn)
    if (taken.kind === 'ours') {
      await takeUp(hosted, taken.lease)
      return undefined
    }
    if (interrupts(hosted) && !isStopped(hosted, turn)) {
      await interrupt(hosted)
      return undefined
    }
    const message = await log.offer(() => {
      if (log.unfinished() !== turn || isStopped(hosted, turn)) return undefined
      return { kind: 'steered', turn, at: clock.now(), text, by }
    })
    if (message === undefined) {
      if (log.unfinished() === turn) await new Promise<void>((resolve) => clock.after(LOOK_AGAIN_MS, resolve))
      await log.refresh()
      return undefined
    }
    const after = events.lastId(turn)
    const { session, agent } = hosted
    events.write(turn, { session, agent, at: clock.now(), kind: 'steered', text, by })
    if (taken.lease !== undefined) await tell(taken.lease.holder, hosted)
    return { turn, kind: 'steered', after }
  }

  /** By who says the message, who owns the session. It is looked at again until the turn is over. */
  async function interrupt({ session, actor }: HostedSession): Promise<void> {
    await stop(session, { kind: 'hard', reason: NEW_MESSAGE }, actor)
  }

  async function tell(holder: string, { session }: HostedSession): Promise<void> {
    await nudge(holder, session).catch((error) => {
      report({ doing: `telling who runs session ${session}`, error })
    })
  }

  return async (hosted, saying, by) => {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      if (!isCurrent(hosted)) return undefined
      addressAgent(parts, hosted, saying.agent)
      const { running } = hosted
      if (running !== undefined && !running.ending && !running.controller.signal.aborted) {
        if (!interrupts(hosted)) return steer(hosted, running, saying.text, by)
        await interrupt(hosted)
      }
      await running?.done.catch(() => {})
      refuseClosed()
      if (!isCurrent(hosted)) return undefined
      const turn = hosted.log.unfinished()
      const said =
        turn === undefined ? await begin(hosted, saying, by) : await join(hosted, turn, saying.text, by)
      if (said !== undefined) return said
    }
    throw reasonedError('already_claimed', reasonOf('session.stopping', { session: hosted.session }))
  }
}

async function letGo({ opened }: HostedSession, taken: TakenLease | undefined): Promise<void> {
  if (taken?.kind !== 'ours') return
  // One that was lost meanwhile is found out with the next turn.
  if (opened?.lease === taken.lease) await taken.lease.use(undefined).catch(() => {})
  else await taken.lease.end()
}

function interrupts({ engine }: HostedSession): boolean {
  return engine?.whenBusy === 'interrupt'
}

/** Nothing more is heard in it. */
function isStopped({ log }: HostedSession, turn: string): boolean {
  return log.of(turn).some((entry) => entry.kind === 'interrupted' && entry.how === 'hard')
}
