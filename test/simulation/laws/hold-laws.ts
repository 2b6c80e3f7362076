/** What must hold of one step of the hold of a call that nobody was asked about, in the moment in which it is committed. */
import type { CallHold } from '../../../src/core/call-hold.ts'
import type { CallRecord, HoldChange } from '../../../src/stores/store.ts'
import { isSame } from './told-checks.ts'

type Broken = (promise: string, words: string) => void

export interface HoldStepSeen {
  name: string
  before: CallHold | undefined
  after: CallHold
  change: HoldChange
  owner: string
}

/** Without a hold the call was run at once: it can only be given back. */
const NEXT: Record<CallHold['state'] | 'at once', CallHold['state'][]> = {
  'at once': ['released'],
  reviewed: ['reviewed', 'running'],
  running: ['done', 'released'],
  released: ['released', 'running'],
  done: [],
}
const MOST_RELEASES = 10

export function checkHoldAtRecord(call: CallRecord, hold: CallHold, broken: Broken): void {
  const name = `the hold of ${call.session} ${call.callId}`
  const isNew = hold.version === 1 && (hold.state === 'reviewed' || hold.state === 'running')
  if (call.verdict !== 'allow' || !isNew || hold.released !== undefined || hold.outcome !== undefined)
    broken('P4', `${name}, which was ${call.verdict}, begins as ${JSON.stringify(hold)}`)
  if (hold.by !== call.submittedBy) broken('P6', `${name} is that of ${hold.by}`)
}

export function checkHoldStep({ name, before, after, change, owner }: HoldStepSeen, broken: Broken): void {
  const was = before?.state ?? 'at once'
  const version = before?.version ?? 0
  if (change.version !== version || after.version !== version + 1)
    broken('P4', `${name} went from version ${version} to ${after.version}, by a change of ${change.version}`)
  if (!NEXT[was].includes(after.state)) broken('P4', `${name} went from ${was} to ${after.state}`)
  if (after.by !== owner) broken('P6', `${name} is that of ${after.by}; the call is that of ${owner}`)
  const [gone, released] = [before?.released ?? [], after.released ?? []]
  const isLonger = released.length - gone.length
  if (!isSame(gone, released.slice(0, gone.length)) || isLonger > 1)
    broken(
      'P4',
      `${name}: what was given back was ${JSON.stringify(gone)} and is ${JSON.stringify(released)}`,
    )
  if (released.length > MOST_RELEASES) broken('P4', `${name} was given back ${released.length} times`)
  if ((isLonger === 1) !== (after.state === 'released' || was === after.state))
    broken('P4', `${name} went from ${was} to ${after.state} with ${isLonger} more keys that were given back`)
  if (was === 'running' && after.state === 'released' && released.at(-1)?.key !== before?.key)
    broken('P4', `${name} was that of ${before?.key}, and ${released.at(-1)?.key} gave it back`)
  if (was === 'running' && after.state === 'done' && after.key !== before?.key)
    broken('P4', `${name} was that of ${before?.key}, and ${after.key} reported it`)
  if (after.state === 'done' && after.outcome === undefined)
    broken('P4', `${name} is done without an outcome`)
  if (after.state !== 'running') return
  if (released.some(({ key }) => key === after.key))
    broken('P4', `${name} was taken by ${after.key}, which had given it back`)
}
