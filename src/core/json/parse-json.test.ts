import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { hasEscapedName } from './json-text.ts'
import { parseJson } from './parse-json.ts'

describe('parseJson', () => {
  it('P3: reads a name as it is written, whatever was read before', () => {
    // What JSON.parse of Node 24 takes the second name for, once it has read the first.
    for (const [before, written, name] of [
      ['{"n1":1,"comm\\\\u0":2}', '{"n1":1,"comm\\u0061nd":2}', 'command'],
      ['{"n2":1,"\\\\":2}', '{"n2":1,"\\u00e9":2}', 'é'],
      ['{"n3":[],"\\\\":0}', '{"n3":1,"\\"":2}', '"'],
      ['{"n4":1,"a\\\\":2}', '{"n4":1,"a\\n" :2}', 'a\n'],
    ] as const) {
      JSON.parse(before)
      parseJson(before)
      expect(Object.keys(parseJson<object>(written))[1]).toBe(name)
    }
  })

  it('takes what JSON.parse takes, and changes what it changes', () => {
    const text =
      '{"\\u0061":1,"a":2,"__proto__":{"x":1},"toString":3,"half":"\\ud800","long":12345678901234567890, "b":[{"\\t":-0}]}'
    expect(hasEscapedName(text)).toBe(true)
    const value = parseJson<Record<string, unknown>>(text)
    expect(value).toEqual(JSON.parse(text))
    expect([value.a, Object.getPrototypeOf(value)]).toEqual([2, Object.prototype])
    for (const broken of ['{"\\u0061":1', '{"\\u0061":1}}', '{"\\x":1}', '{"\\u0061":01}', '\ufeff{"\\n":1}'])
      expect(() => parseJson(broken)).toThrow()
  })

  it('reads back what JSON.stringify wrote, with names of quotes and backslashes in the same places', () => {
    const name = fc.array(fc.constantFrom('\\', '"', '\n', 'u', '0', 'a', 'é'), { maxLength: 4 })
    const object = fc.array(
      fc.tuple(
        name.map((parts) => parts.join('')),
        fc.constantFrom(1, '\\"', [], { '\\': 1 }),
      ),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (objects) => {
        for (const entries of objects) {
          const text = JSON.stringify(Object.fromEntries(entries))
          expect(JSON.stringify(parseJson(text))).toBe(text)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

describe('hasEscapedName', () => {
  it.each([
    ['{"a":"\\n","b":["\\\\"]}', false],
    ['{"a\\n":1}', true],
    ['{"a":"\\"" , "b\\\\" \n : 1}', true],
    ['["\\"",":"]', false],
    ['"\\u0061"', false],
    ['{"a":"x\\":","b":1}', false],
  ])('%s: %s', (text, expected) => expect(hasEscapedName(text)).toBe(expected))

  it('ends on texts that are no JSON', () => {
    for (const text of ['"\\', '\\', '"', '{"\\":', '\\"\\"\\"'])
      expect(typeof hasEscapedName(text)).toBe('boolean')
  })
})
