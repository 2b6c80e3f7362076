/** Who may decide, as the directory says now; and the record of those who tried what they may not (P6). */

import { type Directory, mayApprove } from '../../core/authority.ts'
import type { MayApprove } from '../../core/decisions/votes.ts'
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Request } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { noSuchRequest } from './request-refusals.ts'

export interface Authority {
  directory(): Directory
  /** Brings the directory up to date. Absent where only this process changes it. */
  refresh: GatewayParts['refreshDirectory']
  /** Who may approve in this session: its owner counts too, where a person started it. */
  may(session: Session | undefined): MayApprove
  /** The error to throw. That somebody tried is recorded at most once a minute for a person and a request. */
  refuse(request: Request, actor: Actor, code: ErrorCode, why: Reason | string): Promise<BanksmanError>
  /** An agent's credential does nothing of a person's (P11), and does not learn that another's request exists (P6). */
  refuseAgent(request: Request, actor: Actor, what: string): Promise<BanksmanError>
}

export interface AuthorityPorts {
  directory: GatewayParts['directory']
  refreshDirectory: GatewayParts['refreshDirectory']
  store: Pick<Store, 'now' | 'journal'>
  journal: JournalWriter
  host: Pick<Host, 'report'>
}

const ONCE_IN_MS = 60_000
/** An attacker can make up requests to try on only as fast as agents open them; this bounds the memory all the same. */
const MAX_REMEMBERED = 10_000

export function createAuthority({
  directory,
  refreshDirectory,
  store,
  journal,
  host,
}: AuthorityPorts): Authority {
  /** When an attempt was last recorded, by person and request. */
  const attempts = new Map<string, number>()

  const refuse: Authority['refuse'] = async (request, actor, code, why) => {
    const key = JSON.stringify([actor.subject, request.id])
    const now = store.now()
    const last = attempts.get(key)
    if (last === undefined || now - last >= ONCE_IN_MS) {
      if (attempts.size >= MAX_REMEMBERED) attempts.clear()
      attempts.set(key, now)
      const { subject, role, via } = actor
      const entry = journal.entry('attempt.refused', { on: request.id, by: subject, role, via, code })
      // The refusal stands whether or not it can be recorded.
      await store.journal
        .append(entry)
        .catch((error) => host.report({ doing: 'writing down an attempt', error }))
    }
    const details = code === 'unknown_id' ? {} : { state: request.state }
    return typeof why === 'string' ? new BanksmanError(code, why, details) : reasonedError(code, why, details)
  }

  return {
    directory,
    refresh: refreshDirectory,
    may: (session) => (subject, condition) => mayApprove(subject, condition, directory(), session),
    refuse,
    refuseAgent: (request, actor, what) =>
      request.submittedBy === actor.subject
        ? refuse(request, actor, 'forbidden', `an agent's credential can't ${what} anything`)
        : refuse(request, actor, 'unknown_id', noSuchRequest(request.id)),
  }
}
