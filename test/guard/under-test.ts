/** What a guard under test needs of a gateway: its policy, its people and its time. */
import { defined } from '../../src/core/defined.ts'
import type { Actor } from '../../src/core/session.ts'
import { ana, type TestGateway } from '../../src/gateway/fixtures/test-gateway.ts'
import type { Gateway } from '../../src/gateway/gateway-verbs.ts'
import type { Guard } from '../../src/guard/contract.ts'
import type { GuardUnderTest } from '../../src/testing/guard-suite.ts'

/** The gateway as one agent's guard. */
export function asAgent(gateway: Gateway, as: Actor): Guard {
  return {
    judge: (call, options) => gateway.judge(call, { ...options, as }),
    hold: (call, options) => gateway.hold(call, { ...options, as }),
    guard: (call, run, options) => gateway.guard(call, run, { ...options, as }),
  }
}

export function peopleOf({
  gateway,
  store,
  clock,
}: Pick<TestGateway, 'gateway' | 'store' | 'clock'>): Pick<
  GuardUnderTest,
  'decide' | 'request' | 'pending' | 'advance'
> {
  return {
    decide: (id, input) => gateway.decide(id, input, ana),
    async request(id) {
      const { state, digest, terms, predecessor, sameCall } = (await store.get(id))!
      return {
        state,
        digest,
        allowedDecisions: terms.allowedDecisions,
        ...defined({ predecessor: predecessor?.id, sameCall }),
      }
    },
    async pending() {
      return (await store.list({ state: 'pending' })).items
    },
    async advance(ms) {
      // Each of a day's ticks would take its turn: but for the last minute the machine sleeps.
      clock.jump(Math.max(0, ms - 60_000))
      await clock.advance(Math.min(ms, 60_000))
      await gateway.expire()
    },
  }
}
