import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../src/client/index.ts'
import { valueAt } from '../../../../../src/display/masks/json-pointer.ts'
import {
  beginEdit,
  type EditDraft,
  readEdit,
  shownIn,
  switchTo,
  writeField,
  writeJson,
} from '../draft/edit-draft.ts'
import { isSameJson } from '../draft/json-at.ts'
import { type FieldPlan, planForm } from './field-plan.ts'

const kinds = (plans: FieldPlan[]) => Object.fromEntries(plans.map(({ key, kind }) => [key, kind]))

const planFields = (...given: Parameters<typeof planForm>) => planForm(...given).fields

const SCHEMA = {
  type: 'object',
  required: ['path', 'count'],
  properties: {
    path: { type: 'string', description: 'Where it lies.' },
    content: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    force: { type: 'boolean', default: true },
    mode: { enum: ['fast', 'safe'], default: 'safe' },
    names: { type: 'array', items: { type: 'string' } },
    anything: {},
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    rows: { type: 'array', items: { type: 'object' } },
    target: { $ref: '#/$defs/target' },
    loop: { $ref: '#/properties/loop' },
  },
  $defs: { target: { type: 'object', properties: { host: { type: 'string' }, port: { type: 'integer' } } } },
} satisfies JsonObject

describe('a form made of a schema', () => {
  it('has a field for what a field can hold, and JSON for the rest', () => {
    const value = { path: '/a', count: 1, names: ['x'], rows: [], target: {} }
    const plans = planFields(value, SCHEMA)
    expect(kinds(plans)).toEqual({
      path: 'line',
      content: 'text',
      count: 'integer',
      ratio: 'number',
      force: 'boolean',
      mode: 'choice',
      names: 'list',
      anything: 'json',
      either: 'json',
      maybe: 'line',
      rows: 'json',
      target: 'group',
      loop: 'json',
    })
    expect(plans.find(({ key }) => key === 'path')).toMatchObject({
      isRequired: true,
      isPresent: true,
      description: 'Where it lies.',
    })
    expect(plans.find(({ key }) => key === 'force')).toMatchObject({ isPresent: false, fresh: true })
    expect(plans.find(({ key }) => key === 'mode')).toMatchObject({
      fresh: 'safe',
      choices: ['fast', 'safe'],
    })
    expect(kinds(plans.find(({ key }) => key === 'target')!.fields)).toEqual({
      host: 'line',
      port: 'integer',
    })
  })

  it('P9: what a field could not show, or would change, is edited as JSON', () => {
    const value = { path: 'a\u202eb', content: 'one\r\ntwo', mode: 'other', count: '7', names: ['a', 1] }
    expect(kinds(planFields(value, SCHEMA))).toMatchObject({
      path: 'json',
      content: 'json',
      mode: 'json',
      count: 'json',
      names: 'json',
    })
  })

  it('shows what the schema does not know, by what it is', () => {
    const value = { extra: 'x', nested: { deep: { list: [1, 2] } }, nothing: null, empty: [] }
    const plans = planFields(value, SCHEMA)
    expect(kinds(plans)).toMatchObject({ extra: 'line', nested: 'group', nothing: 'json', empty: 'json' })
    expect(kinds(plans.find(({ key }) => key === 'nested')!.fields[0]!.fields)).toEqual({ list: 'list' })
    expect(kinds(planFields({ token: '⟨masked⟩' }, undefined, new Set(['/token'])))).toEqual({
      token: 'mask',
    })
  })

  it('property: any schema and any arguments give a form in which each argument has its place', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', 'a/b', 'type', 'constructor')
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.record(
          {
            type: fc.constantFrom('object', 'array', 'string', 'integer', 'null', 'nonsense'),
            properties: fc.dictionary(key, tie('schema')),
            items: tie('schema'),
            enum: fc.array(fc.jsonValue()),
            anyOf: fc.array(tie('schema')),
            $ref: fc.constantFrom('#', '#/properties/a', '#/%', 'elsewhere'),
            default: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), schema, (made, said) => {
        const value = JSON.parse(JSON.stringify(made)) as JsonObject
        const given = JSON.parse(JSON.stringify({ type: 'object', properties: said ?? {} })) as JsonObject
        const leaves = leavesOf(planFields(value, given)).filter(({ isPresent }) => isPresent)
        for (const name of Object.keys(value)) {
          const pointer = `/${name.replaceAll('/', '~1')}`
          expect(
            leaves.some((leaf) => leaf.pointer === pointer || leaf.pointer.startsWith(`${pointer}/`)),
          ).toBe(true)
        }
      }),
    )
  })
})

describe('P3: a form in which nothing is changed', () => {
  const values = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))

  it('property: leaves the arguments as they were, whether fields are left alone or written again', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (made, isWrittenAgain) => {
        const before = JSON.parse(JSON.stringify(made)) as JsonObject
        let draft = beginEdit('d', before)
        if (isWrittenAgain) draft = writeAll(draft)
        const read = readEdit(draft)
        expect(read).toMatchObject({ kind: 'value' })
        expect(read.kind === 'value' && isSameJson(read.value, before)).toBe(true)
      }),
    )
  })

  it('property: switching to JSON and back loses nothing', () => {
    fc.assert(
      fc.property(values, (made) => {
        const before = JSON.parse(JSON.stringify(made)) as JsonObject
        const there = switchTo(beginEdit('d', before), 'json')
        const again = switchTo(writeJson(there, there.json), 'form')
        expect(again.mode).toBe('form')
        expect(isSameJson(again.value, before)).toBe(true)
        expect(switchTo(again, 'json').json).toBe(there.json)
      }),
    )
  })
})

/** Types into every field what stands there already. */
function writeAll(draft: EditDraft): EditDraft {
  return leavesOf(planFields(draft.layout, undefined)).reduce((now, { pointer, kind }) => {
    const value = valueAt(now.value, pointer)
    if (value === undefined || kind === 'boolean') return now
    return writeField(now, pointer, kind, shownIn(now, pointer, kind, value))
  }, draft)
}

function leavesOf(plans: readonly FieldPlan[]): FieldPlan[] {
  return plans.flatMap((plan) =>
    plan.kind === 'group' || (plan.kind === 'list' && plan.fields.length > 0)
      ? leavesOf(plan.fields)
      : [plan],
  )
}
