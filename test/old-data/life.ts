/**
 * A store's life, short and whole: requests in every state, calls that nobody was asked about, grants, sessions, tokens,
 * deliveries, turns, leases, settings and two chains of the journal. Written by the gateway itself, with a clock that is moved.
 */
import type { ToolCall } from '../../src/core/call.ts'
import type { DecisionInput } from '../../src/core/decision.ts'
import type { Request } from '../../src/core/request.ts'
import type { Actor } from '../../src/core/session.ts'
import type { Gateway } from '../../src/gateway/gateway-verbs.ts'
import { createChainWriter } from '../../src/journal/index.ts'
import { createInboxChannel } from '../../src/people/inbox/channel.ts'
import { compilePolicy } from '../../src/policy/index.ts'
import { composeGateway } from '../../src/server/composition/compose-gateway.ts'
import type { Store } from '../../src/stores/store.ts'
import type { FakeClock } from '../../src/testing/fake-clock.ts'

export const agent: Actor = { subject: 'coder', role: 'agent', via: 'library' }
export const ana: Actor = { subject: 'ana', role: 'admin', via: 'inbox' }
export const ben: Actor = { subject: 'ben', role: 'approver', via: 'terminal' }

const MINUTE = 60_000
export const START = Date.UTC(2026, 8, 1, 9)

const POLICY = {
  allow: ['read_*'],
  deny: ['drop_*'],
  ask: ['send_mail', 'run_sql'],
  rules: [{ name: 'production', when: { tool: 'deploy' }, then: 'ask', quorum: 2, severity: 'critical' }],
}

export async function openOn(store: Store, clock: FakeClock, chain: string): Promise<Gateway> {
  return composeGateway({
    store,
    clock,
    chain: createChainWriter(chain),
    policy: { current: () => policy },
    directory: { current: () => ({ owner: 'ana', people: new Map([['ben', { groups: ['approvers'] }]]) }) },
    channels: [createInboxChannel()],
    self: agent,
    report: ({ doing, error }) => {
      throw new Error(`${doing}: ${error}`)
    },
  })
}

const policy = compilePolicy(POLICY)

/** Fills an empty store, and closes the gateway. */
export async function live(store: Store, clock: FakeClock): Promise<void> {
  const first = await openOn(store, clock, 'first')
  let calls = 0
  const submit = async (parts: Pick<ToolCall, 'tool' | 'arguments'> & Partial<ToolCall>) =>
    (await first.review({ callId: `call-${++calls}`, session: 'shop', ...parts }, agent)).request
  const mail = async (to: string, session = 'shop'): Promise<Request> =>
    (await submit({ tool: 'send_mail', arguments: { to, subject: 'Your order' }, session }))!
  const decide = (request: Request, input: Omit<DecisionInput, 'digest'>, by = ana) =>
    first.decide(request.id, { digest: request.digest, ...input } as DecisionInput, by)
  const claim = async (request: Request) =>
    (await first.claim(request.id, { digest: request.digest, key: `key-${request.callId}` }, agent)).claimId

  await submit({ tool: 'read_file', arguments: { path: 'src/prices.ts' }, cwd: '/srv/shop' })
  await submit({ tool: 'drop_table', arguments: { table: 'orders' } })
  await submit({ tool: 'read_file', arguments: { path: 'a' }, session: 'child', parentSession: 'shop' })
  await first.flush()

  // In the past: what was decided, ran, lapsed, was lost.
  const lapsed = await mail('lapsed@example.com')
  await decide(lapsed, { decision: 'approve' })
  const lost = await mail('lost@example.com')
  await decide(lost, { decision: 'approve', reason: 'go on' })
  await claim(lost)
  await mail('expired@example.com', 'late')
  await clock.advance(25 * 60 * MINUTE)
  await first.expire()
  await clock.advance(MINUTE)

  const done = await mail('done@example.com')
  await decide(done, { decision: 'approve', scope: 'always', grant: { suggestion: 'argument:/to', uses: 3 } })
  await first.report(done.id, { claimId: await claim(done), outcome: 'ok', summary: 'sent' }, agent)
  const failed = (await submit({ tool: 'run_sql', arguments: { query: 'SELECT 1' } }))!
  await decide(failed, { decision: 'edit', arguments: { query: 'SELECT 2' } })
  const edited = (await first.get(failed.id, ana)).progress.approved!.digest
  const { claimId } = await first.claim(failed.id, { digest: edited, key: 'key-edited' }, agent)
  await first.report(failed.id, { claimId, outcome: 'error', summary: 'no such table' }, agent)
  await decide(await mail('rejected@example.com', 'other'), { decision: 'reject', reason: 'not now' })
  await decide((await submit({ tool: 'run_sql', arguments: { query: 'SELECT 3' } }))!, {
    decision: 'respond',
    text: 'there are 12',
  })
  await decide(await mail('terminated@example.com', 'over'), { decision: 'terminate', reason: 'enough' })
  const withdrawn = (await submit({ tool: 'run_sql', arguments: { query: 'SELECT 4' } }))!
  await first.cancel(withdrawn.id, { reason: 'changed my mind' }, agent)
  const question = {
    tool: 'ask_user_question',
    arguments: { questions: [{ id: 'q', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] },
  }
  await decide((await submit(question))!, { decision: 'answer', answers: { q: { choices: ['A'] } } })
  await submit(question)

  // Now: what waits, what was approved, what runs.
  const running = (await submit({ tool: 'run_sql', arguments: { query: 'SELECT 5' } }))!
  await decide(running, { decision: 'approve' })
  await claim(running)
  await decide((await submit({ tool: 'run_sql', arguments: { query: 'SELECT 6' } }))!, {
    decision: 'approve',
  })
  const voted = (await submit({ tool: 'deploy', arguments: { to: 'production', token: 'x'.repeat(20) } }))!
  await decide(voted, { decision: 'approve' }, ben)
  await submit({
    tool: 'deploy',
    arguments: { to: '生产', when: 1.5 },
    agent: { name: 'releaser', parents: ['planner'] },
    context: 'It is Friday.',
  })
  await first.setMode('shop', 'acceptEdits', ana)
  await first.tokens.create({ role: 'agent', subject: 'coder', label: 'laptop' }, ana)
  const token = await first.tokens.create({ role: 'approver', subject: 'ben' }, ana)
  await first.tokens.revoke(token.token.id, ana)
  await first.close()

  const second = createChainWriter('second')
  const entry = (type: 'session.begun' | 'policy.applied') => second.draft(type, store.now(), {})
  for (const [at, turn] of [{ said: 'hello' }, { answered: 'hi' }].entries()) {
    const session = { id: 'talk', owner: 'ana', ownerRole: 'admin' as const }
    await store.turns.append({ session, at, turn, unfinished: at === 0, entry: entry('session.begun') })
  }
  await store.settings.set('kept', { a: [1, 'two', null] }, entry('policy.applied'))
  await store.leases.take({ name: 'work', holder: 'node-1', leaseMs: MINUTE })
  await store.journal.append(entry('policy.applied'))
}
