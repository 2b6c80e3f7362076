/**
 * A call id has one request or record at a time. Another takes its place only where the request before ended without anybody's no
 * and without a run. Written down here a second time, apart from the gateway.
 */
import type { Request } from '../../../src/core/request.ts'

type Broken = (promise: string, words: string) => void

/** What takes a call id. */
export interface Successor {
  name: string
  digest: string
  /** What it says that it follows, to the store. */
  succeeds: string | undefined
  /** Absent: it is a record. */
  request?: string
  predecessor?: Request['predecessor']
}

const MOST = 5

export function checkSuccession(
  { name, digest, succeeds, request, predecessor }: Successor,
  before: { digest: string; request: Request | undefined } | undefined,
  broken: Broken,
): void {
  const what = request ?? 'a record'
  if (before === undefined) {
    if (succeeds !== undefined || predecessor !== undefined)
      broken('P4', `call ${name} became ${what}, which follows ${succeeds}; the call was never made before`)
    return
  }
  if (before.request === undefined) {
    broken('P4', `call ${name} became ${what}, and was a record`)
    return
  }
  const { id, state, progress } = before.request
  if (!mayBeFollowed(before.request))
    broken(
      state === 'rejected' || state === 'declined' || state === 'terminated' ? 'P2' : 'P4',
      `call ${name} became ${what}, and ${id} was ${state} ${progress.cancelled?.cause ?? ''}`,
    )
  if (succeeds !== id) broken('P4', `${what} of call ${name} follows ${succeeds}; the newest is ${id}`)
  if (digest !== before.digest) broken('P3', `${what} of call ${name} has other bytes than ${id}`)
  if (request === undefined) return
  const count = (before.request.predecessor?.count ?? 0) + 1
  if (predecessor?.id !== id || predecessor.count !== count)
    broken(
      'P4',
      `${what} names ${JSON.stringify(predecessor)} as the one before; it is number ${count} after ${id}`,
    )
  if (count > MOST) broken('P4', `call ${name} is asked about for the ${count + 1}th time`)
}

function mayBeFollowed({ state, progress }: Request): boolean {
  const cause = progress.cancelled?.cause
  if (state === 'cancelled') return cause === 'facts_changed' || cause === 'terms_changed'
  return state === 'lapsed' || state === 'expired' || state === 'unreachable'
}
