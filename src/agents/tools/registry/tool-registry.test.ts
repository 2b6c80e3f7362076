/** The registry: what it refuses when an agent is put together, and what it says of arguments. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { prepareCall } from '../../../core/call.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { checkQuestions } from '../../../core/question.ts'
import { askUserQuestion } from '../built-in/ask-user-question.ts'
import { createBuiltInTools } from '../built-in/built-in-tools.ts'
import { TOOL_NAMES } from '../built-in/tool-names.ts'
import { defineTool, type Tool } from '../tool.ts'
import { createToolRegistry, fromJsonSchema } from './tool-registry.ts'

function toolWith(schema: z.ZodType, name = 'tool'): Tool {
  return defineTool({ name, description: 'Does it.', schema, run: async () => ({ text: 'done' }) })
}

function checkOf(schema: z.ZodType, args: JsonObject): string | undefined {
  return createToolRegistry([toolWith(schema)])
    .find('tool')
    ?.check(args)
}

const text = z.strictObject({ a: z.string() })

describe('a registry', () => {
  it('keeps the order, finds by name, and grows into another without changing', () => {
    const registry = createToolRegistry([
      toolWith(text, 'b'),
      { tool: toolWith(text, 'a'), providedBy: 'hook' },
    ])
    expect(registry.list().map(({ tool }) => tool.name)).toEqual(['b', 'a'])
    expect(registry.find('a')?.providedBy).toBe('hook')
    expect(registry.find('b')?.providedBy).toBeUndefined()
    expect(registry.find('constructor')).toBeUndefined()
    const more = registry.with([toolWith(text, 'c')])
    expect(more.list().map(({ tool }) => tool.name)).toEqual(['b', 'a', 'c'])
    expect(registry.find('c')).toBeUndefined()
  })

  it('P3: what models are told can be part of a digest, and nobody can change it', () => {
    for (const { tool, definition } of createToolRegistry(createBuiltInTools({ own: () => [] })).list()) {
      const call = { tool: tool.name, arguments: {}, callId: 'c', session: 's', definition }
      expect(prepareCall(call).definition).toEqual(definition)
      expect(definition.schema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(definition)).not.toContain('$schema')
      expect(Object.isFrozen(definition.schema.properties)).toBe(true)
    }
  })

  it('has our tools in a fixed order', () => {
    expect(createBuiltInTools({ own: () => [] }).map(({ name }) => name)).toEqual([...TOOL_NAMES])
  })

  it.each(['', 'a b', 'a\n', 'a\u202eb', 'ä', 'a.b', 'a/b', 'x'.repeat(65), '__proto__ ', '‮', 'a\0'])(
    'refuses the name %j',
    (name) => {
      expect(() => createToolRegistry([toolWith(text, name)])).toThrow(/1 to 64 letters/)
    },
  )

  it('refuses a name that is taken, and says by whom', () => {
    const ours = toolWith(text, 'exec')
    const theirs = fromJsonSchema({ name: 'exec', description: 'x', schema: {} }, 'plug')
    expect(() => createToolRegistry([ours, ours])).toThrow('taken by another tool')
    expect(() => createToolRegistry([theirs, ours])).toThrow('taken by a tool of the hook "plug"')
    expect(() => createToolRegistry([ours]).with([theirs])).toThrow("exec can't be used")
  })

  it('refuses a tool that says nothing of itself, or too much', () => {
    for (const description of ['', '  ', 'x'.repeat(20_000)]) {
      expect(() => createToolRegistry([{ ...toolWith(text), description }])).toThrow('description')
    }
    const many = z.strictObject({
      a: z.enum(Array.from({ length: 9000 }, (_, index) => `choice ${index}`) as [string]),
    })
    expect(() => createToolRegistry([toolWith(many)])).toThrow("can't be used")
  })

  it.each<[string, z.ZodType]>([
    ['a transform', z.strictObject({ a: z.string().transform((a) => a.length) })],
    ['a pipe', z.strictObject({ a: z.string().pipe(z.string()) })],
    ['a preprocess', z.strictObject({ a: z.preprocess((a) => String(a), z.string()) })],
    ['a codec', z.strictObject({ a: z.stringbool() })],
    ['a default', z.strictObject({ a: z.string().default('x') })],
    ['a prefault', z.strictObject({ a: z.string().prefault('x') })],
    ['a catch', z.strictObject({ a: z.string().catch('x') })],
    ['a coercion', z.strictObject({ a: z.coerce.number() })],
    ['a trim', z.strictObject({ a: z.string().trim() })],
    ['an overwrite', z.strictObject({ a: z.number().overwrite((a) => a + 1) })],
    ['a normalized url', z.strictObject({ a: z.url({ normalize: true }) })],
    ['an object that drops', z.object({ a: z.string() })],
    ['an inner object that drops', z.strictObject({ a: z.array(z.object({ b: z.string() })) })],
    [
      'deep in a union',
      z.strictObject({ a: z.union([z.string(), z.record(z.string(), z.coerce.string())]) }),
    ],
    ['behind lazy', z.strictObject({ a: z.lazy(() => z.string().default('x')) })],
    ['in a record’s key', z.strictObject({ a: z.record(z.string().toLowerCase(), z.string()) })],
    ['in a tuple', z.strictObject({ a: z.tuple([z.string()], z.coerce.number()) })],
    ['at the top', z.strictObject({ a: z.string() }).transform((a) => a)],
    ['no object', z.string() as z.ZodType],
    ['a choice of objects', z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })])],
    ['a date', z.strictObject({ a: z.date() })],
    ['a bigint', z.strictObject({ a: z.bigint() })],
  ])('P3: refuses a schema with %s', (_, schema) => {
    let error: unknown
    try {
      createToolRegistry([toolWith(schema)])
    } catch (caught) {
      error = caught
    }
    expect(isBanksmanError(error, 'invalid_configuration')).toBe(true)
  })

  it('takes schemas that only check, also those that refer to themselves', () => {
    type Tree = { name: string; children: Tree[] }
    const tree: z.ZodType<Tree> = z.strictObject({ name: z.string(), children: z.lazy(() => z.array(tree)) })
    expect(checkOf(tree, { name: 'a', children: [{ name: 'b', children: [] }] })).toBeUndefined()
    expect(checkOf(tree, { name: 'a', children: [{ name: 'b' }] })).toContain(
      'children[0].children is missing',
    )
    const open = z.looseObject({ a: z.email(), b: z.record(z.string(), z.json()).optional() })
    expect(checkOf(open, { a: 'a@b.example', c: 1 })).toBeUndefined()
  })
})

describe('what is wrong with arguments', () => {
  const schema = z.strictObject({
    path: z.string().min(1),
    mode: z.enum(['a', 'b']).optional(),
    count: z.int().min(1).max(5).optional(),
    list: z
      .array(z.strictObject({ id: z.string() }))
      .max(2)
      .optional(),
    either: z.union([z.string(), z.number()]).optional(),
    extra: z.record(z.string(), z.string()).optional(),
  })

  it.each<[JsonObject, string]>([
    [{}, 'path is missing; it must be a text'],
    [{ path: 5 }, 'path must be a text; found the number 5'],
    [{ path: '' }, 'path must have at least 1 characters; found the text ""'],
    [{ path: 'x', mode: 'c' }, 'mode must be one of "a", "b"; found the text "c"'],
    [{ path: 'x', count: 9 }, 'count must be at most 5; found the number 9'],
    [{ path: 'x', count: 1.5 }, 'count must be a whole number; found the number 1.5'],
    [{ path: 'x', list: [{ id: 'a' }, { id: null }] }, 'list[1].id must be a text; found null'],
    [{ path: 'x', list: [{ id: 'a', x: 1 }] }, '"x" is no argument of list[0]; there are id'],
    [{ path: 'x', list: 'y' }, 'list must be a list (each an object); found the text "y"'],
    [{ path: 'x', either: true }, 'either must be a text or a number; found the boolean true'],
    [{ path: 'x', file: 'y' }, '"file" is no argument; there are path, mode, count, list, either, extra'],
    [JSON.parse('{"path":"x","__proto__":{"mode":"a"}}'), '__proto__ must not be there'],
    [JSON.parse('{"path":"x","extra":{"__proto__":"a"}}'), 'extra.__proto__ must not be there'],
    [JSON.parse('{"path":"x","constructor":{}}'), '"constructor" is no argument'],
  ])('%j: %s', (args, words) => {
    expect(checkOf(schema, args)).toContain(words)
  })

  it('is told all at once, and no more than can be read', () => {
    const told = checkOf(schema, { path: 1, mode: 2, count: 'x', what: 'y'.repeat(5000) })
    expect(told?.split('\n')).toHaveLength(5)
    const list = Array.from({ length: 50 }, () => ({ id: 'x'.repeat(10_000), y: 1 }))
    expect(checkOf(schema, { path: 'x', list })?.length).toBeLessThan(2000)
    expect(checkOf(schema, { path: 'x', [`${'k'.repeat(5000)}\n`]: 1 })?.length).toBeLessThan(500)
  })

  it('P5: a check that fails, waits or changes something lets nothing through', () => {
    const broken = (check: (value: { a: string }) => unknown) => text.refine(check as () => boolean)
    expect(
      checkOf(
        broken(() => {
          throw new Error('oh')
        }),
        { a: 'x' },
      ),
    ).toContain('could not be checked')
    expect(
      checkOf(
        broken(async () => true),
        { a: 'x' },
      ),
    ).toContain('could not be checked')
    const changing = text.check((payload) => {
      payload.value.a = 'other'
    })
    const args = { a: 'x' }
    expect(checkOf(changing, args)).toContain('changes what it should only check')
    expect(args).toEqual({ a: 'x' })
  })

  it('takes just the questions that core takes', () => {
    const registry = createToolRegistry([askUserQuestion])
    const questions = [
      [{ id: 'a', question: 'What?' }],
      [
        {
          id: 'a',
          question: 'Which?',
          header: 'h',
          options: [{ label: 'x', description: '' }],
          multiSelect: true,
          freeText: true,
        },
      ],
      [],
      [{ id: '', question: 'x' }],
      [{ id: 'a' }],
      [{ id: 'a', question: 'x', options: [] }],
      Array(5).fill({ id: 'a', question: 'x' }),
    ]
    const fits = questions.map(
      (one) => registry.find('ask_user_question')?.check({ questions: one as never }) === undefined,
    )
    const taken = questions.map((one) => {
      try {
        checkQuestions(one)
        return true
      } catch {
        return false
      }
    })
    expect(fits).toEqual(taken)
  })
})

describe('a tool of a hook', () => {
  const of = (schema: JsonObject) => fromJsonSchema({ name: 'tool', description: 'Does it.', schema }, 'hook')

  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['types', { properties: { a: { type: 'string' } } }, { a: 1 }, false],
    ['required', { properties: { a: { type: 'string' } }, required: ['a'] }, {}, false],
    [
      'required although there is a default',
      { properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
      {},
      false,
    ],
    ['required and described nowhere', { type: 'object', required: ['a'] }, {}, false],
    ['required of any type', { properties: { a: {} }, required: ['a'] }, {}, false],
    [
      'required of any type, null',
      { properties: { a: { description: 'x' } }, required: ['a'] },
      { a: null },
      true,
    ],
    [
      'properties without a type',
      { properties: { a: { properties: { b: { type: 'string' } } } } },
      { a: { b: 1 } },
      false,
    ],
    ['items without a type', { properties: { a: { items: { type: 'string' } } } }, { a: [1] }, false],
    [
      'a pattern that others never end with',
      { properties: { a: { pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(9999)}!` },
      false,
    ],
    [
      'names by a pattern',
      { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      { 'x-a': 1 },
      true,
    ],
    [
      'names by no pattern',
      { patternProperties: { '^x-': {} }, additionalProperties: false },
      { y: 1 },
      false,
    ],
    ['a pattern without a type', { properties: { a: { pattern: '^x$' } } }, { a: 'y' }, false],
    ['a bound without a type', { properties: { a: { minimum: 5 } } }, { a: 4 }, false],
    ['closed', { properties: {}, additionalProperties: false }, { a: 1 }, false],
    ['open', { properties: {} }, { a: 1 }, true],
    ['an enum', { properties: { a: { enum: ['x', 1] } } }, { a: 'y' }, false],
    [
      'a member called default',
      { properties: { default: { type: 'string' } }, required: ['default'] },
      {},
      false,
    ],
    [
      'a reference',
      { $defs: { t: { type: 'string' } }, properties: { a: { $ref: '#/$defs/t' } } },
      { a: 1 },
      false,
    ],
    [
      'an old reference',
      { definitions: { t: { type: 'string' } }, properties: { a: { $ref: '#/definitions/t' } } },
      { a: 1 },
      false,
    ],
    ['one of several types', { properties: { a: { type: ['string', 'null'] } } }, { a: null }, true],
    ['nothing at all', {}, { anything: [] }, true],
  ])('is checked for %s', (_, schema, args, fits) => {
    expect(of(schema).check(args) === undefined).toBe(fits)
  })

  it.each<[string, unknown]>([
    ['not', { properties: { a: { not: { type: 'string' } } } }],
    ['if', { if: { properties: {} } }],
    ['dependencies', { dependencies: { a: ['b'] } }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }],
    ['a foreign reference', { properties: { a: { $ref: 'https://example.com/x' } } }],
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/t' } } }],
    [
      'something beside a reference',
      { $defs: { t: {} }, properties: { a: { $ref: '#/$defs/t', minLength: 5 } } },
    ],
    ['two kinds without a type', { properties: { a: { minLength: 1, minimum: 1 } } }],
    ['an unknown type', { properties: { a: { type: 'text' } } }],
    ['another type at the top', { type: 'string' }],
    ['a look-ahead', { properties: { a: { type: 'string', pattern: '^(?!b)' } } }],
    ['a broken pattern', { properties: { a: { type: 'string', pattern: '(' } } }],
    ['a list', []],
    ['nothing', null],
    [
      'too much',
      {
        properties: Object.fromEntries(
          Array.from({ length: 5000 }, (_, i) => [`member${i}`, { type: 'string' }]),
        ),
      },
    ],
  ])('P5: is refused where its schema has %s', (_, schema) => {
    expect(() => of(schema as JsonObject)).toThrow("the tool tool can't be used")
  })

  it('is told to models as it was given, with a type', () => {
    const schema = { $schema: 'x', properties: { b: { type: 'string', default: 'x' }, a: {} } }
    expect(of(schema).definition.schema).toEqual({ type: 'object', properties: schema.properties })
  })

  it('P5: whatever its schema, arguments with __proto__ never fit', () => {
    const args = JSON.parse('{"a":{"b":[{"__proto__":1}]}}') as JsonObject
    expect(of({}).check(args)).toContain('a.b[0].__proto__')
    expect(({} as JsonObject).b).toBeUndefined()
  })

  it('never throws, whatever the arguments are', () => {
    const check = of({
      properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } },
    }).check
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue()), (args) => {
        const found = check(args as JsonObject)
        expect(found === undefined || found.startsWith('The arguments of tool')).toBe(true)
      }),
    )
  })
})
