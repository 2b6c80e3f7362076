/**
 * An agent far from its node: it has calls reviewed, waits, claims, runs, renews and reports, all by messages. After a
 * lost reply it asks again with the same call id or the same key, at whichever node it finds.
 */
import type { ToolCall } from '../../../src/core/call.ts'
import type { Request } from '../../../src/core/request.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { ClaimResult } from '../../../src/gateway/lifecycle/claim.ts'
import { ask, askUntilHeard, type Heard, isPassing } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { runHeldCall } from './remote-runner.ts'

/** Puts one call through, to whatever end. */
export async function callFromAfar(world: World, call: ToolCall, actor: Actor): Promise<void> {
  const name = `${call.session}/${call.callId}`
  const reviewed = await askUntilHeard(world, {
    doing: `${name} review`,
    work: (gateway) => {
      world.ledger.calls.begins(call)
      return gateway.review(call, actor)
    },
  })
  if (reviewed.kind !== 'heard') return
  const { verdict, request, arguments: args } = reviewed.value
  if (request === undefined) {
    // It keeps a book of its own: what it has not run it may run, also when it hears of the permission the second time.
    if (verdict.kind === 'allow') world.hearing.runs({ call, arguments: args, by: name }).ended()
    return
  }
  const { random, faults } = world
  const side: Promise<void>[] = []
  if (random.chance(0.15)) side.push(cancelSometime(world, request.id, actor, name))
  if (!faults.strikes('agent died')) {
    const decided = await waitFor(world, request.id, name)
    if (decided?.state === 'approved' && !faults.strikes('agent died')) {
      // Two runners of one agent, each with a key of its own: one of them gets it.
      if (random.chance(0.1)) side.push(takeFromOther(world, decided, actor))
      if (random.chance(0.25)) side.push(claimAndRun(world, call, decided, actor, `${name}/b`))
      await claimAndRun(world, call, decided, actor, `${name}/a`)
    }
  }
  await Promise.all(side)
}

/** Another agent wants what is not its own: it must not even learn that there is such a request (P6). */
async function takeFromOther(world: World, { id, progress }: Request, owner: Actor): Promise<void> {
  const actor = { ...owner, subject: owner.subject === 'agent-1' ? 'agent-2' : 'agent-1' }
  const key = `${actor.subject} on ${id}`
  const heard = await askUntilHeard(world, {
    doing: `${key} claim`,
    about: id,
    work: (gateway) =>
      world.random.chance(0.5)
        ? gateway.claim(id, { digest: progress.approved!.digest, key }, actor).then(() => undefined)
        : gateway.cancel(id, {}, actor).then(() => undefined),
  })
  if (heard.kind === 'heard') world.broken('P6', `${key}: it was let`)
  if (heard.kind === 'failed' && !isPassing(heard.error) && heard.error.code !== 'unknown_id')
    world.broken('P6', `${key}: it was told ${heard.error.code}`)
}

async function cancelSometime(world: World, id: string, actor: Actor, name: string): Promise<void> {
  await world.scheduler.sleep(world.random.between(0, 6000), `${name} thinks better of it`)
  await cancelIt(world, id, actor, name)
}

export async function cancelIt(world: World, id: string, actor: Actor, name: string): Promise<void> {
  world.ledger.stops(id)
  const interrupted = world.random.chance(0.5)
  await askUntilHeard(world, {
    doing: `${name} cancel`,
    about: id,
    work: (gateway, life) => {
      life.stopping.add(id)
      return gateway.cancel(id, { interrupted }, actor)
    },
  })
}

/** Waits at one node after another until it is decided. */
async function waitFor(world: World, id: string, name: string): Promise<Request | undefined> {
  const isPatient = world.random.chance(0.7)
  for (let tries = 0; tries < 200; tries++) {
    const holdMs = world.random.between(500, 6000)
    const heard = await ask(world, world.random.pick(world.machines), {
      doing: `${name} wait`,
      about: id,
      work: (gateway) => gateway.wait(id, isPatient ? {} : { holdMs }),
      patienceMs: isPatient ? 'never' : holdMs + 2000,
    })
    if (heard.kind === 'heard' && heard.value.state !== 'pending') return heard.value
    if (heard.kind === 'failed' && !isPassing(heard.error)) return undefined
    await world.scheduler.sleep(world.random.between(10, 400), `${name} waits again`)
  }
  return undefined
}

async function claimAndRun(
  world: World,
  call: ToolCall,
  request: Request,
  actor: Actor,
  key: string,
): Promise<void> {
  const { id } = request
  const approved = request.progress.approved!.digest
  // Whoever does not look at what was approved goes by what it asked for.
  const digest = world.random.chance(0.2) ? request.digest : approved
  const claimed: Heard<ClaimResult> = await askUntilHeard(world, {
    doing: `${key} claim`,
    about: id,
    work: (gateway) => gateway.claim(id, { digest, key }, actor),
  })
  if (claimed.kind !== 'heard') return
  if (digest !== approved) world.broken('P3', `${key} claimed ${id} with a digest that was not approved`)
  const recorded = world.ledger.latest(id)?.progress.claim
  if (recorded?.key !== key)
    world.broken('P4', `${key} was given the claim of ${id}, which ${recorded?.key} has`)
  const { claimId, arguments: args } = claimed.value
  const remember = world.random.chance(0.3)
  const held = { call, actor, key, arguments: args, requestId: id, claimId, remember }
  const end = await runHeldCall(world, held)
  if (end !== 'paused' || world.random.chance(0.3)) return
  await world.scheduler.sleep(world.random.between(0, 1500), `${key} goes on`)
  await claimAndRun(world, call, request, actor, `${key}+`)
}
