import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { beginEdit, switchTo, writeJson } from '../draft/edit-draft.ts'
import { hasForm, MOST_FIELDS } from '../draft/form-limits.ts'
import { counted } from '../fixtures/counted.ts'
import { type FieldPlan, planForm } from './field-plan.ts'

/** Each of the 2,000 places of a budget takes a few looks. */
const MOST_LOOKS = 30_000

const named = (count: number, make: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, make(index)]))

const nested = (depth: number, inside: JsonValue): JsonValue => {
  let value = inside
  for (let level = 0; level < depth; level++) value = { key0: value }
  return value
}

const allOf = (fields: readonly FieldPlan[]): FieldPlan[] =>
  fields.flatMap((field) => [field, ...allOf(field.fields)])

function planned(value: JsonObject, schema: JsonObject, masked?: ReadonlySet<string>) {
  const args = counted(value, MOST_LOOKS)
  const said = counted(schema, MOST_LOOKS)
  return planForm(args.value, said.value, masked)
}

describe('a schema that is made to keep a page busy', () => {
  it.each([8, 16, 1000])('%i properties that are each the whole schema again', (count) => {
    const schema = { type: 'object', properties: named(count, () => ({ $ref: '#' })) }
    const { fields } = planned({}, schema)
    expect(fields).toHaveLength(Math.min(count, 20))
    // What is not given is named, and not looked into.
    expect(allOf(fields)).toEqual(fields)
    const full = named(count, () => nested(4, {}))
    if (count < MOST_FIELDS)
      expect(planned(full, schema).fields.map(({ key }) => key)).toEqual(Object.keys(full))
  })

  it('offers 20 of 5,000 properties, those that are needed first, and counts the others', () => {
    const properties = named(5000, () => ({ type: 'string' }))
    const schema = { type: 'object', properties, required: ['key7', 'key150'] }
    const { fields, notOffered } = planned({ key4999: 'given', other: 1 }, schema)
    expect(fields.filter(({ isPresent }) => isPresent).map(({ key }) => key)).toEqual(['key4999', 'other'])
    const offered = fields.filter(({ isPresent }) => !isPresent)
    expect(offered).toHaveLength(20)
    expect(offered.filter(({ isRequired }) => isRequired).map(({ key }) => key)).toEqual(['key7', 'key150'])
    expect(notOffered).toBe(5000 - 1 - 20)
  })

  it('one wide schema that is referred to from everywhere', () => {
    const wide = {
      type: 'object',
      properties: named(60_000, () => ({ type: 'string' })),
      required: Object.keys(named(60_000, () => 0)),
    }
    const schema = {
      type: 'object',
      properties: named(100, () => ({ $ref: '#/$defs/wide' })),
      $defs: { wide },
    }
    const { fields } = planned(
      named(100, () => ({ key1: 'x' })),
      schema,
    )
    expect(fields.filter(({ isPresent }) => isPresent)).toHaveLength(100)
    expect(allOf(fields).length).toBeLessThanOrEqual(MOST_FIELDS)
  })

  it('a list of lists of itself, alternatives without end, and references that are long or go round', () => {
    const properties = {
      list: { $ref: '#/$defs/list' },
      given: { $ref: '#/$defs/list' },
      many: { anyOf: Array.from({ length: 60_000 }, () => ({ $ref: '#/$defs/round' })) },
      types: { type: Array.from({ length: 60_000 }, () => 'null') },
      long: { $ref: `#${'/properties/long'.repeat(10_000)}` },
      round: { $ref: '#/$defs/round' },
      choice: { enum: Array.from({ length: 60_000 }, (_, index) => index) },
      wordy: { enum: ['x'.repeat(100_000), 'y'] },
    }
    const $defs = {
      list: { type: 'array', items: { $ref: '#/$defs/list' } },
      round: { $ref: '#/$defs/round' },
    }
    const { fields } = planned({ given: [], long: 'x', choice: 1, wordy: 'y' }, { properties, $defs })
    expect(Object.fromEntries(fields.map(({ key, kind }) => [key, kind]))).toEqual({
      list: 'list',
      given: 'json',
      many: 'json',
      types: 'json',
      long: 'json',
      round: 'json',
      choice: 'number',
      wordy: 'line',
    })
  })

  it('parts that take much looking leave enough for the others', () => {
    const alternatives = Array.from({ length: 21 }, () => ({}))
    const properties = { ...named(150, () => ({ anyOf: alternatives })), last: { type: 'string' } }
    const { fields } = planned({ ...named(150, () => 'x'), last: 'x' }, { properties })
    expect(fields.at(0)).toMatchObject({ kind: 'json' })
    expect(fields.at(-1)).toMatchObject({ key: 'last', kind: 'line' })
  })

  it('P9: shortens a description that would fill the page, and says how much is left out', () => {
    const properties = named(20, () => ({ $ref: '#/$defs/a' }))
    const $defs = { a: { type: 'string', description: 'd'.repeat(300_000) } }
    const { fields } = planned({}, { properties, $defs })
    const described = fields.flatMap(({ description }) => description ?? [])
    expect(described[0]).toContain('299,000 characters left out')
    expect(described.join('').length).toBeLessThan(20_000)
  })

  it('P9: each argument has its field, and each mask is known, when nothing is left to spend', () => {
    const properties = named(MOST_FIELDS, () => ({ anyOf: Array.from({ length: 20 }, () => ({})) }))
    const value = { ...named(MOST_FIELDS - 1, () => 'x'), token: '⟨masked⟩' }
    const { fields, notOffered } = planned(value, { properties }, new Set(['/token']))
    expect(fields).toHaveLength(MOST_FIELDS)
    expect(fields.at(-1)).toMatchObject({ key: 'token', kind: 'mask' })
    // One more could be given, but then there would be more than a form holds.
    expect(notOffered).toBe(1)
  })
})

describe('arguments that are too large for a form', () => {
  const looked = (value: JsonObject) => {
    const { value: args, looks } = counted(value, MOST_LOOKS)
    return { hasForm: hasForm(args), looks: looks() }
  }

  it.each([
    ['60,000 keys', named(60_000, () => 1)],
    ['a list of 60,000', { list: Array.from({ length: 60_000 }, () => 1) }],
    ['30,000 in one another', { key: nested(30_000, 1) }],
    ['30,000 in objects of objects', named(30, () => named(1000, () => 1))],
    ['more members than fields', named(MOST_FIELDS + 1, () => 1)],
    ['a long text', { text: 'x'.repeat(100_001) }],
    ['a long key', { ['x'.repeat(100_001)]: 1 }],
  ])('%s: it is not looked through to know that', (_, value) => {
    const { hasForm, looks } = looked(value)
    expect(hasForm).toBe(false)
    expect(looks).toBeLessThan(6000)
  })

  it('are edited as JSON from the beginning, and in a form once there is little enough of them', () => {
    const draft = beginEdit(
      'd',
      named(60_000, () => 1),
    )
    expect(draft.mode).toBe('json')
    expect(switchTo(draft, 'form')).toBe(draft)
    const less = switchTo(writeJson(draft, '{"key0": 1}'), 'form')
    expect(less).toMatchObject({ mode: 'form', value: { key0: 1 } })
    const more = writeJson(switchTo(less, 'json'), draft.json)
    expect(switchTo(more, 'form').mode).toBe('json')
  })

  it('a form at its limit offers nothing that would go beyond it', () => {
    const value = named(MOST_FIELDS - 5, () => 1)
    const { fields } = planForm(value, { properties: { ...named(5000, () => ({})) } })
    expect(fields).toHaveLength(MOST_FIELDS)
  })

  it('parts of groups that are too large are edited as JSON, in a form of the others', () => {
    const value = { large: named(61, () => 1), deep: nested(9, 1), small: { a: 1 } }
    const { fields } = planForm(value, undefined)
    expect(fields.map(({ kind }) => kind)).toEqual(['json', 'group', 'group'])
    const many = named(40, () => named(10, () => 1))
    const plan = planForm(many, undefined)
    expect(allOf(plan.fields).length).toBeLessThanOrEqual(MOST_FIELDS)
    expect(new Set(plan.fields.map(({ kind }) => kind))).toEqual(new Set(['group', 'json']))
  })
})
