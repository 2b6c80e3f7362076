import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processMeanings } from './process-meaning.ts'
import { isProcessPath } from './process-path.ts'

describe('a path through a process', () => {
  it('is found by its text, in every spelling', () => {
    for (const path of [
      '/proc/self',
      '/proc/self/cwd/x',
      '//proc//self/./fd/3',
      '/proc/thread-self/root',
      '/proc/1/exe',
      '/proc/12345/task/7/cwd',
      '/x/../proc/self/environ',
      '/proc/x/../self/cwd',
      '/proc/mounts',
      '/proc/net/tcp',
      '/dev/fd/3',
      '/dev/stdin',
      '/dev/./stderr/',
      '/DEV/FD/3',
      '/.vol/1/2',
      '/proc',
      '/proc/',
      'file:///proc/self/cwd',
      'FILE://localhost/proc/self/cwd',
      'file:/proc/%73elf/cwd',
      'file:///x/%2e%2e/proc/self',
      '~/../../proc/self/cwd',
      '/proc/s?lf/cwd',
      '/p*/self',
      '/proc/[0-9]*/cwd',
      '/proc/{self,1}/cwd',
    ])
      expect(isProcessPath(path), path).toBe(true)
    expect(isProcessPath('../../proc/self/cwd', '/srv/app')).toBe(true)
    expect(isProcessPath('self/cwd', '/proc')).toBe(true)
    expect(isProcessPath('x', '/proc/self/cwd')).toBe(true)
    expect(isProcessPath('proc/self', undefined)).toBe(true)
  })

  it('is none where it is the same for everyone', () => {
    for (const path of [
      '/proc/cpuinfo',
      '/proc/sys/kernel/hostname',
      '/dev/null',
      '/dev/tty',
      '/dev/fdx',
      '/srv/proc/self/cwd',
      '/procs/self',
      '/home/ana/.vol',
      '/srv/*/self',
      '/srv/app/[id]/page.tsx',
      '~/proc/self',
    ])
      expect(isProcessPath(path), path).toBe(false)
    expect(isProcessPath('proc/self/cwd', '/srv/app')).toBe(false)
    expect(isProcessPath('../proc/self', '/srv/app')).toBe(false)
    expect(isProcessPath('**/*.ts', '/srv/app')).toBe(false)
  })

  it('means what the system and what the text makes of it', () => {
    expect(processMeanings('/proc/self/fd/../cwd/a/b')).toContainEqual({ kind: 'folder', tail: ['a', 'b'] })
    expect(processMeanings('/proc/7/task/8/root/etc/x')).toEqual([{ kind: 'absolute', path: '/etc/x' }])
    expect(processMeanings('/dev/fd/../cwd/x')).toContainEqual({ kind: 'folder', tail: ['x'] })
    expect(processMeanings('/dev/stderr')).toEqual([
      { kind: 'descriptor', whose: 'self', number: 2, tail: [] },
    ])
    expect(processMeanings('/proc/9/fd/4/x')).toEqual([
      { kind: 'descriptor', whose: 'any', number: 4, tail: ['x'] },
    ])
    expect(processMeanings('/proc/cpuinfo')).toEqual([])
  })

  it('is worked out in a bounded number of steps, whatever it is made of', () => {
    const name = fc.constantFrom('*', '..', '.', 'proc', 'self', 'task', 'root', 'cwd', 'fd', '?', 'x', '')
    fc.assert(
      fc.property(fc.array(name, { maxLength: 400 }), (names) => {
        expect(processMeanings(`/proc/*/${names.join('/')}`).length).toBeLessThan(2000)
      }),
    )
    expect(processMeanings('/*'.repeat(1500)).at(-1)).toMatchObject({ kind: 'descriptor', whose: 'any' })
    expect(processMeanings(`/proc/self${'/x'.repeat(100_000)}`)).toHaveLength(1)
  })
})
