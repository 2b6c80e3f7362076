import type { Actor } from '../../../core/session.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { HostedSession } from '../hosted-session.ts'

/** Has the session's turn run here if nobody runs it, now or when whoever has it gives it back. */
export type PursueTurn = (hosted: HostedSession) => void

/** Whoever has just written the end of a turn gives its lease back in a moment. */
const PURSUE_AFTER_MS = [0, 100, 300, 1000, 3000] as const

export function createPursueTurn(
  { clock, report }: SessionHostParts,
  takeUp: (session: string, owner: Actor) => Promise<'ours' | 'theirs' | 'nothing'>,
  isClosed: () => boolean,
): PursueTurn {
  const pursued = new Set<string>()

  function tryLater(session: string, owner: Actor, tries: number): void {
    const delayMs = PURSUE_AFTER_MS[tries]
    // From here on it is found by looking.
    if (delayMs === undefined || isClosed()) return void pursued.delete(session)
    clock.after(delayMs, () => {
      if (isClosed()) return
      takeUp(session, owner)
        .catch((error) => {
          if (!isClosed()) report({ doing: `going on with session ${session}`, error })
          return 'theirs' as const
        })
        .then((became) => {
          if (became === 'theirs') tryLater(session, owner, tries + 1)
          else pursued.delete(session)
        })
    })
  }

  return ({ session, actor }) => {
    if (pursued.has(session)) return
    pursued.add(session)
    tryLater(session, actor, 0)
  }
}
