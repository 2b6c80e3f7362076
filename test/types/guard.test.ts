/** Programs as people write them, compiled under `strict` and `exactOptionalPropertyTypes`. What is wanted of `tsc` is checked by running it; this file also runs. */
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type GuardResult,
  isBanksmanError,
  type JsonObject,
  openGateway,
  type ToolCall,
} from '../../src/index.ts'
import { openMemoryStore } from '../../src/stores/memory/index.ts'

interface Mail {
  to: string
  subject?: string | undefined
}

const MailSchema = z.object({ to: z.string(), subject: z.string().optional() })

describe('the types of guard', () => {
  it('take interfaces, what zod gives, and undefined for what is absent; the tool is given what the call has', async () => {
    const gateway = await openGateway({ store: openMemoryStore(), policy: { allow: ['*'] } })
    try {
      const mail: Mail = { to: 'kim@example.com' }
      const signal: AbortSignal | undefined = undefined
      const call = {
        tool: 'send_mail',
        arguments: mail,
        callId: 'c1',
        session: 's1',
        agent: undefined,
        cwd: undefined,
        definition: { description: undefined, schema: z.toJSONSchema(MailSchema) },
      }
      const sent = await gateway.guard(
        call,
        (args) => {
          expectTypeOf(args).toEqualTypeOf<Mail>()
          return args.to.length
        },
        { signal, holdMs: undefined, onAsked: undefined, durable: undefined },
      )
      expectTypeOf(sent).toEqualTypeOf<GuardResult<number, Mail>>()
      expect(sent).toMatchObject({ kind: 'ran', ok: true, value: 15 })

      const parsed = MailSchema.parse({ to: 'lin@example.com' })
      const again = await gateway.guard({ ...call, callId: 'c2', arguments: parsed }, ({ to }) => to)
      expect(again.kind === 'ran' && again.ok && again.value).toBe('lin@example.com')

      const plain: ToolCall = { tool: 'x', arguments: { a: [1, { b: null }] }, callId: 'c3', session: 's1' }
      const any = await gateway.guard(plain, (args) => {
        expectTypeOf(args).toEqualTypeOf<JsonObject>()
        return args.a
      })
      expect(any).toMatchObject({ kind: 'ran', value: [1, { b: null }] })
    } finally {
      await gateway.close()
    }
  })

  it('P5: what JSON can not carry is refused, whatever its type says', async () => {
    const gateway = await openGateway({ store: openMemoryStore(), policy: { allow: ['*'] } })
    try {
      const call = { tool: 'x', arguments: { when: new Date(0) }, callId: 'c1', session: 's1' }
      const refused = await gateway.guard(call, () => expect.unreachable())
      expect(refused).toMatchObject({ kind: 'refused', state: 'error', code: 'not_canonical' })
    } finally {
      await gateway.close()
    }
  })

  it('a request is found by the call it is of, and by its own agent alone', async () => {
    const gateway = await openGateway({ store: openMemoryStore(), policy: { ask: ['*'] } })
    try {
      const call = { tool: 'x', arguments: {}, callId: 'c1', session: 's1' }
      expect(await gateway.find(call, gateway.self)).toBeUndefined()
      const { request } = await gateway.review(call, gateway.self)
      expect(await gateway.find(call, gateway.self)).toMatchObject({ id: request?.id, state: 'pending' })
      expect(await gateway.find(call, { ...gateway.self, subject: 'somebody' })).toBeUndefined()
    } finally {
      await gateway.close()
    }
  })

  it('an error of another copy of the package is one', async () => {
    const copy = `../../src/core/errors.ts?copy=${Date.now()}`
    const other = (await import(copy)) as typeof import('../../src/core/errors.ts')
    const error = new other.BanksmanError('closed', 'it is closed')
    expect(isBanksmanError(error)).toBe(true)
    expect(isBanksmanError(error, 'closed')).toBe(true)
    expect(isBanksmanError(error, 'invalid')).toBe(false)
    for (const no of [new Error('x'), { code: 'closed', name: 'BanksmanError' }, null, 'closed'])
      expect(isBanksmanError(no)).toBe(false)
  })
})
