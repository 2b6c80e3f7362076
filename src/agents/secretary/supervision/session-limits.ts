/**
 * A session that has used up what it may use goes on only if its owner says so. They are asked by a request like any other, whatever the
 * policy says of it; a yes lets it use as much again, and everything else ends the turn (P5).
 */
import type { SessionUse } from '../../../core/secretary.ts'
import { durationText } from '../../../core/time/duration.ts'
import type { EngineTurn } from '../../sessions/engine.ts'
import { TurnOver } from '../../sessions/turn-over.ts'
import { limitsOf, type SecretarySettings } from '../secretary-settings.ts'
import type { SessionRecords } from '../session-records.ts'
import { sumOf, type UseMeter } from './use-meter.ts'

/** What the owner is asked about: in the policy it has this name. */
const CONTINUE_TOOL = 'continue_session'

export interface SessionLimitsParts {
  records: Pick<SessionRecords, 'find' | 'change'>
  settings: SecretarySettings
}

/** To be awaited before anything is done. Throws, and ends the turn, where it may not go on. */
export type CheckLimits = () => Promise<void>

export function createSessionLimits(
  { records, settings }: SessionLimitsParts,
  session: string,
  turn: Pick<EngineTurn, 'id' | 'guard' | 'end' | 'stop'>,
  meter: Pick<UseMeter, 'pending' | 'waiting'>,
): CheckLimits {
  let asking: Promise<void> | undefined
  const hasLimits = Object.keys(settings.budget).length > 0

  async function check(): Promise<void> {
    const record = await records.find(session)
    if (record === undefined) return
    const used = sumOf(record.used, meter.pending())
    const exceeded = exceededIn(used, limitsOf(settings, record))
    if (exceeded !== undefined) await ask(exceeded, record.extended)
  }

  async function ask({ because, limit }: Exceeded, extended: number): Promise<void> {
    const asked = { tool: CONTINUE_TOOL, arguments: limit, callId: `${turn.id}.continue.${extended}` }
    let over: (() => void) | undefined
    const expiresInMs = settings.approvalTimeoutMs
    const result = await turn
      .guard(asked, () => 'it goes on', {
        asks: { because },
        remember: true,
        expiresInMs,
        onAsked: () => {
          over ??= meter.waiting()
        },
      })
      .finally(() => over?.())
    turn.stop.throwIfAborted()
    if (result.kind !== 'ran' || !result.ok) {
      const answer = result.kind === 'refused' ? `: ${result.because}` : ''
      const end = new TurnOver('limit', `${because}${answer}`)
      // An engine may take what is thrown for a refusal of one call.
      turn.end(end)
      throw end
    }
    await records.change(session, (record) =>
      record.extended === extended ? { extended: extended + 1 } : undefined,
    )
  }

  return async () => {
    if (!hasLimits) return
    // Calls are made side by side, and one question is for all of them.
    asking ??= check().finally(() => {
      asking = undefined
    })
    await asking
  }
}

interface Exceeded {
  because: string
  limit: { used: string; limit: string }
}

function exceededIn(used: SessionUse, limits: Partial<SessionUse>): Exceeded | undefined {
  const { turns, workedMs, costUsd } = limits
  // The turn that is about to begin has been counted.
  if (turns !== undefined && used.turns > turns) return exceeded(`${used.turns - 1} turns`, `${turns} turns`)
  if (workedMs !== undefined && used.workedMs >= workedMs)
    return exceeded(`${durationText(wholeSeconds(used.workedMs))} of work`, durationText(workedMs))
  if (costUsd !== undefined && (used.costUsd ?? 0) >= costUsd)
    return exceeded(`$${(used.costUsd ?? 0).toFixed(2)}`, `$${costUsd.toFixed(2)}`)
  return undefined
}

function exceeded(used: string, limit: string): Exceeded {
  return {
    because: `the session has used ${used}, and its limit is ${limit}; approve to let it use as much again`,
    limit: { used, limit },
  }
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
