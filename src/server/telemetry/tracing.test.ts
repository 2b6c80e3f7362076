import { context, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGateway } from '../composition/open-gateway.ts'
import { openTracing } from './tracing.ts'

const spans = new InMemorySpanExporter()
beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
})
afterAll(() => {
  trace.disable()
  context.disable()
})

it('P12: waiting for a person is a span of its own', async () => {
  const gateway = await openGateway({
    store: 'memory:',
    policy: {},
    owner: 'ana',
    ...(await openTracing()),
    channels: [
      {
        name: 'eager',
        kind: 'durable',
        serves: () => true,
        async present({ request }) {
          const ana = { subject: 'ana', role: 'approver', via: 'test' } as const
          await gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
          return undefined
        },
      },
    ],
  })
  const call = { tool: 'deploy', arguments: {}, callId: 'c1', session: 's1' }
  expect(await gateway.guard(call, () => 1)).toMatchObject({ kind: 'ran' })
  await gateway.close()
  const seen = spans
    .getFinishedSpans()
    .map(({ name, attributes }) => [name, attributes['banksman.tool'], attributes['banksman.result']])
  expect(seen).toEqual([
    ['banksman.wait', 'deploy', undefined],
    ['banksman.guard', 'deploy', 'ran'],
  ])
})

it('there are no spans where the API is not installed, and other faults are told', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  expect(await openTracing(() => Promise.reject(missing))).toEqual({})
  await expect(openTracing(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
