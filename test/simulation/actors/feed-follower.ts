/**
 * Somebody who follows all that changes. When the node dies, or the line breaks, they go on at another node from the last
 * thing they saw: they must be given everything, once, in the order of the feed.
 */
import type { WatchEvent } from '../../../src/gateway/live/watch.ts'
import type { Machine } from '../world/machine.ts'
import type { World } from '../world/world.ts'

export interface Follower {
  start(): void
  /** How many entries it has seen. */
  seen(): number
}

export function createFollower(world: World): Follower {
  const { scheduler, random, faults } = world
  let seen = 0
  let cursor = '0'

  function follow(machine: Machine): void {
    const { life } = machine
    const again = (why: string) => {
      scheduler.after(random.between(50, 1000), `the follower goes on: ${why}`, () =>
        follow(random.pick(world.machines)),
      )
    }
    if (life?.gateway === undefined) {
      again('refused')
      return
    }
    const { gateway } = life
    const line = new AbortController()
    let isOver = false
    const end = (why: string) => {
      if (isOver) return
      isOver = true
      forget()
      line.abort()
      again(why)
    }
    const forget = life.onDeath(() => end('reset'))
    if (!faults.isQuiet() && random.chance(0.5))
      scheduler.after(random.between(500, 8000), 'the follower hangs up', () => end('hung up'))
    life.enter(() => {
      take(gateway.watch({ after: cursor, signal: line.signal }), () => isOver).then(
        () => end('ended'),
        () => end('failed'),
      )
    })
  }

  async function take(events: AsyncGenerator<WatchEvent, void>, isOver: () => boolean): Promise<void> {
    for await (const event of events) {
      if (isOver()) return
      if (event.kind === 'reset') {
        world.broken('P7', `the follower was told to begin anew after ${seen} entries`)
        return
      }
      const expected = world.ledger.entries[seen]
      if (expected?.chain !== event.entry.chain || expected.n !== event.entry.n) {
        world.broken(
          'P10',
          `the follower was given ${event.entry.chain} ${event.entry.n} where ${expected?.chain} ${expected?.n} should be`,
        )
        return
      }
      seen++
      cursor = event.cursor
    }
  }

  return { start: () => follow(random.pick(world.machines)), seen: () => seen }
}
