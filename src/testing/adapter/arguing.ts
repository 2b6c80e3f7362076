/** Group 4: what is shown is what runs, and only what fits the schema is shown. */
import { z } from 'zod'
import { approve, asked } from '../guard/guard-test.ts'
import {
  type Ability,
  type AdapterSuite,
  newSession,
  oneCall,
  pendingIn,
  type ScriptedTool,
  toldOf,
} from './adapter-test.ts'

interface ArgumentCase {
  schema: z.ZodType
  given: object
  shown: object
  run: object
  needs?: Ability[]
}

export function describeArguing({ runner, test, needing, driver }: AdapterSuite): void {
  const { describe, expect } = runner
  describe('arguments', () => {
    const SHAPES: Record<string, ArgumentCase> = {
      'defaults and coercions are shown': {
        schema: z.object({ to: z.string().trim(), copies: z.coerce.number().default(1) }),
        given: { to: ' ana ', copies: '2' },
        shown: { to: 'ana', copies: 2 },
        run: { to: 'ana', copies: 2 },
        needs: ['parse'],
      },
      'unknown keys are gone': {
        schema: z.object({ to: z.string() }),
        given: { to: 'ana', force: true },
        shown: { to: 'ana' },
        run: { to: 'ana' },
        needs: ['parse'],
      },
      'a Date is shown as the text that the model wrote': {
        schema: z.object({ when: z.iso.date().transform((text) => new Date(text)) }),
        given: { when: '2026-01-02' },
        shown: { when: '2026-01-02' },
        run: { when: new Date('2026-01-02') },
        needs: ['transform'],
      },
      'what parses differently a second time is shown as the model wrote it': {
        schema: z.object({ n: z.number().transform((n) => n + 1) }),
        given: { n: 1 },
        shown: { n: 1 },
        run: { n: 2 },
        needs: ['transform'],
      },
    }
    for (const [name, { schema, given, shown, run: expected, needs = [] }] of Object.entries(SHAPES)) {
      needing(...needs)(`P3: ${name}`, async (under) => {
        const session = newSession()
        const runs: unknown[] = []
        const tools = [{ name: 'send', schema, run: (args: unknown) => void runs.push(args) }]
        const asking: unknown[] = []
        const guard = {
          ...under.guard,
          guard: (call, ...rest) => {
            asking.push(call.arguments)
            return under.guard.guard(call, ...rest)
          },
        } as typeof under.guard
        const running = driver.start({ guard, session, tools, turns: oneCall('send', given) })
        await approve(under, { session, callId: 'c1' } as never)
        await running
        expect(asking).toEqual([shown])
        expect(runs).toEqual([expected])
      })
    }

    const counted = (schema: z.ZodType): { runs: unknown[]; tools: ScriptedTool[] } => {
      const runs: unknown[] = []
      return { runs, tools: [{ name: 'send', schema, run: (args) => void runs.push(args) }] }
    }

    needing('parse')('P8: nobody is asked about arguments that do not fit', async (under) => {
      const { runs, tools } = counted(z.object({ to: z.email() }))
      const turns = oneCall('send', { to: 'nobody' })
      const session = newSession()
      const run = await driver.start({ guard: under.guard, session, tools, turns })
      expect(run.ended).toBe('finished')
      expect(toldOf(run, 'c1').isError).toBe(true)
      expect(await pendingIn(under, session)).toEqual([])
      expect(runs).toEqual([])
    })

    test('P5: an edit that does not fit runs nothing, even where only the tool can tell', async (under) => {
      const even = z.number().refine((n) => n % 2 === 0, 'it must be even')
      const { runs, tools } = counted(z.object({ n: even }))
      const session = newSession()
      const running = driver.start({ guard: under.guard, session, tools, turns: oneCall('send', { n: 2 }) })
      const { id, digest } = await asked(under, { session, callId: 'c1' } as never)
      const edit = { digest, decision: 'edit' as const }
      const wrong = await under.decide(id, { ...edit, arguments: { n: 'three' } }).catch((error) => error)
      expect((wrong as { code?: string }).code).toBe('arguments_invalid')
      await under.decide(id, { ...edit, arguments: { n: 3 } })
      const told = toldOf(await running, 'c1')
      expect(told.isError).toBe(true)
      if (driver.cannot.parse === undefined) expect(told.text.includes('it must be even')).toBe(true)
      expect(runs).toEqual([])
    })
  })
}
