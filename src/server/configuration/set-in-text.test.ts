import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { setInText } from './set-in-text.ts'

const account = (text: string) => setInText(text, ['people', 'ana', 'telegram'], 101)

describe('a value is set in the text of a configuration', () => {
  it.each([
    ['an empty file', '', 'people: { ana: { telegram: 101 } }\n'],
    ['comments alone', '# ours\n', '# ours\n\npeople: { ana: { telegram: 101 } }\n'],
    ['another key', 'owner: ana # me', 'owner: ana # me\n\npeople: { ana: { telegram: 101 } }\n'],
    [
      'people in a block',
      'people:\n  ben: { groups: [x] } # b\n\n# rules\npolicy: {}\n',
      'people:\n  ben: { groups: [x] } # b\n  ana: { telegram: 101 }\n\n# rules\npolicy: {}\n',
    ],
    ['people with nobody', 'people:\npolicy: {}\n', 'people: { ana: { telegram: 101 } }\npolicy: {}\n'],
    ['people as an empty mapping', 'people: {}\n', 'people: { ana: { telegram: 101 } }\n'],
    ['people in a flow', 'people: { ben: {} }\n', 'people: { ben: {}, ana: { telegram: 101 } }\n'],
    ['a person without anything', 'people:\n  ana: # me\n', 'people:\n  ana: { telegram: 101 } # me\n'],
    [
      'a person in a flow',
      'people:\n  ana: { groups: [approvers] }   # me\n',
      'people:\n  ana: { groups: [approvers], telegram: 101 }   # me\n',
    ],
    [
      'a person in a block',
      'people:\n    ana:\n        groups:\n            - a\n            - b # two\n    ben: {}\n',
      'people:\n    ana:\n        groups:\n            - a\n            - b # two\n        telegram: 101\n    ben: {}\n',
    ],
    [
      'another account',
      'people:\n  ana: { telegram: 7, groups: [x] }\n',
      'people:\n  ana: { telegram: 101, groups: [x] }\n',
    ],
    ['JSON', '{"people": {"ana": {"groups": []}}}', '{"people": {"ana": {"groups": [], telegram: 101}}}'],
  ])('in %s', (_, before, after) => {
    expect(account(before)).toBe(after)
    expect(parse(after).people.ana.telegram).toBe(101)
  })

  it('keeps comments where it has to write the text anew', () => {
    const before = '# top\nx: &a { ben: {} }\npeople: *a # same\n'
    expect(() => account(before)).toThrow('add it by hand')
    expect(account('people:\n  ? ana\n  : groups: [x] # c\n')).toContain('# c')
  })

  it.each(['a: [', 'a: 1\na: 2\n', '- list\n', 'people: text\n', 'a: 1\n---\nb: 2\n'])(
    'P5: leaves %j as it is, and says what to add',
    (text) => {
      expect(() => account(text)).toThrow(/people\.ana\.telegram can't be written/)
    },
  )

  it('P9: a value never becomes anything but itself', () => {
    const plain = { noNullPrototype: true }
    const json = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), plain)
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), json, plain),
        fc.string(),
        fc.string(),
        json,
        (file, key, name, value) => {
          fc.pre(![key, name, ...Object.keys(value), ...Object.keys(file)].includes('__proto__'))
          const before = stringify(file)
          const after = parse(setInText(before, [key, name], value as Record<string, string>))
          const own = Object.hasOwn(file, key) ? file[key] : {}
          expect(after).toEqual({ ...file, [key]: { ...own, [name]: value } })
        },
      ),
    )
  })
})
