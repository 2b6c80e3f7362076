/** A Banksman server in this process, and proxies in front of the scripted server that ask it. */
import type { Request } from '../../src/core/request.ts'
import { ana, type TestGatewayOptions } from '../../src/gateway/fixtures/test-gateway.ts'
import type { HttpParts } from '../../src/http/http-parts.ts'
import { type HttpGateway, openHttpGateway } from '../fixtures/http-gateway.ts'
import { until } from '../fixtures/until.ts'
import { type McpProxy, type ProxyOptions, startProxy } from './proxy-driver.ts'

export interface GatedProxies {
  http: HttpGateway
  /** The token that is good for the server `t` only. */
  token: string
  start(options?: Partial<ProxyOptions>): McpProxy
  /** The requests that wait for a person, oldest first, once there are so many. */
  pending(count?: number): Promise<Request[]>
  request(id: string): Promise<Request>
  /** The answer of a call that waits for nobody: the server's time goes on meanwhile. */
  waited<T>(answer: Promise<T>): Promise<T>
  approve(id: string, more?: object): Promise<void>
  decide(id: string, decision: object): Promise<void>
  close(): Promise<void>
}

export const POLICY = {
  allow: ['mcp__t__read', 'mcp__t__answer', 'mcp__t__ask', 'mcp__t__env', 'mcp__t__mute'],
  deny: ['mcp__t__secret'],
}

export async function openGatedProxies(
  setup: Partial<TestGatewayOptions> = {},
  parts: Partial<HttpParts> = {},
): Promise<GatedProxies> {
  const http = await openHttpGateway({ setup: { policy: POLICY, ...setup }, http: parts })
  const { gateway, store } = http.setup
  const { secret: token } = await gateway.tokens.create(
    { role: 'agent', subject: 't@host', scope: 'mcp:t' },
    ana,
  )
  const proxies: McpProxy[] = []

  async function request(id: string): Promise<Request> {
    const found = await store.get(id)
    if (found === undefined) throw new Error(`there is no ${id}`)
    return found
  }

  return {
    http,
    token,
    start(options = {}) {
      const environment = {
        BANKSMAN_URL: http.server.address.url,
        BANKSMAN_TOKEN: token,
        ...options.environment,
      }
      const proxy = startProxy({ ...options, environment })
      proxies.push(proxy)
      return proxy
    },
    async pending(count = 1) {
      let items: Request[] = []
      await until(async () => {
        items = [...(await store.list({ state: 'pending', limit: 200 })).items]
        return items.length >= count
      }, `${count} requests that wait`)
      return items.toSorted((one, other) => one.id.localeCompare(other.id))
    },
    request,
    async waited(answer) {
      let isAnswered = false
      void answer.finally(() => {
        isAnswered = true
      })
      await until(async () => {
        // About as fast as the real one: whoever left a moment ago has left.
        await http.setup.clock.advance(5)
        return isAnswered
      })
      return answer
    },
    async approve(id, more = {}) {
      const { digest } = await request(id)
      await gateway.decide(id, { decision: 'approve', digest, ...more }, ana)
    },
    async decide(id, decision) {
      const { digest } = await request(id)
      await gateway.decide(id, { digest, ...decision } as Parameters<typeof gateway.decide>[1], ana)
    },
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.stop()))
      await http.close()
    },
  }
}
