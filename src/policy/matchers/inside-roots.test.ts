import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInside, plainPath } from './inside-roots.ts'

describe('isInside', () => {
  it('is true for the roots themselves and all below them', () => {
    const roots = ['/space/app', '/tmp/x/']
    for (const path of ['/space/app', '/space/app/', '/space/app/src/a.ts', '/tmp/x', '/tmp/x/y']) {
      expect(isInside(path, roots), path).toBe(true)
    }
    for (const path of ['/', '/work', '/space/apple', '/space/app.bak/x', '/tmp/xy', '/x/space/app/y']) {
      expect(isInside(path, roots), path).toBe(false)
    }
    expect(isInside('/anything', ['/'])).toBe(true)
    expect(isInside('/', ['/'])).toBe(true)
  })

  it('P5: is never true for what is not surely inside', () => {
    const roots = ['/space/app']
    for (const path of [
      '',
      'work/app/x',
      './x',
      '~/x',
      '/Space/app/x',
      '/space/APP',
      '/space/app/../x',
      '/space/app/..',
      '/space/app/./x',
      '/space/app//x',
      '//space/app/x',
      'file:///space/app/x',
    ]) {
      expect(isInside(path, roots), path).toBe(false)
    }
    expect(isInside('/space/app', [])).toBe(false)
    expect(isInside('/space/app', ['', '.', 'work', '/space/app/..'])).toBe(false)
  })

  it('takes paths with drives', () => {
    expect(isInside('C:\\space\\app\\x', ['C:\\space\\app'])).toBe(true)
    expect(isInside('C:/space/app/x', ['C:\\space\\app\\'])).toBe(true)
    for (const path of ['C:\\space\\apple', 'D:\\space\\app\\x', 'C:space\\app', '\\\\host\\space\\app']) {
      expect(isInside(path, ['C:\\space\\app']), path).toBe(false)
    }
    for (const name of ['x.', 'x ', 'x::$DATA', 'PROGRA~1', '..']) {
      expect(plainPath(`C:\\space\\app\\${name}`), name).toBeUndefined()
    }
  })

  it('property: a path made of a root and names is inside, and of that root with more letters it is not', () => {
    const name = fc
      .string({ minLength: 1 })
      .filter((text) => !/[/]/.test(text) && text !== '.' && text !== '..')
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.array(name), name, (root, below, more) => {
        const folder = `/${root.join('/')}`
        expect(isInside([folder, ...below].join('/'), [folder])).toBe(true)
        expect(isInside([folder + more, ...below].join('/'), [folder])).toBe(false)
      }),
    )
  })
})
