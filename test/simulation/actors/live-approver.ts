/** Somebody who comes to the live channel and goes again, at one node after another. */
import type { Actor } from '../../../src/core/session.ts'
import { LIVE } from '../world/channels.ts'
import type { Life } from '../world/machine.ts'
import { ask } from '../world/network.ts'
import type { World } from '../world/world.ts'

export async function runLiveApprover(world: World, actor: Actor, visits: number): Promise<void> {
  const { random, scheduler } = world
  for (let visit = 0; visit < visits; visit++) {
    await scheduler.sleep(random.between(0, 4000), `${actor.subject} comes`)
    const connection = `${actor.subject}-${visit}`
    const stayMs = random.between(1000, 9000)
    await ask(world, random.pick(world.machines), {
      doing: `${connection} arrives`,
      patienceMs: 'never',
      work: async (gateway, life) => {
        const { leave } = await gateway.arrive({ channel: LIVE, connection, subject: actor.subject })
        await stay(life, stayMs, connection)
        world.faults.count('presence left')
        leave()
      },
    })
  }
}

function stay(life: Life, delayMs: number, connection: string): Promise<void> {
  return new Promise((resolve) => void life.after(delayMs, `${connection} leaves`, resolve))
}
