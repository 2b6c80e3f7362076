import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reasonOf } from '../../reasons/reason-of.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { checkJson } from './check-json.ts'
import { SchemaPatterns } from './schema-patterns.ts'

function fits(schema: JsonValue, value: JsonValue): boolean | 'unknown' {
  const checked = checkJson(schema, value)
  if (checked.kind === 'unreadable') throw new Error(checked.because)
  if (checked.issues.length > 0) return false
  return checked.unchecked.length > 0 ? 'unknown' : true
}

describe('checkJson', () => {
  const cases: [schema: JsonValue, right: JsonValue[], wrong: JsonValue[]][] = [
    [true, [null, 1], []],
    [false, [], [null, {}]],
    [{ type: 'integer' }, [1, 1.0, -3], [1.5, '1', null]],
    [{ type: ['string', 'null'] }, ['', null], [0, {}, []]],
    [{ type: 'object' }, [{}], [[], null, 'x']],
    [{ enum: ['a', 1, { b: [2] }] }, ['a', 1, { b: [2] }], ['b', '1', { b: [3] }, { b: [2], c: 1 }]],
    [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }]],
    [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀', 5], ['a', 'abcd']],
    [{ pattern: '^\\w+@\\u0061$' }, ['x@a', 3], ['x@b', '@a']],
    [{ pattern: '' }, ['', 'a'], []],
    [{ format: 'date-time' }, ['2026-01-02T03:04:05Z', 7], ['yesterday']],
    [{ format: 'email' }, ['a@b.org'], ['a@', 'a b@c.de']],
    [{ format: 'made-up' }, ['anything'], []],
    [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
    [{ minimum: 1, exclusiveMinimum: true }, [1.1], [1]],
    [{ multipleOf: 0.1 }, [0.3, 12.7, 0], [0.35]],
    [{ items: { type: 'number' }, minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 'x'], [1, 2, 3]]],
    [{ prefixItems: [{ type: 'string' }], items: false }, [['a'], []], [[1], ['a', 'b']]],
    [{ items: [{ type: 'string' }], additionalItems: { type: 'null' } }, [['a', null]], [['a', 'b']]],
    [
      { uniqueItems: true },
      [[1, '1', { a: 1, b: 2 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [{ contains: { const: 1 }, maxContains: 1 }, [[1], [2, 1]], [[], [2], [1, 1]]],
    [{ properties: { a: { type: 'string' } }, required: ['a'] }, [{ a: '' }, []], [{}, { a: 1 }]],
    [{ properties: { a: true }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }, { a: 1, b: 1 }]],
    [
      { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      [{ 'x-a': 1 }],
      [{ 'x-a': '' }, { y: 1 }],
    ],
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
    [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
    [{ dependentSchemas: { a: { required: ['b'] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
    [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
    [{ allOf: [{ minimum: 2 }, { maximum: 3 }] }, [2, 3], [1, 4]],
    [{ not: { type: 'string' } }, [1], ['a']],
    [{ if: { minimum: 10 }, then: { multipleOf: 10 }, else: { multipleOf: 2 } }, [20, 4], [11, 3]],
    [{ $defs: { 'a/b': { type: 'string' } }, items: { $ref: '#/$defs/a~1b' } }, [['x']], [[1]]],
    [
      { properties: { next: { $ref: '#' }, v: { type: 'number' } } },
      [{ next: { next: { v: 1 } } }],
      [{ next: { v: '' } }],
    ],
    [{ required: ['__proto__', 'toString'] }, [], [{}]],
    [{ properties: { toString: { type: 'number' } } }, [{}], [{ toString: 'x' }]],
  ]
  it.each(cases)('%j', (schema, right, wrong) => {
    for (const value of right) expect(fits(schema, value), JSON.stringify(value)).toBe(true)
    for (const value of wrong) expect(fits(schema, value), JSON.stringify(value)).toBe(false)
  })

  it('says where, and names what a value may be', () => {
    const schema = { properties: { list: { items: { properties: { 'a/b': { enum: ['x', 'y'] } } } } } }
    expect(checkJson(schema, { list: [{}, { 'a/b': 'z' }] })).toEqual({
      kind: 'checked',
      issues: [{ pointer: '/list/1/a~1b', reason: reasonOf('schema.enum', { values: ['"x"', '"y"'] }) }],
      unchecked: [],
    })
  })

  it.each<[JsonValue, string]>([
    [{ pattern: '^(?=a)' }, '/pattern'],
    [{ pattern: '(a)\\1' }, '/pattern'],
    [{ pattern: 'a{1,5000}' }, '/pattern'],
    [{ pattern: '(' }, '/pattern'],
    [{ pattern: '\\Aa' }, '/pattern'],
    [{ pattern: 'a'.repeat(201) }, '/pattern'],
    [{ not: { pattern: '^(?!a)' } }, '/not/pattern'],
    [{ if: { pattern: '^(?!a)' }, then: false, else: false }, '/if/pattern'],
    [{ anyOf: [{ type: 'number' }, { pattern: '^(?!a)' }] }, '/anyOf/1/pattern'],
    [{ oneOf: [{ type: 'string' }, { pattern: '^(?!a)' }] }, '/oneOf/1/pattern'],
    [{ $ref: 'https://example.org/schema' }, '/$ref'],
    [{ unevaluatedProperties: false }, '/unevaluatedProperties'],
  ])('leaves out what can not be checked, and says so: %j', (schema, place) => {
    expect(checkJson(schema, 'text')).toEqual({ kind: 'checked', issues: [], unchecked: [place] })
  })

  it.each<[JsonValue, string]>([
    [5, 'must be an object, true or false'],
    [{ type: 'text' }, 'type must be one that JSON has'],
    [{ $ref: '#/$defs/none' }, 'leads nowhere'],
    [{ $ref: '#' }, 'refers to itself'],
    [{ properties: [] }, 'properties must be an object'],
    [{ allOf: {} }, 'allOf must be a list'],
  ])('P5: can not read %j, and says why', (schema, because) => {
    const checked = checkJson(schema, {})
    expect(checked).toMatchObject({ kind: 'unreadable' })
    expect((checked as { because: string }).because).toContain(because)
  })

  const keys = (count: number, value: JsonValue) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
  const items = (count: number, value: JsonValue) => Array.from({ length: count }, () => value)
  const long = 'a'.repeat(10_000)
  it.each<[string, JsonValue, JsonValue]>([
    [
      'patterns for names that nothing has',
      { items: { patternProperties: keys(1000, true) } },
      items(100, {}),
    ],
    ['members on which others depend', { items: { dependentSchemas: keys(1000, true) } }, items(100, {})],
    [
      'a place with a long name that is left out for each entry',
      { properties: { [long]: { items: { unevaluatedItems: false } } } },
      { [long]: items(100, 1) },
    ],
    ['a long text that is compared often', { items: { const: `${long}b` } }, items(1000, `${long}c`)],
  ])('P5: counts the work of %s', (_, schema, given) => {
    expect(checkJson(schema, given, 50_000)).toMatchObject({ kind: 'unreadable' })
  })

  it('P5: counts the size of patterns with their repetitions written out', () => {
    const patterns = new SchemaPatterns()
    const read = Array.from({ length: 100 }, (_, at) => patterns.read(`\\pL{99}${at}`))
    expect(read.filter((one) => one !== undefined)).toHaveLength(9)
  })

  const name = fc.constantFrom('a', 'aa', 'b', '__proto__', 'toString')
  const pattern = fc.constantFrom(
    '^(a+)+$',
    '(a|a)*b',
    '^(?:a?){50}a{50}$',
    '(?!a)',
    '(.*)*x',
    '(a*)*\\1',
    '[',
    '',
  )
  const { schema } = fc.letrec<{ schema: JsonValue; list: JsonValue[]; map: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      fc.record({ pattern, minLength: fc.nat(3) }, { requiredKeys: [] }),
      fc.constantFrom<JsonValue>(
        true,
        {},
        { $ref: '#' },
        { $ref: '#/$defs/a' },
        { $ref: '#/properties/a' },
        { format: 'email' },
      ),
      fc.record(
        {
          type: fc.constantFrom('object', 'string', 'array'),
          properties: tie('map'),
          patternProperties: fc.dictionary(pattern, tie('schema'), { maxKeys: 3 }),
          propertyNames: tie('schema'),
          additionalProperties: tie('schema'),
          items: tie('schema'),
          contains: tie('schema'),
          uniqueItems: fc.boolean(),
          anyOf: tie('list'),
          oneOf: tie('list'),
          allOf: tie('list'),
          not: tie('schema'),
          if: tie('schema'),
          then: tie('schema'),
          dependentSchemas: tie('map'),
          $defs: tie('map'),
          enum: fc.array(fc.jsonValue() as fc.Arbitrary<JsonValue>, { maxLength: 20 }),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonValue>,
    ),
    list: fc.array(tie('schema'), { maxLength: 4 }),
    map: fc.dictionary(name, tie('schema'), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  }))
  const text = fc.oneof(fc.constant(`${'a'.repeat(5000)}!`), fc.string({ maxLength: 5 }))
  const value = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 5 })), { maxKeys: 4 })

  it('property: P5: whatever the schema, it is answered within the steps', () => {
    fc.assert(
      fc.property(schema, value, (shape, args) => {
        const once = checkJson(shape, args as JsonObject, 30_000)
        // With fewer steps it is given up, never answered otherwise.
        const hasty = checkJson(shape, args as JsonObject, 200)
        if (hasty.kind === 'checked') expect(hasty).toEqual(once)
      }),
      { numRuns: 100 },
    )
  })
})
