/**
 * An agent in the same process as its gateway, which `guard` does everything for. When the process dies, whoever started
 * the call makes it again, with the same id, in another one; and so it does after its tool has paused, and sometimes after the
 * request has ended.
 */
import type { ToolCall } from '../../../src/core/call.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { Gateway } from '../../../src/gateway/gateway-verbs.ts'
import type { GuardResult, RunContext } from '../../../src/guard/contract.ts'
import type { Life } from '../world/machine.ts'
import { ask } from '../world/network.ts'
import type { World } from '../world/world.ts'

const MOST_TRIES = 30

export async function callFromWithin(world: World, call: ToolCall, actor: Actor): Promise<void> {
  const name = `${call.session}/${call.callId}`
  const { random, scheduler, theme } = world
  const remember = random.chance(0.4)
  let asksAgain = 2
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const heard = await ask(world, random.pick(world.machines), {
      doing: `${name} guard`,
      patienceMs: 'never',
      work: (gateway, life) => guardIt(world, gateway, life, { call, actor, remember, name }),
    })
    if (heard.kind === 'heard') {
      const result = heard.value
      const refused = result.kind === 'refused' ? result : undefined
      const isFirst = result.kind === 'ran' && result.replayed !== true
      // A process that closes sends its callers to another one.
      const isPassing = refused?.requestId === undefined && (refused?.mayRetry || refused?.code === 'closed')
      const goesOn =
        isPassing ||
        result.kind === 'released' ||
        (isFirst && random.chance(0.2)) ||
        (refused?.requestId !== undefined && asksAgain-- > 0 && random.chance(theme.again))
      if (!goesOn) return
    }
    await scheduler.sleep(random.between(100, 1500), `${name} begins again`)
  }
}

interface Guarded {
  call: ToolCall
  actor: Actor
  remember: boolean
  name: string
}

async function guardIt(
  world: World,
  gateway: Gateway,
  life: Life,
  { call, actor, remember, name }: Guarded,
): Promise<GuardResult<{ run: number }>> {
  const { random } = world
  let isRun = false
  let pauses = false
  const run = async (args: ToolCall['arguments'], { requestId, release }: RunContext) => {
    isRun = true
    const by = `${name} at ${life.chain}`
    const running = world.hearing.runs({ call, arguments: args, request: requestId, by })
    await runFor(life, random.between(0, 5000), name)
    running.ended()
    pauses = random.chance(world.theme.pauses)
    if (pauses) throw release('it pauses')
    return running.value
  }
  // Some only want to know first: the guard goes on from there.
  if (random.chance(0.1)) {
    world.ledger.calls.begins(call)
    await gateway.review(call, actor).catch(() => {})
  }
  world.ledger.calls.begins(call)
  const result = await gateway.guard(call, run, {
    as: actor,
    durable: true,
    ...(remember ? { remember } : {}),
  })
  const isReplayed = result.kind === 'ran' && result.replayed === true
  if (isReplayed) world.hearing.replayed(call, actor.subject, result, name)
  const hasRun = (result.kind === 'ran' && !isReplayed) || result.kind === 'released'
  if (isRun !== hasRun)
    world.broken('P5', `${name} is told ${result.kind}, and the tool has ${isRun ? '' : 'not '}run`)
  if (result.kind === 'released' && !pauses) world.broken('P5', `${name} is told that its tool paused`)
  return result
}

function runFor(life: Life, delayMs: number, name: string): Promise<void> {
  return new Promise((resolve) => void life.after(delayMs, `${name} has run`, resolve))
}
