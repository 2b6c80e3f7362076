/**
 * What somebody says. It steers the turn that runs, here or at another process, and begins one where none does. Words are
 * kept first, at their place in the log; who runs the turn is a matter of its own, and the lease says who.
 */

import type { Said, Saying, TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { AgentParts } from '../loop/turn-state.ts'
import { emit, type HostedSession, type RunningTurn } from './hosted-session.ts'
import type { SessionLease, TakenLease } from './session-lease.ts'
import type { SessionTable } from './session-table.ts'

export interface InboundMessageParts {
  lines: SessionTable
  take(line: HostedSession, turn: string): Promise<TakenLease>
  /** Runs a turn that has begun. */
  run(line: HostedSession, tenure: SessionLease, turn: string): void
  /** Goes on with what another process left. */
  takeUp(line: HostedSession, tenure: SessionLease): Promise<boolean>
  pursue(line: HostedSession): void
  nudge(holder: string, session: string): Promise<void>
  refuseClosed(): void
}

export type TakeMessage = (line: HostedSession, saying: Saying, by: string) => Promise<Said>

/** A turn that was told to stop at another process ends in a moment: so often, and so long in between, it is looked. */
const MAX_LOOKS = 50
const LOOK_AGAIN_MS = 200

export function createInboundMessages(parts: AgentParts, words: InboundMessageParts): TakeMessage {
  const { clock, report } = parts
  const { lines, take, run, takeUp, pursue, nudge, refuseClosed } = words

  async function steer(line: HostedSession, running: RunningTurn, text: string, by: string): Promise<Said> {
    const { turn } = running
    const after = line.book.lastId(turn)
    const written = line.log.append({ kind: 'steered', turn, at: clock.now(), text, by })
    running.steering.add(written)
    await written.finally(() => running.steering.delete(written))
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'steered', text, by })
    return { turn, kind: 'steered', after }
  }

  /** Undefined when a turn has begun at another process meanwhile. */
  async function begin(line: HostedSession, { text, origin }: Saying, by: string): Promise<Said | undefined> {
    const { log } = line
    // Both at once: one commit for the words, and one for the right to act on them.
    const taking = take(line, log.nextTurn()).catch((error: unknown) => {
      report({ doing: `taking the turn of session ${line.session}`, error })
      return undefined
    })
    const begun = await log
      .offer((): TurnEntry | undefined => {
        if (log.unfinished() !== undefined) return undefined
        const said = { turn: log.nextTurn(), at: clock.now(), text, by }
        return { kind: 'begun', ...said, ...defined({ origin }) }
      })
      .catch(async (error: unknown) => {
        await letGo(await taking)
        // Somebody else's by now: what is held here is no longer true.
        lines.drop(line)
        throw error
      })
    const taken = await taking
    if (begun?.kind !== 'begun') {
      await letGo(taken)
      return undefined
    }
    const { turn } = begun
    const after = line.book.lastId(turn)
    emit(parts, line, { turn, shownTurn: turn }, { kind: 'turn_begun', text, by })
    if (taken?.kind === 'ours') run(line, taken.tenure, turn)
    else pursue(line)
    return { turn, kind: 'begun', after }
  }

  /** The turn is unfinished, and does not run here. Undefined when it is to be looked at again. */
  async function join(
    line: HostedSession,
    turn: string,
    text: string,
    by: string,
  ): Promise<Said | undefined> {
    const { log, book } = line
    const taken = await take(line, turn)
    if (taken.kind === 'ours') {
      await takeUp(line, taken.tenure)
      return undefined
    }
    const steered = await log.offer(() => {
      if (log.unfinished() !== turn || isStopped(line, turn)) return undefined
      return { kind: 'steered', turn, at: clock.now(), text, by }
    })
    if (steered === undefined) {
      if (log.unfinished() === turn) await new Promise<void>((resolve) => clock.after(LOOK_AGAIN_MS, resolve))
      await log.refresh()
      return undefined
    }
    const after = book.lastId(turn)
    const { session, agent } = line
    book.write(turn, { session, agent, at: clock.now(), kind: 'steered', text, by })
    await nudge(taken.lease.holder, session).catch((error) => {
      report({ doing: `telling who runs session ${session}`, error })
    })
    return { turn, kind: 'steered', after }
  }

  return async (line, saying, by) => {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const { running } = line
      if (running !== undefined && !running.ending && !running.controller.signal.aborted)
        return steer(line, running, saying.text, by)
      await running?.done.catch(() => {})
      refuseClosed()
      const turn = line.log.unfinished()
      const said =
        turn === undefined ? await begin(line, saying, by) : await join(line, turn, saying.text, by)
      if (said !== undefined) return said
    }
    throw new BanksmanError(
      'already_claimed',
      `a turn of session ${JSON.stringify(line.session)} was told to stop, and the process that runs it has not ended it yet; say it again in a moment`,
    )
  }
}

async function letGo(taken: TakenLease | undefined): Promise<void> {
  if (taken?.kind === 'ours') await taken.tenure.end()
}

/** Nothing more is heard in it. */
function isStopped({ log }: HostedSession, turn: string): boolean {
  return log.of(turn).some((entry) => entry.kind === 'interrupted' && entry.how === 'hard')
}
