import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insertInJson, notPlainBecause, readJsonText, removeFromJson } from './json-text.ts'

const ours = { matcher: '*', hooks: [{ type: 'command', command: 'x' }] }

describe('a change in a JSON file of somebody else', () => {
  it('keeps comments, order and the form of what is beside it', () => {
    const before = `{
  // my hooks
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{"type":"command","command":"mine"}] } // theirs
    ]
  },
  "a": 1.0
}
`
    const after = insertInJson(before, ['hooks', 'PreToolUse'], undefined, ours)
    expect(after).toBe(`{
  // my hooks
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{"type":"command","command":"mine"}] }, // theirs
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "x"
          }
        ]
      }
    ]
  },
  "a": 1.0
}
`)
    expect(removeFromJson(after, ['hooks', 'PreToolUse', 1])).toBe(before)
  })

  it.each([
    ['a line', '{"hooks":{"A":[1]}}'],
    ['tabs', '{\n\t"hooks": {\n\t\t"A": [\n\t\t\t1\n\t\t]\n\t}\n}\n'],
    ['Windows', '{\r\n  "hooks": {\r\n    "A": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n'],
    ['a comma at the end', '{\n  "hooks": {\n    "A": [\n      1,\n    ],\n  },\n}\n'],
    ['a remark behind a comma', '{\n  "hooks": {\n    "A": [\n      1, // one\n    ],\n  },\n}\n'],
    ['a remark below', '{\n  "hooks": {\n    "A": [\n      1\n      // one\n    ]\n  }\n}\n'],
    ['a block of remarks', '{\n  "hooks": {\n    "A": [ /* one */ 1 /* two */ ] /* three */\n  }\n}\n'],
  ])('is undone to the byte: %s', (_, before) => {
    const added = insertInJson(before, ['hooks', 'A'], undefined, ours)
    expect(readJsonText(added)).toEqual({ hooks: { A: [1, ours] } })
    expect(removeFromJson(added, ['hooks', 'A', 1])).toBe(before)
    const member = insertInJson(before, ['hooks'], 'B', [ours])
    expect(readJsonText(member)).toEqual({ hooks: { A: [1], B: [ours] } })
    expect(removeFromJson(member, ['hooks', 'B'])).toBe(before)
  })

  it('what others put behind ours stays when ours goes', () => {
    const text = '{\n  "A": [\n    1,\n    2, // ours\n    // of 3\n    3\n  ]\n}\n'
    expect(removeFromJson(text, ['A', 1])).toBe('{\n  "A": [\n    1, // ours\n    // of 3\n    3\n  ]\n}\n')
    expect(removeFromJson(text, ['A', 0])).toBe('{\n  "A": [\n    2, // ours\n    // of 3\n    3\n  ]\n}\n')
  })

  it.each([
    ['{ // mine\n  "A": 1\n}', ['A'], {}],
    ['{ // mine\n  "A": 1, "B": 2 }', ['A'], { B: 2 }],
    ['{ "B": 2, // mine\n  "A": 1 }', ['A'], { B: 2 }],
    ['{ "B": 2, // mine\n  "A": 1, "C": 3 }', ['A'], { B: 2, C: 3 }],
  ])('a remark in front does not swallow what follows: %j', (text, path, left) => {
    expect(readJsonText(removeFromJson(text, path))).toEqual(left)
    expect(removeFromJson(text, path)).toContain('// mine')
  })

  it('an empty file, an empty object and one with a remark get it', () => {
    expect(insertInJson('', [], 'a', 1)).toBe('{\n  "a": 1\n}\n')
    expect(insertInJson('{}', [], 'a', 1)).toBe('{\n  "a": 1\n}')
    expect(insertInJson('{\n  // none\n}\n', [], 'a', 1)).toBe('{\n  "a": 1\n  // none\n}\n')
  })

  it.each([
    ['no JSON', '{"hooks": '],
    ['a list', '[]'],
    ['something else at the place', '{"hooks": 1}'],
  ])('is refused: %s', (_, text) => {
    expect(() => insertInJson(text, ['hooks'], 'A', 1)).toThrow(/must be an object|isn't JSON/)
  })

  it('any text of JSON gets it, has the rest as before, and is as before without it', () => {
    const unit = fc.constantFrom(undefined, 1, 2, 4, '\t')
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), unit, (found, indent) => {
        const value = { ...(JSON.parse(JSON.stringify(found)) as object), hooks: { A: [{ b: 1 }] } }
        const before = JSON.stringify(value, null, indent)
        const after = insertInJson(before, ['hooks', 'A'], undefined, ours)
        expect(readJsonText(after)).toEqual({ ...value, hooks: { A: [{ b: 1 }, ours] } })
        expect(removeFromJson(after, ['hooks', 'A', 1])).toBe(before)
      }),
    )
  })
})

describe('what is wrong with a file is said by name and line', () => {
  it.each([
    ['\uFEFF{}', 'it begins with a byte order mark, which nobody sees: save the file as UTF-8 without it'],
    ['{\n  "a": 1\n  "b": 2\n}', "it isn't JSON (line 3)"],
  ])('%j', (text, why) => expect(() => readJsonText(text)).toThrow(why))

  it.each([
    ['{\n  "a": 1,\n  // mine\n}', 'it has a comment (line 3)'],
    ['{ "a": "// not one", /* one */ }', 'it has a comment (line 1)'],
    ['{\n  "a": [\n    1,\n  ]\n}', 'it has a comma behind the last entry of a list (line 3)'],
    ['{\n  "a": 1,\n}', 'it has a comma behind the last entry of a list (line 2)'],
  ])('plain JSON it is not: %j', (text, why) => expect(notPlainBecause(text)).toBe(why))
})
