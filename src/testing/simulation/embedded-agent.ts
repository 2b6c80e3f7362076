/**
 * An agent in the same process as its gateway, which `guard` does everything for. When the process dies, whoever started
 * the call makes it again, with the same id, in another one.
 */
import type { ToolCall } from '../../core/call.ts'
import type { Actor } from '../../core/session.ts'
import type { Life } from './machine.ts'
import { ask } from './network.ts'
import type { World } from './world.ts'

const MOST_TRIES = 30

export async function callFromWithin(world: World, call: ToolCall, actor: Actor): Promise<void> {
  const name = `${call.session}/${call.callId}`
  const { random, scheduler } = world
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const machine = random.pick(world.machines)
    const heard = await ask(world, machine, {
      doing: `${name} guard`,
      patienceMs: 'never',
      work: (gateway, life) => {
        let isRun = false
        const run = async (args: ToolCall['arguments'], context: { requestId?: string }) => {
          isRun = true
          world.hearing.ran(call, args, context.requestId, `${name} at ${life.chain}`)
          await runFor(life, random.between(0, 5000), name)
        }
        const guarded = gateway.guard(call, run, { as: actor, durable: true })
        return guarded.then((result) => {
          if (isRun !== (result.kind === 'ran'))
            world.broken('P5', `${name} is told ${result.kind}, and the tool has ${isRun ? '' : 'not '}run`)
          return result
        })
      },
    })
    const refused = heard.kind === 'heard' && heard.value.kind === 'refused' ? heard.value : undefined
    // A process that closes sends its callers to another one.
    if (heard.kind === 'heard' && !(refused?.mayRetry || refused?.code === 'closed')) return
    await scheduler.sleep(random.between(100, 1500), `${name} begins again`)
    // A call that expired stays expired: asking again under its id changes nothing.
    if (refused?.requestId !== undefined) return
  }
}

function runFor(life: Life, delayMs: number, name: string): Promise<void> {
  return new Promise((resolve) => void life.after(delayMs, `${name} has run`, resolve))
}
