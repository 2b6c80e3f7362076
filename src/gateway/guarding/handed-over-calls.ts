/**
 * Calls that somebody else runs, whom nobody can ask: a coding agent that was told "allowed" by its hook. Nothing of them is in
 * memory. The claim has a lease as long as such a call may take, and the runner's next words find it: by the session and the call's
 * id, or, of a call that was told without one, by its tool and arguments. Ids of claims and keys go to nobody.
 *
 * A call that is never reported becomes `unknown`, when its lease ends or when its session is over. Nobody has done anything wrong
 * then: the agent was closed, or its user said no after us. So nobody is asked to settle it.
 *
 * A call that nobody was asked about has no lease, because no person waits for its end: it is reported, or it isn't.
 */
import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { KnownCall, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { ClaimVerbs } from '../lifecycle/claim.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import type { CallAddress } from './allowed-holds.ts'
import type { LiveHolds } from './live-holds.ts'

export interface ReportedCall {
  session: string
  /** As its runner names it. Absent: it is found by its tool and arguments. */
  callId?: string | undefined
  tool: string
  /** Those that it ran with, where the runner says. */
  arguments?: JsonObject | undefined
  ok: boolean
  summary?: string | undefined
}

/** The call that was reported, where a person had changed it. */
export interface ReportedEdit {
  edited: JsonObject
  by?: string
  foundBy: 'id' | 'arguments'
}

export interface HandedOverVerbs {
  /** What became of a call that was handed over. One that nobody knows of is passed over. */
  reportHandedOver(call: ReportedCall, actor: Actor): Promise<ReportedEdit | undefined>
  /** Nothing runs in the session any longer: the outcome of what was not reported is unknown. Says how many those were. */
  endHandedOver(session: string, actor: Actor): Promise<number>
}

export interface HandedOverPorts {
  store: Pick<Store, 'get' | 'list' | 'lookup' | 'sessions'>
  claims: Pick<ClaimVerbs, 'report'>
  holds: Pick<LiveHolds, 'report'>
  changes: RequestChanges
  host: Pick<Host, 'observe'>
}

const OTHER_ARGUMENTS = 'it ran with other arguments than were approved: another hook changed them'

export function createHandedOverVerbs({
  store,
  claims,
  holds,
  changes,
  host,
}: HandedOverPorts): HandedOverVerbs {
  async function reportRequest(
    request: Request,
    { ok, summary, arguments: ran }: ReportedCall,
    actor: Actor,
    foundBy: ReportedEdit['foundBy'],
  ): Promise<ReportedEdit | undefined> {
    const { claim, approved, decision } = request.progress
    const said = isOther(approvedContent(request), ran) ? OTHER_ARGUMENTS : summary
    const outcome = { outcome: ok ? ('ok' as const) : ('error' as const), ...defined({ summary: said }) }
    await unlessReported(claims.report(request.id, { claimId: claim!.id, ...outcome }, actor))
    if (approved?.bytes === undefined) return undefined
    return { edited: contentOf(approved.bytes).arguments, foundBy, ...defined({ by: decision?.by }) }
  }

  async function reportAllowed(place: CallAddress, known: KnownCall, call: ReportedCall, actor: Actor) {
    const { hold } = known
    if (hold?.state !== 'running' || hold.key === undefined || hold.by !== actor.subject) return
    const outcome = { outcome: call.ok ? ('ok' as const) : ('error' as const), summary: call.summary }
    await unlessReported(holds.report({ ...place, key: hold.key }, outcome, actor))
  }

  /** Of several that are the same the oldest: whoever runs them one after the other reports them so. */
  async function findByArguments(
    { session, tool, arguments: ran }: ReportedCall,
    actor: Actor,
  ): Promise<Request | undefined> {
    if (ran === undefined) return undefined
    const running = await handedOverIn(session, actor)
    return running
      .filter((request) => {
        const content = approvedContent(request)
        const isUnnamed = request.progress.claim?.handedOver?.callId === undefined
        return isUnnamed && content?.tool === tool && !isOther(content, ran)
      })
      .sort((one, other) => one.progress.claim!.at - other.progress.claim!.at)[0]
  }

  async function handedOverIn(session: string, actor: Actor): Promise<Request[]> {
    const running = await readAllPages((next) => store.list({ state: 'running', session, ...next }))
    return running.filter(({ progress: { claim } }) => claim?.handedOver && claim.by === actor.subject)
  }

  return {
    async reportHandedOver(call, actor) {
      const { session, callId } = call
      if (callId !== undefined) {
        const found = await store.lookup(session, callId, '')
        const alias = found.known?.hold?.joined
        const known = alias === undefined ? found.known : (await store.lookup(session, alias, '')).known
        if (known?.request !== undefined) {
          const request = await store.get(known.request)
          const claim = request?.progress.claim
          const isThis = claim?.handedOver?.callId === callId && claim.by === actor.subject
          return request !== undefined && isThis ? reportRequest(request, call, actor, 'id') : undefined
        }
        if (known !== undefined) {
          await reportAllowed({ session, callId }, known, call, actor)
          return undefined
        }
      }
      const request = await findByArguments(call, actor)
      return request && reportRequest(request, call, actor, 'arguments')
    },

    async endHandedOver(session, actor) {
      const owner = (await store.sessions.get(session))?.owner
      if (owner !== actor.subject) return 0
      let ended = 0
      for (const seen of await handedOverIn(session, actor)) {
        const claimId = seen.progress.claim!.id
        const change = changes.change(
          seen.id,
          () => ({
            event: { kind: 'abandon', claimId },
            describe: (next) => ({
              type: 'request.lost',
              members: { by: actor.subject, cause: 'not_reported', state: next.to },
            }),
          }),
          seen,
        )
        // Reported in the same moment: that is better.
        const { request, changed } = await change.catch((error) => {
          if (!isBanksmanError(error, 'not_running')) throw error
          return { request: seen, changed: false }
        })
        if (!changed) continue
        host.observe({ kind: 'ended', state: request.state })
        ended++
      }
      return ended
    },
  }
}

/** Undefined once it was erased. */
function approvedContent({ bytes, progress }: Request): CallContent | undefined {
  const approved = progress.approved?.bytes ?? bytes
  return approved === '' ? undefined : contentOf(approved)
}

function isOther(approved: CallContent | undefined, ran: JsonObject | undefined): boolean {
  if (approved === undefined || ran === undefined) return false
  try {
    return canonicalize(approved.arguments) !== canonicalize(ran)
  } catch {
    return true
  }
}

/** The first word stands, and a hook that is heard twice says nothing new. */
async function unlessReported(report: Promise<unknown>): Promise<void> {
  await report.catch((error) => {
    if (!isBanksmanError(error, 'already_reported') && !isBanksmanError(error, 'not_running')) throw error
  })
}
