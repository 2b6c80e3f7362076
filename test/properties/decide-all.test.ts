/** Several decisions at once, whatever they are: all of them are recorded, or nothing has changed. */
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../src/core/decision.ts'
import { isBanksmanError } from '../../src/core/errors.ts'
import type { Request } from '../../src/core/request.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import {
  ana,
  ask,
  askedRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../../src/gateway/fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const byAmount = (call: { arguments: Record<string, unknown> }): Verdict => {
  const amount = Number(call.arguments.amount)
  if (amount > 1000) return { kind: 'deny', because: 'over the limit' }
  if (amount > 100) return ask('large', { approvers: ['group:sre'], quorum: 2 })
  return ask('any')
}
const people = new Map(['ana', 'ben', 'dan'].map((name) => [name, { groups: ['sre', 'approvers'] }]))
const questions = [{ id: 'where', question: 'Where to?', options: [{ label: 'here' }, { label: 'there' }] }]
const askQuestion = (session: string) =>
  askedRequest(setup, { session, tool: 'ask_user_question', arguments: { questions } })
let calls = 0

describe('deciding several at once', () => {
  it('P2: whatever is answered, either all of it is recorded or nothing has changed', async () => {
    setup = await openTestGateway({ policy: policyFrom(byAmount), people })
    const input = fc.record(
      {
        decision: fc.constantFrom('approve', 'edit', 'reject', 'respond', 'answer', 'terminate', 'yes'),
        digest: fc.constantFrom('own', 'own', 'own', 'other'),
        arguments: fc.constantFrom({ amount: 7 }, { amount: 150 }, { amount: 5000 }, [], 'x'),
        text: fc.constantFrom('text', 5),
        scope: fc.constantFrom('once', 'session', 'ever'),
        answers: fc.constantFrom({ where: { choices: ['here'] } }, {}),
      },
      { requiredKeys: ['decision', 'digest'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(input, { minLength: 1, maxLength: 4 }), async (inputs) => {
        const requests: Request[] = []
        for (const [index] of inputs.entries()) {
          const question = index === 3 ? await askQuestion(`s3-${calls++}`) : undefined
          requests.push(
            question ??
              (await askedRequest(setup, {
                session: `s${requests.length}-${calls++}`,
                arguments: { amount: index === 2 ? 200 : 1 },
              })),
          )
        }
        const batch = inputs.map((each, index) => {
          const digest = each.digest === 'own' ? requests[index]!.digest : 'f'.repeat(64)
          return { id: requests[index]!.id, input: { ...each, digest } as DecisionInput }
        })
        const before = await setup.store.journal.cursor()
        const outcome = await setup.gateway.decideAll(batch, ana).catch((error: unknown) => error)
        const now = await Promise.all(requests.map(async ({ id }) => (await setup.store.get(id))!))
        if (Array.isArray(outcome)) {
          expect(outcome.map(({ request }) => request)).toEqual(now)
          for (const [index, request] of now.entries()) {
            const { progress } = request
            const said =
              progress.decision?.kind ?? (progress.votes?.at(-1)?.by === 'ana' ? 'voted' : 'nothing')
            const wanted = inputs[index]!.decision
            expect([wanted, request.state === 'pending' ? 'voted' : wanted]).toContain(said)
          }
        } else {
          expect(isBanksmanError(outcome)).toBe(true)
          expect(now).toEqual(requests)
          expect((await setup.store.journal.feed(before, 9)).events).toEqual([])
        }
      }),
      { numRuns: 150 },
    )
  })
})
