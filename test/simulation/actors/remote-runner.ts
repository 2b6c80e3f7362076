/** A runner far from its node that has a call: it runs it, renews its lease, and reports or gives the call back, by messages. */

import type { ToolCall } from '../../../src/core/call.ts'
import { defined } from '../../../src/core/defined.ts'
import type { JsonObject } from '../../../src/core/json/json.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { Gateway } from '../../../src/gateway/gateway-verbs.ts'
import { ask, askUntilHeard } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { SETTINGS } from '../world/world-policy.ts'

export interface HeldCall {
  call: ToolCall
  actor: Actor
  key: string
  arguments: JsonObject
  /** Both where a person was asked. */
  requestId?: string | undefined
  claimId?: string | undefined
  remember: boolean
  /** Its runner is sure that the lease lasts, unless the store's clock has moved from this offset. */
  storeOffset?: number | undefined
}

/** `paused`: the call was given back, or may have been. */
export type RunEnd = 'died' | 'paused' | 'reported'

export async function runHeldCall(world: World, held: HeldCall): Promise<RunEnd> {
  const { call, key, requestId, claimId } = held
  const { random, scheduler } = world
  const run = world.hearing.runs({ ...held, request: requestId, by: key })
  if (world.faults.strikes('agent died')) return 'died'
  if (requestId !== undefined) await renewWhileRunning(world, requestId, claimId!, held.actor, key)
  else await scheduler.sleep(random.between(0, 3000), `${key} runs`)
  run.ended()
  if (random.chance(world.theme.pauses) && (await giveBack(world, held, random.chance(0.5)))) return 'paused'
  const result = held.remember ? { result: JSON.stringify({ v: 1, ok: true, value: run.value }) } : {}
  await askUntilHeard(world, {
    doing: `${key} report`,
    ...defined({ about: requestId }),
    work: (gateway) => report(gateway, held, result),
  })
  if (held.remember && random.chance(0.2)) await claimAnothers(world, call, held.actor)
  return 'reported'
}

function report(gateway: Gateway, { call, key, requestId, claimId, actor }: HeldCall, result: object) {
  const { session, callId } = call
  if (requestId === undefined)
    return gateway.reportHeld({ session, callId, key }, { outcome: 'ok', ...result }, actor)
  return gateway.report(requestId, { claimId: claimId!, outcome: 'ok', ...result }, actor).then(() => {})
}

/** False where it was refused: then the outcome is reported. Where nothing was heard, it may have been done. */
export async function giveBack(world: World, held: HeldCall, byKey: boolean): Promise<boolean> {
  const { call, key, requestId, claimId, actor } = held
  const { session, callId } = call
  const given = await askUntilHeard(world, {
    doing: `${key} release`,
    ...defined({ about: requestId }),
    work: async (gateway) => {
      if (requestId === undefined || byKey)
        return gateway.releaseHeld({ session, callId, key }, 'it pauses', actor)
      const which = claimId === undefined ? { key } : { claimId }
      const request = await gateway.release(requestId, { ...which, cause: 'it pauses' }, actor)
      return { requestId: request.id }
    },
  })
  if (given.kind === 'failed') return false
  if (given.kind === 'heard' && world.random.chance(0.5)) {
    const late = { ...held, requestId: given.value.requestId }
    world.begin(`${key}, too late`, () => comeTooLate(world, late))
  }
  return true
}

/** What was under way when the key was given back arrives: it must get nothing, and must end nobody else's run. */
async function comeTooLate(world: World, held: HeldCall): Promise<void> {
  const { call, key, requestId, claimId, actor } = held
  const { random, scheduler } = world
  await scheduler.sleep(random.between(0, 1500), `${key} is late`)
  const isReport = claimId !== undefined && random.chance(0.3)
  const heard = await ask(world, random.pick(world.machines), {
    doing: `${key} ${isReport ? 'report' : 'take'}, too late`,
    ...defined({ about: requestId }),
    patienceMs: 4000,
    work: async (gateway) => {
      if (isReport) return report(gateway, held, {}).then(() => 'reported')
      const waiting = { key, holdMs: 1000, ...defined({ waitsFor: requestId }) }
      return (await gateway.take(call, waiting, actor)).kind
    },
  })
  if (heard.kind === 'heard' && (heard.value === 'reported' || heard.value === 'held'))
    world.broken('P4', `${key} had given the call back, and ${heard.value} it too late`)
}

/** Another agent, or other bytes under the same id: neither gets the call, nor what was kept of it. */
async function claimAnothers(world: World, call: ToolCall, owner: Actor): Promise<void> {
  const isOther = world.random.chance(0.5)
  const subject = owner.subject === 'agent-1' ? 'agent-2' : 'agent-1'
  const actor = isOther ? { ...owner, subject } : owner
  const made = isOther ? call : { ...call, arguments: { ...call.arguments, besides: true } }
  const key = `${call.session}/${call.callId}/${isOther ? subject : 'other bytes'}`
  const heard = await ask(world, world.random.pick(world.machines), {
    doing: `${key} take`,
    work: (gateway) => gateway.take(made, { key, holdMs: 0, remember: true }, actor),
  })
  if (heard.kind === 'heard' && heard.value.kind !== 'refused')
    world.broken(isOther ? 'P6' : 'P3', `${key} is told ${heard.value.kind}`)
}

async function renewWhileRunning(
  world: World,
  id: string,
  claimId: string,
  actor: Actor,
  key: string,
): Promise<void> {
  const { scheduler, random } = world
  const until = scheduler.now() + random.between(0, 5000)
  const every = random.chance(0.8) ? SETTINGS.leaseMs / 3 : SETTINGS.leaseMs * 1.2
  while (scheduler.now() < until) {
    await scheduler.sleep(Math.min(every, until - scheduler.now()), `${key} runs`)
    if (scheduler.now() >= until) return
    const renewed = await renew(world, { id, claimId, actor, key })
    if (renewed.kind === 'heard' && renewed.value.stop) return
  }
}

export function renew(
  world: World,
  { id, claimId, actor, key }: { id: string; claimId: string; actor: Actor; key: string },
) {
  return ask(world, world.random.pick(world.machines), {
    doing: `${key} renew`,
    about: id,
    work: (gateway) => gateway.renew(id, claimId, actor),
  })
}
