/** The two guards that everything behind a guard is tested with: in the process of the gateway on SQLite, and over HTTP. */
import { createClient } from '../../src/client/create-client.ts'
import { agent, openTestGateway, otherAgent } from '../../src/gateway/fixtures/test-gateway.ts'
import type { GuardUnderTest } from '../../src/testing/guard-suite.ts'
import { openHttpGateway } from '../fixtures/http-gateway.ts'
import { SUITE_POLICY } from './suite-policy.ts'
import { asAgent, peopleOf } from './under-test.ts'

export async function openNear(): Promise<GuardUnderTest> {
  const setup = await openTestGateway({ policy: SUITE_POLICY })
  const other = await setup.beside()
  return {
    ...peopleOf(setup),
    guard: asAgent(setup.gateway, agent),
    another: asAgent(other.gateway, agent),
    stranger: asAgent(setup.gateway, otherAgent),
    async close() {
      await other.close()
      await setup.close()
    },
  }
}

export async function openFar(): Promise<GuardUnderTest> {
  const http = await openHttpGateway({ setup: { policy: SUITE_POLICY } })
  const { url } = http.server.address
  return {
    ...peopleOf(http.setup),
    guard: createClient({ url, token: http.tokens['agent-1'] }),
    another: createClient({ url, token: http.tokens['agent-1'] }),
    stranger: createClient({ url, token: http.tokens['agent-2'] }),
    close: () => http.close(),
  }
}
