/**
 * An agent far from its node that holds calls by one exchange, as the client does: reviewed, waited for and claimed under a key,
 * which it repeats until it has heard the answer. A call that it gave back, or whose request ended, it makes again.
 */

import type { ToolCall } from '../../../src/core/call.ts'
import { defined } from '../../../src/core/defined.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { NotRun, Replayed } from '../../../src/guard/contract.ts'
import type { HeldData } from '../../../src/guard/create-held.ts'
import { ask, askUntilHeard } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { SETTINGS } from '../world/world-policy.ts'
import { giveBack, type HeldCall, renew, runHeldCall } from './remote-runner.ts'

type TakenHold = HeldData | Replayed | NotRun

const MOST_ROUNDS = 6
/** A tool that pauses again and again comes to the end of it. */
const MOST_PAUSES = 14
const MOST_TRIES = 100

export async function callByHolding(world: World, call: ToolCall, actor: Actor): Promise<void> {
  const { random, scheduler } = world
  const name = `${call.session}/${call.callId}`
  const remember = random.chance(0.5)
  if (random.chance(0.15)) await reviewFirst(world, call, actor, name)
  let asksAgain = 2
  const others: Promise<unknown>[] = []
  const rounds = random.chance(0.1) ? MOST_PAUSES : MOST_ROUNDS
  for (let round = 1; round <= rounds; round++) {
    const key = `${name}/t${round}`
    // Two windows of one agent: each takes it under a key of its own, and one of them gets it.
    if (round === 1 && random.chance(0.2))
      others.push(holdOnce(world, call, actor, `${name}/other`, remember))
    const end = await holdOnce(world, call, actor, key, remember)
    if (end === 'died' || end === 'over') break
    // Whoever has remembered it hears what it came to.
    if (end === 'reported' && !(remember && random.chance(0.5))) break
    if (end === 'refused' && asksAgain-- === 0) break
    await scheduler.sleep(random.between(0, 1500), `${name} makes it again`)
  }
  await Promise.all(others)
}

async function holdOnce(
  world: World,
  call: ToolCall,
  actor: Actor,
  key: string,
  remember: boolean,
): Promise<'died' | 'paused' | 'reported' | 'refused' | 'over'> {
  const told = await takeUntilTold(world, call, actor, key, remember)
  if (told === 'died') return 'died'
  if (told === undefined) return 'paused'
  const { taken, sentAt, storeOffset } = told
  if (taken.kind === 'refused') return world.random.chance(world.theme.again) ? 'refused' : 'over'
  if (taken.kind !== 'held') return 'over'
  const { arguments: args, requestId, claimId } = taken
  const held: HeldCall = { call, actor, key, arguments: args, requestId, claimId, remember, storeOffset }
  if (requestId !== undefined && world.scheduler.now() - sentAt > SETTINGS.leaseMs / 2) {
    held.storeOffset = world.shared.offset()
    const renewed = await renew(world, { id: requestId, claimId: claimId!, actor, key })
    if (renewed.kind !== 'heard' || renewed.value.stop) {
      await giveBack(world, held, true)
      return 'paused'
    }
  }
  return runHeldCall(world, held)
}

/** Undefined: it has given up, and given the call back. */
async function takeUntilTold(
  world: World,
  call: ToolCall,
  actor: Actor,
  key: string,
  remember: boolean,
): Promise<{ taken: TakenHold; sentAt: number; storeOffset: number } | 'died' | undefined> {
  const { random, scheduler } = world
  let waitsFor: string | undefined
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Who waits for as long as it takes finds out when nobody wakes it.
    const isPatient = waitsFor === undefined ? random.chance(0.2) : random.chance(0.8)
    const holdMs = waitsFor === undefined && random.chance(0.5) ? 0 : random.between(500, 6000)
    const sentAt = scheduler.now()
    const storeOffset = world.shared.offset()
    const taking = {
      key,
      remember,
      ...(isPatient ? {} : { holdMs }),
      ...defined({ waitsFor }),
    }
    const heard = await ask(world, random.pick(world.machines), {
      doing: `${key} take`,
      patienceMs: isPatient ? 'never' : holdMs + 2000,
      work: (gateway) => {
        if (taking.waitsFor === undefined) world.ledger.calls.begins(call)
        return gateway.take(call, taking, actor).then((taken) => noted(world, call, actor, key, taken))
      },
    })
    const taken = heard.kind === 'heard' ? heard.value : undefined
    if (taken?.kind === 'pending') {
      // Most go on waiting for what they were told of; some have forgotten it.
      waitsFor = random.chance(0.8) ? taken.requestId : undefined
    } else if (taken !== undefined && !isPassing(taken)) return { taken, sentAt, storeOffset }
    if (world.faults.strikes('agent died')) return 'died'
    if (random.chance(0.04)) {
      await giveBack(world, { call, actor, key, arguments: {}, remember, requestId: waitsFor }, true)
      return undefined
    }
    await scheduler.sleep(random.between(10, 400), `${key} takes again`)
  }
  return undefined
}

function isPassing(taken: TakenHold): boolean {
  return taken.kind === 'refused' && (taken.code.startsWith('store_') || taken.code === 'closed')
}

function noted(world: World, call: ToolCall, actor: Actor, key: string, taken: TakenHold): TakenHold {
  if (taken.kind === 'held') world.hearing.held(taken, key)
  if (taken.kind === 'ran') world.hearing.replayed(call, actor.subject, taken, key)
  return taken
}

/** It only wants to know, and holds the call later. */
async function reviewFirst(world: World, call: ToolCall, actor: Actor, name: string): Promise<void> {
  await askUntilHeard(world, {
    doing: `${name} review`,
    work: (gateway) => {
      world.ledger.calls.begins(call)
      return gateway.review(call, actor)
    },
  })
}
