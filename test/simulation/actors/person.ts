/**
 * A person: looks at what waits, at any node, and answers; sometimes late, sometimes twice, sometimes what they may not.
 * Now and then they revoke a grant, set a mode, settle an outcome or end a session.
 */
import type { DecisionInput } from '../../../src/core/decision.ts'
import { type Request, shownDigest } from '../../../src/core/request.ts'
import type { Actor } from '../../../src/core/session.ts'
import type { DecideResult } from '../../../src/gateway/deciding/decide-result.ts'
import { ask, askUntilHeard, type Heard } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { argumentsFor, SESSIONS } from '../world/world-policy.ts'
import { cancelIt } from './remote-agent.ts'

export async function runPerson(world: World, actor: Actor, actions: number): Promise<void> {
  const { random, scheduler, theme } = world
  const name = actor.subject
  /** As they were when they were first seen: some people answer what is on a page that they opened long ago. */
  const remembered = new Map<string, Request>()
  for (let action = 0; action < actions; action++) {
    await scheduler.sleep(random.between(20, theme.lookMs), `${name} looks up`)
    const listed = await ask(world, random.pick(world.machines), {
      doing: `${name} list`,
      work: (gateway) => gateway.list({ state: 'pending' }, actor),
    })
    if (listed.kind !== 'heard') continue
    for (const request of listed.value.items)
      if (!remembered.has(request.id)) remembered.set(request.id, request)
    const pending = listed.value.items
    if (random.chance(theme.besides)) await doSomethingElse(world, actor)
    if (pending.length === 0) continue
    await scheduler.sleep(random.between(0, theme.lookMs / 2), `${name} thinks`)
    if (pending.length > 1 && random.chance(0.15)) {
      await decideTogether(world, pending, actor)
      continue
    }
    const seen = random.pick(pending)
    const request = random.chance(0.3) ? remembered.get(seen.id)! : seen
    const input = answerTo(world, request)
    const decided = decideIt(world, request, input, actor)
    // Two windows are open, and the second says something else.
    if (random.chance(0.15)) await decideIt(world, request, answerTo(world, request), actor)
    await decided
  }
}

/** An answer to what was shown just now. */
export function answerAtOnce(world: World, request: Request, actor: Actor): Promise<void> {
  return decideIt(world, request, answerTo(world, request), actor)
}

async function decideIt(world: World, request: Request, input: DecisionInput, actor: Actor): Promise<void> {
  const { id } = request
  world.tally.decisions++
  world.ledger.sends(id, actor.subject, input.decision, input.digest)
  const heard: Heard<DecideResult> = await askUntilHeard(world, {
    doing: `${actor.subject} ${input.decision} ${id}`,
    about: id,
    work: (gateway) => gateway.decide(id, input, actor).then((decided) => note(world, decided, input, actor)),
  })
  if (heard.kind !== 'heard' || !heard.value.decided) return
  const recorded = world.ledger.latest(id)?.progress.decision
  if (recorded?.by !== actor.subject || recorded.kind !== input.decision)
    world.broken(
      'P2',
      `${actor.subject} was told that ${input.decision} holds for ${id}; on record is ${JSON.stringify(recorded)}`,
    )
}

/** In the node, where nothing is lost yet: of all who are told that they changed it there is one. */
function note(world: World, decided: DecideResult, input: DecisionInput, actor: Actor): DecideResult {
  if (decided.decided && !decided.repeated)
    world.hearing.won(decided.request.id, `${actor.subject} (${input.decision})`)
  return decided
}

async function decideTogether(world: World, pending: readonly Request[], actor: Actor): Promise<void> {
  const decision = world.random.pick(['approve', 'reject'] as const)
  const parts = pending.map((request) => ({
    id: request.id,
    input: { decision, digest: shownDigest(request) },
  }))
  for (const { id, input } of parts) world.ledger.sends(id, actor.subject, decision, input.digest)
  world.tally.decisions++
  await askUntilHeard(world, {
    doing: `${actor.subject} ${decision} ${parts.length} at once`,
    work: async (gateway) => {
      const all = await gateway.decideAll(parts, actor)
      return all.map((one) => note(world, one, { decision, digest: '' }, actor))
    },
  })
}

function answerTo({ random, theme }: World, request: Request): DecisionInput {
  const digest = shownDigest(request)
  if (request.kind === 'question') {
    if (random.chance(0.2)) return { decision: 'reject', digest }
    return { decision: 'answer', digest, answers: { which: { text: random.pick(['this', 'that']) } } }
  }
  const roll = random.fraction()
  if (roll < 0.1) return { decision: 'reject', digest, reason: 'not now' }
  if (roll < 0.15) return { decision: 'respond', digest, text: 'I did it myself' }
  if (roll < 0.17) return { decision: 'terminate', digest }
  if (roll < 0.35) return { decision: 'edit', digest, arguments: argumentsFor(random, request.tool) }
  if (!random.chance(theme.grants)) return { decision: 'approve', digest }
  const scope = random.pick(['session', 'always'] as const)
  const grant = {
    ...(random.chance(0.6) ? { uses: random.between(1, 2) } : {}),
    ...(random.chance(0.3) ? { expiresInMs: random.between(1000, 8000) } : {}),
    ...(scope === 'session' && random.chance(0.5) ? { includeSubSessions: true } : {}),
  }
  return { decision: 'approve', digest, scope, grant }
}

async function doSomethingElse(world: World, actor: Actor): Promise<void> {
  const { random, theme } = world
  const name = actor.subject
  if (random.chance(theme.endings)) {
    const session = random.pick(SESSIONS).id
    const heard = await askUntilHeard(world, {
      doing: `${name} ends ${session}`,
      work: (gateway) => gateway.endSession(session, { reason: 'enough' }, actor),
    })
    if (heard.kind === 'heard' && !world.ledger.calls.hasEnded(session))
      world.broken('P7', `${name} was told that session ${session} has ended, and it has not`)
    return
  }
  const roll = random.fraction()
  if (roll < 0.35) {
    const grants = await ask(world, random.pick(world.machines), {
      doing: `${name} grants`,
      work: (gateway) => gateway.grants({}, actor),
    })
    if (grants.kind !== 'heard' || grants.value.items.length === 0) return
    const { id } = random.pick(grants.value.items)
    const heard = await askUntilHeard(world, {
      doing: `${name} revoke ${id}`,
      work: (gateway) => gateway.revokeGrant(id, actor),
    })
    if (heard.kind === 'heard' && !world.ledger.isRevoked(id))
      world.broken('P7', `${name} was told that grant ${id} is revoked, and it is not`)
  } else if (roll < 0.6) {
    const mode = random.pick(['default', 'plan', 'dontAsk', 'default'])
    const session = random.pick(SESSIONS).id
    await askUntilHeard(world, {
      doing: `${name} mode ${mode} in ${session}`,
      work: (gateway) => gateway.setMode(session, mode, actor),
    })
  } else if (roll < 0.8) await settleOne(world, actor)
  else {
    const request = random.pick(
      world.ledger.requests().filter(({ state }) => state === 'approved' || state === 'running'),
    )
    if (request !== undefined) await cancelIt(world, request.id, actor, name)
  }
}

async function settleOne(world: World, actor: Actor): Promise<void> {
  const request = world.ledger.requests().find(({ state }) => state === 'unknown')
  if (request === undefined) return
  await askUntilHeard(world, {
    doing: `${actor.subject} settles ${request.id}`,
    about: request.id,
    work: (gateway) => gateway.settle(request.id, { outcome: 'error' }, actor),
  })
}
