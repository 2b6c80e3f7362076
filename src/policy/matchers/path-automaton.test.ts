import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileNames, type PathFit } from './path-automaton.ts'

describe('compileNames', () => {
  it('matches names with wildcards, and folders above', () => {
    const cases: [names: string, whole: string[], above: string[], none: string[]][] = [
      ['a', ['a'], ['a/b', 'a/b/c'], ['b', 'ab', 'b/a', '']],
      ['a/*/c', ['a/b/c', 'a/xyz/c'], ['a/b/c/d'], ['a/c', 'a/b/b/c', 'a/b']],
      ['*.ts', ['.ts', 'a.ts', 'a.b.ts'], ['a.ts/x'], ['a.tsx', 'x/a.ts']],
      ['a?c', ['abc', 'a😀c', 'a*c'], ['abc/'], ['ac', 'a/c', 'abbc']],
      ['**/a', ['a', 'x/a', 'x/y/a', 'a/a'], ['a/b', 'x/a/b'], ['b', 'xa', 'x/ba', 'ab']],
      ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/b/c', 'a/x/b/c'], ['ab', 'a/xb', 'a', 'a/x', 'b']],
      ['**/*.pem', ['x.pem', 'a/b/x.pem', '.pem'], ['x.pem/y'], ['pem', 'x.pems', 'a/pem']],
      ['**/?', ['a', 'b/a', 'bb/a'], ['a/bb'], ['bb', 'aa/bb']],
      ['**/a/**/b', ['a/b', 'x/a/y/b', 'a/a/b/b'], ['a/b/x'], ['b/a', 'a', 'xa/b', 'a/xb']],
      ['**/a/b', ['a/b', 'a/a/b', 'x/a/b'], ['a/b/c'], ['a/x/b', 'xa/b']],
    ]
    for (const [names, whole, above, none] of cases) {
      const fits = compileNames(names.split('/'))
      for (const [fit, paths] of Object.entries({ whole, above, none })) {
        for (const path of paths) expect(fits(path), `${names} on ${path}`).toBe(fit)
      }
    }
  })

  it('property: agrees with a plain recursive matcher', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 })
    const names = fc
      .array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 5 })
      .map((all) => all.map((one) => (one === '**' ? one : one.replaceAll(/\*+/g, '*'))))
      .filter((all) => all.at(-1) !== '**' && all.every((one, at) => one !== '**' || all[at - 1] !== '**'))
    const path = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), minLength: 1, maxLength: 4 }),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(names, path, (pattern, given) => {
        expect(compileNames(pattern)(given.join('/'))).toBe(naive(pattern, given))
      }),
      { numRuns: 30_000 },
    )
  })

  it('property: long patterns, over many words of bits, agree too', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '?'), minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.nat(), fc.boolean(), (all, at, deep) => {
        const pattern = deep ? ['**', ...all] : all
        const fitting = all.map((one) => one.replaceAll('?', 'é'))
        expect(compileNames(pattern)(fitting.join('/'))).toBe('whole')
        expect(compileNames(pattern)([...fitting, 'x'].join('/'))).toBe('above')
        const joined = fitting.join('/')
        const changed = `${joined.slice(0, at % joined.length)}#${joined.slice((at % joined.length) + 1)}`
        expect(compileNames(pattern)(changed)).toBe(naive(pattern, changed.split('/')))
      }),
    )
  })

  it('P5: is done with patterns on which trying again would take ages', () => {
    const stars = `${'*a'.repeat(450)}*b`
    expect(compileNames([stars])('a'.repeat(10_000))).toBe('none')
    const deep = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? '**' : 'a'))
    expect(compileNames([...deep, 'b'])('a/'.repeat(5000))).toBe('none')
    expect(compileNames(['**', ...Array(400).fill('?'), 'b'])('a/'.repeat(5000))).toBe('none')
  })
})

function naive(pattern: readonly string[], path: readonly string[]): PathFit {
  if (fitsAll(pattern, path)) return 'whole'
  return path.some((_, length) => length > 0 && fitsAll(pattern, path.slice(0, length))) ? 'above' : 'none'
}

function fitsAll([first, ...rest]: readonly string[], path: readonly string[]): boolean {
  if (first === undefined) return path.length === 0
  if (first === '**')
    return path.some((_, skipped) => fitsAll(rest, path.slice(skipped))) || fitsAll(rest, [])
  return path.length > 0 && fitsName([...first], [...path[0]!]) && fitsAll(rest, path.slice(1))
}

function fitsName([first, ...rest]: readonly string[], name: readonly string[]): boolean {
  if (first === undefined) return name.length === 0
  if (first === '*')
    return fitsName(rest, name) || (name.length > 0 && fitsName([first, ...rest], name.slice(1)))
  return name.length > 0 && (first === '?' || first === name[0]) && fitsName(rest, name.slice(1))
}
