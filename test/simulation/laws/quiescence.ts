/**
 * Once nothing fails any more, everything must come to rest: every waiter has heard, every delivery was made and is up to
 * date, nothing waits that nobody can answer, and the journal adds up.
 */
import { LIVE_STATES } from '../../../src/core/request.ts'
import { pageJournal } from '../../../src/journal/journal-source.ts'
import { verifyJournal } from '../../../src/journal/verification/verify-journal.ts'
import type { Follower } from '../actors/feed-follower.ts'
import { LIVE } from '../world/channels.ts'
import type { World } from '../world/world.ts'
import { SETTINGS } from '../world/world-policy.ts'

export interface Unrest {
  promise: string
  words: string
}

/** What still moves; undefined when all is at rest. `active` are the agents and people who have not finished. */
export async function findUnrest(
  world: World,
  follower: Follower,
  active: ReadonlySet<string>,
): Promise<Unrest | undefined> {
  for (const name of active) return { promise: 'P7', words: `${name} still waits to hear something` }
  for (const { id, state } of world.ledger.requests()) {
    if (LIVE_STATES.includes(state)) return { promise: 'P8', words: `${id} is still ${state}` }
  }
  // By now all of them are over, and then nobody need see them in the live channel any more.
  const lasting = world.ledger.deliveries.filter(({ channel }) => channel !== LIVE)
  for (const { request, channel } of lasting) {
    const { version } = world.ledger.latest(request)!
    const shown = world.hearing.shown(channel, request)
    if (shown < version)
      return { promise: 'P1', words: `${channel} shows version ${shown} of ${request}; it is at ${version}` }
  }
  const { length } = world.ledger.entries
  if (follower.seen() < length)
    return { promise: 'P7', words: `the follower has seen ${follower.seen()} of ${length} entries` }
  for (const { request, channel } of lasting) {
    const { version } = world.ledger.latest(request)!
    const found = (await world.shared.memory.deliveries.list(request)).find((one) => one.channel === channel)
    if (found === undefined || found.shownVersion < version)
      return {
        promise: 'P1',
        words: `${request} counts as shown in ${channel} in version ${found?.shownVersion}, not ${version}`,
      }
  }
  return undefined
}

/** Longer than a presence lasts, a restarted node waits for people to come back, and it takes to look. */
const UNREACHED_MS = 3 * SETTINGS.presenceMs

/** A request that only a live channel could reach does not wait when nobody is there (P8). */
export function checkUnreached(world: World, quietSince: number, presentUntil: number): void {
  const since = Math.max(quietSince, presentUntil)
  if (world.scheduler.now() < since + UNREACHED_MS) return
  for (const request of world.ledger.requests()) {
    if (request.state === 'pending' && request.reach === 'live')
      world.broken('P8', `${request.id} waits in the live channel, where nobody is`)
  }
}

export async function checkJournal(world: World): Promise<void> {
  const report = await verifyJournal(pageJournal(world.shared.memory.journal))
  const [problem] = [...report.problems, ...report.chains.flatMap((chain) => chain.problems)]
  if (problem !== undefined) world.broken('P10', `the journal does not verify: ${problem.message}`)
  for (const { id, version } of world.ledger.requests()) {
    const kept = await world.shared.memory.get(id)
    if (kept?.version !== version)
      world.broken('P10', `${id} is at version ${kept?.version}; seen was ${version}`)
  }
}
