/** What must hold when a claim is given back, or a key is barred: looked at in the moment in which it is committed. */
import type { Request } from '../../../src/core/request.ts'
import { isSame } from './told-checks.ts'

export interface ReleaseContext {
  now: number
  /** When the approval lapses, as it was set when the request was approved. */
  approvedUntil(request: string): number | undefined
  wasStopped(request: string): boolean
  broken(promise: string, words: string): void
}

const MOST_RELEASES = 10

/** The runner has given its claim back. */
export function isRelease(before: Request, after: Request): boolean {
  return before.state === 'running' && (after.state === 'approved' || after.state === 'cancelled')
}

export function checkRelease(before: Request, after: Request, book: ReleaseContext): void {
  const { id } = after
  const { broken } = book
  const [was, is] = [before.progress.released ?? [], after.progress.released ?? []]
  if (!isSame(was, is.slice(0, was.length)) || is.length > was.length + 1)
    broken('P4', `${id}: what was given back was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`)
  if (is.length > MOST_RELEASES) broken('P4', `${id} was given back ${is.length} times`)
  const last = is.length > was.length ? is.at(-1) : undefined
  if (last !== undefined && last.by !== after.submittedBy)
    broken('P6', `${id} of ${after.submittedBy} was given back by ${last.by}`)
  if (isRelease(before, after)) checkGivenBack(before, after, last, book)
  else if (last !== undefined) checkBarred(before, after, last, book)
  else if (before.state === 'approved' && after.state === 'approved')
    broken('P2', `${id} is approved again, and nothing was given back`)
  const { claim } = after.progress
  const isClaimed = before.state === 'approved' && after.state === 'running'
  if (isClaimed && is.some(({ key }) => key === claim?.key))
    broken('P4', `${id} was claimed by ${claim?.key}, which had given it back`)
}

type GivenBack = NonNullable<Request['progress']['released']>[number]

function checkGivenBack(
  before: Request,
  after: Request,
  last: GivenBack | undefined,
  { broken, now, approvedUntil, wasStopped }: ReleaseContext,
): void {
  const { id } = after
  const { claim, stop } = before.progress
  if (last === undefined || last.key !== claim?.key || last.claim !== claim.id || last.by !== claim.by)
    broken('P4', `${id} was given back as ${JSON.stringify(last)}; the claim was ${JSON.stringify(claim)}`)
  if (after.progress.claim !== undefined) broken('P4', `${id} was given back and is still claimed`)
  if (before.deadline !== null && before.deadline <= now)
    broken('P4', `${id} was given back after its lease had lapsed`)
  // A stop may be known to the node alone that was told of it.
  const isUntold = stop === undefined && after.state === 'cancelled' && wasStopped(id)
  const expected = stop === undefined && !isUntold ? 'approved' : 'cancelled'
  if (after.state !== expected)
    broken(
      'P5',
      `${id} was told ${stop === undefined ? 'nothing' : 'to stop'}, was given back, and is ${after.state}`,
    )
  if (after.state === 'approved' && after.deadline !== approvedUntil(id))
    broken('P5', `${id} was approved until ${approvedUntil(id)}; given back, it is until ${after.deadline}`)
}

/** Nobody gave anything back: a key that had not claimed can't do so any more. */
function checkBarred(before: Request, after: Request, last: GivenBack, { broken }: ReleaseContext): void {
  const { id } = after
  const isOpen = before.state === 'pending' || before.state === 'approved'
  if (!isOpen || after.state !== before.state || last.claim !== undefined)
    broken('P4', `${id} went from ${before.state} to ${after.state} and bars ${JSON.stringify(last)}`)
  const { released: _, ...was } = before.progress
  const { released: __, ...is } = after.progress
  if (!isSame(was, is) || before.deadline !== after.deadline)
    broken('P5', `${id}: more changed than that ${last.key} is barred`)
}
