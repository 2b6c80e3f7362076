/**
 * The modes of sessions. One that asks less than `default` can be set, and counts, only while the configuration names it: a session
 * that has it when the configuration no longer does is judged as `default` (P5).
 */

import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { type Actor, isLaxMode, type LaxMode, MODES, type Mode, type Session } from '../../core/session.ts'

export interface SessionModes {
  /** As a session is judged. Absent: it has no mode of its own. */
  inForce(session: Pick<Session, 'mode'> | undefined): string | undefined
  /** The session as it is judged. */
  judged(session: Session): Session
  /** Those that the actor may set: the session's owner and admins may set any that are allowed here, others none. */
  settable(session: Pick<Session, 'owner'>, actor: Actor): Mode[]
  /** Throws where the actor may not set it. */
  check(session: Session, mode: string, actor: Actor): void
}

/** Edits inside the workspace are asked less about; all the rest is asked as ever. */
export const DEFAULT_LAX_MODES: readonly LaxMode[] = ['acceptEdits']

/** `allowed`: the modes that ask less than `default` and may be set now. */
export function createSessionModes(
  allowed: () => readonly LaxMode[] = () => DEFAULT_LAX_MODES,
): SessionModes {
  const isAllowed = (mode: string) => !isLaxMode(mode) || allowed().includes(mode)

  function inForce(session: Pick<Session, 'mode'> | undefined): string | undefined {
    const mode = session?.mode
    return mode === undefined || isAllowed(mode) ? mode : 'default'
  }

  return {
    inForce,
    judged(session) {
      const mode = inForce(session)
      return mode === undefined ? session : { ...session, mode }
    },
    settable: (session, actor) => (maySet(session, actor) ? MODES.filter(isAllowed) : []),
    check(session, mode, actor) {
      if (!isMode(mode))
        throw new BanksmanError(
          'invalid',
          `mode must be one of ${MODES.join(', ')}; found ${JSON.stringify(mode)}`,
        )
      if (!maySet(session, actor))
        throw reasonedError(
          'not_yours',
          reasonOf('session.mode-of-owner', { session: session.id, owner: session.owner }),
        )
      if (isAllowed(mode)) return
      const named = MODES.filter((one) => one === mode || (isLaxMode(one) && allowed().includes(one)))
      throw reasonedError(
        'disallowed',
        reasonOf('session.mode-not-allowed', { mode, modes: named.join(', ') }),
      )
    },
  }
}

function maySet({ owner }: Pick<Session, 'owner'>, actor: Actor): boolean {
  return actor.role === 'admin' || (actor.role !== 'agent' && actor.subject === owner)
}

function isMode(mode: string): mode is Mode {
  return (MODES as readonly string[]).includes(mode)
}
