/** Nine days of work, made up: written by a real gateway whose clock runs ahead, onto the server's own database. */
import { homedir } from 'node:os'
import type { ToolCall } from '../../src/core/call.ts'
import type { DecisionInput } from '../../src/core/decision.ts'
import { agent, ana, ben, openTestGateway } from '../../src/gateway/fixtures/test-gateway.ts'
import { compilePolicy, type PolicyBlock, type ToolBlock } from '../../src/policy/index.ts'
import { createFactsGatherer } from '../../src/server/facts/gather-facts.ts'
import { createFakeClock } from '../../src/testing/fake-clock.ts'

const DAYS = 9
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** What the agents did, over and over. `waited`: minutes until somebody answered; without an answer it expires. */
const WORK: readonly { call: Pick<ToolCall, 'tool' | 'arguments'>; answer?: Answer; waited?: number }[] = [
  { call: { tool: 'read_file', arguments: { path: 'src/cart.ts' } } },
  { call: { tool: 'Bash', arguments: { command: 'npm test' } } },
  { call: { tool: 'Bash', arguments: { command: 'git status' } } },
  { call: { tool: 'Bash', arguments: { command: 'git push origin main' } }, answer: 'approve', waited: 2 },
  { call: { tool: 'list_orders', arguments: { day: 'today' } } },
  { call: mail('kim@example.com', 'Your order is on its way'), answer: 'approve', waited: 0.005 },
  { call: mail('lin@example.com', 'Your order is on its way'), answer: 'approve', waited: 0.004 },
  { call: mail('sam@example.com', 'Your order is on its way'), answer: 'approve', waited: 0.006 },
  { call: { tool: 'drop_production', arguments: { table: 'orders' } } },
  {
    call: { tool: 'Bash', arguments: { command: 'npm install left-pad && git commit -am "Pad left"' } },
    answer: 'reject',
    waited: 4,
  },
  { call: mail('all@example.com', 'Sale!'), answer: 'reject', waited: 1 },
  { call: { tool: 'read_file', arguments: { path: 'src/prices.ts' } } },
  {
    call: { tool: 'run_sql', arguments: { query: 'SELECT count(*) FROM orders' } },
    answer: 'approve',
    waited: 8,
  },
  { call: { tool: 'run_sql', arguments: { query: 'DELETE FROM carts WHERE age > 30' } } },
  { call: { tool: 'list_prices', arguments: { currency: 'EUR' } } },
]

function mail(to: string, subject: string) {
  return { tool: 'send_mail', arguments: { to, subject } }
}

type Answer = 'approve' | 'reject'

export interface Shop {
  policy: PolicyBlock
  tools: Record<string, ToolBlock>
}

export async function makePast(database: string, folder: string, shop: Shop): Promise<void> {
  const clock = createFakeClock(Date.now() - DAYS * DAY)
  const policy = compilePolicy(shop.policy, { tools: shop.tools, roots: [folder], home: homedir() })
  const setup = await openTestGateway({
    path: database,
    clock,
    policy,
    gatherFacts: createFactsGatherer({ lookups: policy.lookups, now: clock.now, home: homedir() }),
    settings: { expiresInMs: 3 * 60 * MINUTE },
    people: new Map([
      ['ana', { groups: ['approvers', 'sre'] }],
      ['ben', { groups: ['approvers', 'sre'] }],
    ]),
  })
  let number = 0
  for (let day = 0; day < DAYS; day++) {
    for (let round = 0; round < 2 + ((day * 5) % 4); round++) {
      for (const { call, answer, waited = 0 } of WORK) {
        // What nobody answers is the exception.
        if (call.tool === 'run_sql' && answer === undefined && round > 0) continue
        const { request } = await setup.gateway.review(
          {
            ...call,
            callId: `past-${++number}`,
            session: `nightly-${day + 1}`,
            agent: { name: 'coder', parents: ['planner'] },
            cwd: folder,
          },
          agent,
        )
        await clock.advance(waited * MINUTE)
        if (request === undefined || answer === undefined) continue
        const by = number % 3 === 0 ? ben : ana
        const decision: DecisionInput = {
          decision: answer,
          digest: request.digest,
          ...(answer === 'reject' ? { reason: 'Not without the team.' } : {}),
        }
        await setup.gateway.decide(request.id, decision, by)
        if (answer === 'approve') await run(request.id, request.digest)
      }
      await clock.advance(40 * MINUTE)
    }
    await clock.advance(DAY - (clock.now() - (Date.now() - DAYS * DAY) - day * DAY))
  }
  await clock.advance(4 * 60 * MINUTE)
  await setup.close()

  async function run(id: string, digest: string): Promise<void> {
    const { claimId } = await setup.gateway.claim(id, { digest, key: id }, agent)
    await setup.gateway.report(id, { claimId, outcome: 'ok', summary: 'done in 1.2 s' }, agent)
  }
}
