/** The guard's contract over HTTP: a real server, the real client. */
import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { describeGuard } from '../../src/testing/guard-suite.ts'
import { openHttpHouse } from '../http-house.ts'
import { peopleOf, SUITE_POLICY } from './under-test.ts'

describeGuard({ describe, expect, it }, 'the client, over HTTP', async () => {
  const http = await openHttpHouse({ house: { policy: SUITE_POLICY } })
  const { url } = http.server.address
  return {
    ...peopleOf(http.house),
    guard: createClient({ url, token: http.tokens['agent-1'] }),
    another: createClient({ url, token: http.tokens['agent-1'] }),
    stranger: createClient({ url, token: http.tokens['agent-2'] }),
    close: () => http.close(),
  }
})
