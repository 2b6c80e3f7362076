/** The guard's contract in the process of the gateway. */
import { describe, expect, it } from 'vitest'
import { agent, openHouse, otherAgent } from '../../src/gateway/fixtures/house.ts'
import { describeGuard } from '../../src/testing/guard-suite.ts'
import { asAgent, peopleOf, SUITE_POLICY } from './under-test.ts'

describeGuard({ describe, expect, it }, 'the gateway, on SQLite', async () => {
  const house = await openHouse({ policy: SUITE_POLICY })
  const other = await house.beside()
  return {
    ...peopleOf(house),
    guard: asAgent(house.gateway, agent),
    another: asAgent(other.gateway, agent),
    stranger: asAgent(house.gateway, otherAgent),
    async close() {
      await other.close()
      await house.close()
    },
  }
})
