import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../src/client/index.ts'
import { fromEditableJson, toEditableJson } from './editable-json.ts'

describe('arguments as text to edit', () => {
  it('P9: writes out what could not be seen', () => {
    expect(toEditableJson({ command: 'echo a\u202eb\u200b\u00a0c\u2028\u{e0041}' })).toBe(
      '{\n  "command": "echo a\\u202eb\\u200b\\u00a0c\\u2028\\udb40\\udc41"\n}',
    )
  })

  it.each([
    ['{ "a": 1, "a": 2 }', /"a" is there twice/],
    ['{ "a": 12345678901234567890 }', /./],
    ['{ "a": "\\ud800" }', /surrogate/],
    ['{ "a": 1', /line 1/],
    ['', /line 1/],
    ['[1]', /must be an object/],
    ['null', /must be an object/],
    ['{ "a": 1 } x', /line 1/],
  ])('P3: refuses %j, which would be sent as something else', (text, message) => {
    expect(() => fromEditableJson(text)).toThrow(message)
  })

  it('is never blanks for the most part, as many members deep down would be', () => {
    let value: JsonObject = { list: Array.from({ length: 5000 }, () => 1) }
    expect(toEditableJson(value)).toContain('\n    1,\n')
    for (let level = 0; level < 90; level++) value = { in: value }
    const text = toEditableJson(value)
    expect(text.length).toBeLessThan(20_000)
    expect(fromEditableJson(text)).toEqual(value)
    const many = { list: Array.from({ length: 60_000 }, () => ({})) }
    expect(toEditableJson(many)).toBe(JSON.stringify(many))
  })

  it('property: unedited, it reads back as what it was, and every character can be seen', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
    fc.assert(
      fc.property(value, (made) => {
        // As it came over the wire, where there is no negative zero.
        const args = JSON.parse(JSON.stringify(made)) as JsonObject
        const text = toEditableJson(args)
        expect(fromEditableJson(text)).toEqual(args)
        expect(text).not.toMatch(/[^\P{C}\n]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}/u)
      }),
    )
  })
})
