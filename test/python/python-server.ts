/**
 * A real server for the tests of the Python client, and a second one by which they change what happens to it: its clock moves, it
 * ends and starts again, an exchange fails. Both listen on loopback alone.
 */
import { ana, openTestGateway, type TestGateway } from '../../src/gateway/fixtures/test-gateway.ts'
import { type HttpGateway, openHttpGateway } from '../fixtures/http-gateway.ts'
import { sendJson, startLoopbackServer } from '../fixtures/loopback-server.ts'
import { type Fault, startFaultyServer } from '../guard/faulty-server.ts'
import { SUITE_POLICY } from '../guard/suite-policy.ts'

/** The client renews after a third of it, by its own clock; the server's clock moves only when a test says so. */
const SETTINGS = { leaseMs: 600, expiresInMs: 10 * 60_000 }
/** Where nobody listens. */
const NOWHERE = 'http://127.0.0.1:1'

export interface PythonServer {
  environment: Record<string, string>
  close(): Promise<void>
}

interface Order {
  fail?: { path: string; faults: Fault[] }
  advanceMs?: number
  revoke?: string
}

export async function startPythonServer(): Promise<PythonServer> {
  let setup: TestGateway = await openTestGateway({ policy: SUITE_POLICY, settings: SETTINGS })
  let http: HttpGateway | undefined = await openHttpGateway({ around: setup, graceMs: 100 })
  const { tokens } = http
  const faulty = await startFaultyServer(() => http?.server.address.url ?? NOWHERE)

  const orders: Record<string, (order: Order) => Promise<unknown>> = {
    async '/down'() {
      await http?.close()
      http = undefined
    },
    async '/up'() {
      // As after kill -9: only what is on disk is known.
      setup = await setup.restart()
      http = await openHttpGateway({ around: setup, graceMs: 100 })
    },
    async '/advance'({ advanceMs = 0 }) {
      await setup.clock.advance(advanceMs)
      await setup.gateway.expire()
    },
    async '/fail'({ fail }) {
      faulty.fail(new RegExp(fail!.path), ...fail!.faults)
    },
    async '/seen'() {
      return faulty.seen
    },
    async '/revocable'() {
      const { secret, token } = await setup.gateway.tokens.create({ subject: 'agent-1', role: 'agent' }, ana)
      return { secret, id: token.id }
    },
    async '/revoke'({ revoke }) {
      await setup.gateway.tokens.revoke(revoke!, ana)
      await setup.clock.advance(1000)
    },
  }
  const control = await startLoopbackServer(async ({ path, body }, response) => {
    try {
      sendJson(response, (await orders[path]!(JSON.parse(body))) ?? {})
    } catch (error) {
      sendJson(response, { error: String(error) }, 500)
    }
  })

  return {
    environment: {
      BANKSMAN_TEST_URL: faulty.url,
      BANKSMAN_TEST_CONTROL: control.url,
      BANKSMAN_TEST_AGENT: tokens['agent-1'],
      BANKSMAN_TEST_PERSON: tokens.ana,
    },
    async close() {
      await control.close()
      await faulty.close()
      await http?.close()
      await setup.close()
    },
  }
}
