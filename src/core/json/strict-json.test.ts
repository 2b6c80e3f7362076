import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../errors.ts'
import { canonicalize, MAX_DEPTH } from './json.ts'
import { parseJson } from './parse-json.ts'
import { parseStrictJson } from './strict-json.ts'

describe('parseStrictJson', () => {
  it('reads what JSON is', () => {
    const text =
      ' {"a" : [ 1, -2.5, true, false, null, "x\\n\\u00e9\\ud83d\\ude00/\\/" ],\r\n\t"b":{}, "c":[]} '
    expect(parseStrictJson(text)).toEqual(JSON.parse(text))
    for (const scalar of ['"x"', '0', 'true', 'false', 'null', '""', '-1e-7']) {
      expect(parseStrictJson(scalar)).toBe(JSON.parse(scalar))
    }
  })

  it('P3: refuses duplicate keys, however they are written', () => {
    refuses('{"a":1,"a":1}', 'the key "a" is there twice', 1, 8)
    refuses('{"a":1,"\\u0061":2}', 'the key "a" is there twice', 1, 8)
    refuses('{"__proto__":1,"__proto__":2}', 'twice')
    refuses('{"toString":1,"toString":2}', 'twice')
    refuses('[{"x":{"b":1,\n  "b":2}}]', 'twice', 2, 3)
    refuses('{"1":1,"1":2}', 'twice')
    expect(parseStrictJson('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }])
    expect(Object.keys(parseStrictJson('{"\\u00e9":1,"e\\u0301":2}') as object)).toHaveLength(2)
  })

  it('P3: refuses lone surrogates, raw and escaped', () => {
    for (const text of ['"\ud800"', '"\udc00"', '"a\udc00\ud800"', '{"\ud800":1}', '\ud800']) {
      refuses(text, 'lone surrogate')
    }
    for (const text of [
      '"\\ud800"',
      '"\\udc00"',
      '"\\ud800\\ud800"',
      '"\\udc00\\udc00"',
      '"\\ud800x"',
      '"\\ud83d\\n\\ude00"',
      '"\\ud83d\\ude00\\ude00"',
      '"\\\\ud83d\\ude00"',
      '"\\ud83d\ude00"',
      '"\ud83d\\ude00"',
      '{"\\uDFFF":1}',
    ]) {
      refuses(text, 'lone surrogate')
    }
    refuses('{"a":"x\\ud800"}', 'lone surrogate', 1, 8)
    expect(parseStrictJson('"\\uD83D\\uDE00😀"')).toBe('😀😀')
    expect(parseStrictJson('"\\\\ud83d"')).toBe('\\ud83d')
  })

  it('P3: refuses numbers that do not survive a double', () => {
    for (const text of [
      '12345678901234567890',
      '9007199254740993',
      '-9007199254740993',
      '0.1000000000000000055511151231257827',
      '3.14159265358979323846',
      '1e400',
      '-1e400',
      '1e-400',
      `1${'0'.repeat(400)}`,
      `0.${'0'.repeat(400)}1`,
      '1e99999999999999999999',
      '123456789012345678e-20',
    ]) {
      refuses(`[${text}]`, 'does not survive a double', 1, 2)
    }
  })

  it('takes numbers that survive, however they are written', () => {
    for (const text of [
      '1.0',
      '1e2',
      '1E+2',
      '-0',
      '-0.0',
      '0e99999999999999999999',
      '100e-2',
      '0.1',
      '1.50',
      '5e-324',
      '1.7976931348623157e308',
      '9007199254740992',
      '100000000000000000000000',
      '1e23',
      '0.00000000000000000000000001',
      `1.${'0'.repeat(5000)}`,
      `1${'0'.repeat(300)}`,
      `1${'0'.repeat(300)}e-300`,
      '0.30000000000000004',
    ]) {
      expect(parseStrictJson(text), text).toBe(JSON.parse(text))
    }
  })

  it('P5: refuses nesting past the limit and does not overflow the stack', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseStrictJson(nested(MAX_DEPTH))).toEqual(JSON.parse(nested(MAX_DEPTH)))
    refuses(nested(MAX_DEPTH + 1), 'deeper than 100', 1, MAX_DEPTH + 1)
    refuses('{"a":'.repeat(MAX_DEPTH + 1), 'deeper than 100')
    refuses('['.repeat(1_000_000), 'deeper than 100')
    expect(parseStrictJson(`[${'[[1]],'.repeat(MAX_DEPTH)}1]`)).toHaveLength(MAX_DEPTH + 1)
  })

  it('keeps __proto__ and the names of Object.prototype as own properties', () => {
    const value = parseStrictJson('{"__proto__":{"admin":true},"toString":1,"constructor":2}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__', 'toString', 'constructor'])
    expect((value as { admin?: boolean }).admin).toBeUndefined()
    expect(canonicalize(value)).toBe('{"__proto__":{"admin":true},"constructor":2,"toString":1}')
  })

  it('says what is wrong and where', () => {
    const cases: [text: string, why: string, line: number, column: number][] = [
      ['', 'expected a value; found the end of the text', 1, 1],
      ['  \n ', 'found the end of the text', 2, 2],
      ['\ufeff{}', 'byte order mark', 1, 1],
      ['{} {}', 'goes on after the value with "{"', 1, 4],
      ['1\u00a0', 'goes on after the value with U+00A0', 1, 2],
      ['{"a":1,}', 'a comma before "}"', 1, 7],
      ['[1,\n2,\n]', 'a comma before "]"', 2, 2],
      ['[1 2]', 'expected "," or "]"; found "2"', 1, 4],
      ['[,1]', 'expected a value; found ","', 1, 2],
      ['[1,,2]', 'expected a value; found ","', 1, 4],
      ['{"a" 1}', 'expected ":" after a key; found "1"', 1, 6],
      ["{'a':1}", 'expected a key in double quotes; found "\'"', 1, 2],
      ['{a:1}', 'expected a key in double quotes; found "a"', 1, 2],
      ['{"a":1', 'expected "," or "}"; found the end of the text', 1, 7],
      ['{"a"', 'expected ":"', 1, 5],
      ['{"a":', 'expected a value; found the end', 1, 6],
      ['"abc', 'this string never ends', 1, 1],
      ['["a\\', 'a backslash in a string', 1, 4],
      ['"\\x41"', 'a backslash in a string', 1, 2],
      ['"\\u12g4"', 'four hexadecimal digits', 1, 2],
      ['"\\u12', 'four hexadecimal digits', 1, 2],
      ['"a\nb"', 'the control character U+000A must be escaped', 1, 3],
      ['"\t"', 'the control character U+0009', 1, 2],
      ['"\0"', 'the control character U+0000', 1, 2],
      ['"\u001f"', 'the control character U+001F', 1, 2],
      ['[\r\n01]', 'not how JSON writes a number', 2, 1],
      ['1.', 'not how JSON writes a number', 1, 1],
      ['1.e1', 'not how JSON writes a number', 1, 1],
      ['1e', 'not how JSON writes a number', 1, 1],
      ['.5', 'expected a value; found "."', 1, 1],
      ['+1', 'expected a value; found "+"', 1, 1],
      ['-', 'expected a value; found "-"', 1, 1],
      ['NaN', 'expected a value; found "N"', 1, 1],
      ['tru', 'expected a value; found "t"', 1, 1],
      ['nulll', 'goes on after the value', 1, 5],
      ['// x\n1', 'expected a value; found "/"', 1, 1],
      ['[1]\0', 'goes on after the value with U+0000', 1, 4],
      ['{"a":\f1}', 'expected a value; found U+000C', 1, 6],
    ]
    for (const [text, why, line, column] of cases) refuses(text, why, line, column)
  })

  it('P5: carries at most the beginning of a long key in its message', () => {
    const key = 'k'.repeat(100_000)
    expect(errorOf(`{"${key}":1,"${key}":2}`).message.length).toBeLessThan(300)
  })

  it('property: agrees with parseJson on whatever it accepts', () => {
    const fragments = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u',
        'd83d',
        '\\ude00',
        '0',
        '1',
        '-',
        '.',
        'e',
        '+',
        '9',
        ' ',
        '\n',
      ],
      ...[
        '"a"',
        '"b":',
        'true',
        'null',
        '\u0000',
        'é',
        '😀',
        '\ud800',
        '12345678901234567890',
        '"__proto__":',
      ],
    )
    const texts = fc.oneof(
      fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join('')),
      fc
        .array(fc.constantFrom('0', '1', '9', '.', 'e', '-', '+', '5'), { maxLength: 24 })
        .map((parts) => parts.join('')),
      fc.json(),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const strict = attempt(() => parseStrictJson(text))
        const lenient = attempt(() => parseJson(text))
        if (strict.ok) expect(strict).toStrictEqual(lenient)
      }),
      { numRuns: 5000 },
    )
  })

  it('property: accepts every text that JSON.stringify writes of a well-formed value', () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (written, space) => {
        const text = JSON.stringify(written, undefined, space)
        expect(parseStrictJson(text)).toStrictEqual(parseJson(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('property: P3: a number is accepted exactly when its double is the same decimal number', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 25 })
    const literal = fc
      .tuple(digits, fc.option(digits), fc.option(fc.integer({ min: -330, max: 330 })))
      .map(([whole, fraction, exponent]) => {
        const mantissa = BigInt(whole).toString() + (fraction === null ? '' : `.${fraction}`)
        return exponent === null ? mantissa : `${mantissa}e${exponent}`
      })
    fc.assert(
      fc.property(literal, (text) => {
        const shortest = String(Number(text))
        const same = Number.isFinite(Number(text)) && scaled(shortest) === scaled(text)
        expect(attempt(() => parseStrictJson(text)).ok).toBe(same)
      }),
      { numRuns: 2000 },
    )
  })
})

/** The number times 10^400, exactly. */
function scaled(literal: string): bigint {
  const [mantissa = '', exponent = '0'] = literal.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length)
}

function attempt(read: () => unknown): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: read() }
  } catch {
    return { ok: false }
  }
}

function errorOf(text: string): BanksmanError {
  try {
    parseStrictJson(text)
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error(`accepted ${JSON.stringify(text.slice(0, 100))}`)
}

function refuses(text: string, why: string, line?: number, column?: number): void {
  const error = errorOf(text)
  expect(error.code).toBe('invalid_json')
  expect(error.message).toContain(why)
  if (line !== undefined) expect({ text, ...error.details }).toEqual({ text, line, column })
}
