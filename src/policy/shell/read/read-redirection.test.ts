import { describe, expect, it } from 'vitest'
import { readShell } from './read-shell.ts'

const redirections = (line: string) =>
  readShell(line).commands[0]?.redirections.map(({ kind, target }) => `${kind} ${target}`)

describe('P5: files that input and output are tied to', () => {
  it.each([
    ['ls > a', ['write a']],
    ['ls >> a', ['write a']],
    ['ls >| a', ['write a']],
    ['ls &> a', ['write a']],
    ['ls &>> a', ['write a']],
    ['ls >& a', ['write a']],
    ['ls 2> a', ['write a']],
    ['ls <> a', ['write a']],
    ['ls < a', ['read a']],
    ['> a ls', ['write a']],
    ['ls > a > b < c', ['write a', 'write b', 'read c']],
    ['exec 3> a', ['write a']],
    ['ls {fd}> a', ['write a']],
    ['ls > "a b"', ['write a b']],
    ['ls > ~/a', ['write ~/a']],
    ["ls > '~/a'", ['write ./~/a']],
    ['ls > $A', ['write undefined']],
    ['ls > a*', ['write undefined']],
    ['ls >& $A', ['write undefined']],
    ['ls >! a', ['write undefined']],
    ['ls > /dev/tcp/host/80', ['write /dev/tcp/host/80']],
    ['ls > /dev/sda', ['write /dev/sda']],
    ['ls > /dev/tty', ['write /dev/tty']],
    ['ls > /dev/null 2>&1', []],
    ['ls >&2', []],
    ['ls 2>&-', []],
    ['ls 3>&1-', []],
    ['ls <&3', []],
    ['ls > /dev/stderr', []],
    ['ls > >(cat)', []],
    ['ls < <(cat)', []],
    ['cat <<< a', []],
    ['cat <<E\nx\nE', []],
    ['> a', ['write a']],
    ['X=1 > a', ['write a']],
    ['[[ -f x ]] > a', ['write a']],
  ])('%s', (line, expected) => {
    expect(redirections(line)).toEqual(expected)
  })

  it('P5: those of a group hold for all that runs in it', () => {
    for (const line of ['{ a; b; } > o', '(a; b) > o', 'while a; do b; done > o', 'if a; then b; fi > o']) {
      const { commands } = readShell(line)
      expect(commands.map(({ redirections }) => redirections.map(({ target }) => target))).toEqual([
        ['o'],
        ['o'],
      ])
    }
    expect(readShell('{ a > p; } > o').commands[0]?.redirections.map(({ target }) => target)).toEqual([
      'o',
      'p',
    ])
  })

  it('P5: what a target runs is found', () => {
    expect(readShell('ls > $(rm x)').commands.map(({ text }) => text)).toEqual(['ls', 'rm x'])
    expect(readShell('{ ls; } > $(rm x)').commands.map(({ text }) => text)).toEqual(['ls', 'rm x'])
  })
})
