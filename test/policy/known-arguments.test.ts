import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createBuiltInTools } from '../../src/agents/tools/built-in/built-in-tools.ts'
import banksman from '../../src/policy/tools/known-arguments/banksman.json' with { type: 'json' }

describe('the arguments of our own tools', () => {
  const known = banksman[0]!.tools as Record<string, object>
  const tools = createBuiltInTools({ own: () => [] }).filter(({ name }) => Object.hasOwn(known, name))

  it('P5: are listed as the tools take them, so that nothing is asked about that is ours', () => {
    const taken = tools.map(({ name, schema }) => {
      const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
      return [name, Object.keys(properties).sort()]
    })
    expect(Object.fromEntries(taken)).toEqual(
      Object.fromEntries(Object.entries(known).map(([name, one]) => [name, Object.keys(one).sort()])),
    )
  })
})
