import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../index.ts'

const policy = compilePolicy(
  { deny: ['Bash(rm *)', 'exec(rm *)'] },
  { tools: { runner: { kind: 'shell', command: '/job/line' } } },
)
const explain = (tool: string, args: Record<string, unknown>) =>
  policy.explain({ tool, arguments: args as never })

describe('an explained shell line', () => {
  it('names the argument whose text its places count in', () => {
    const command = 'ls && rm x'
    const { pointer, commands } = explain('Bash', { command })
    expect(pointer).toBe('/command')
    expect(commands?.map(({ start, end, verdict }) => [command.slice(start, end), verdict])).toEqual([
      ['ls', 'ask'],
      ['rm x', 'deny'],
    ])
    expect(explain('runner', { job: { line: 'ls' } }).pointer).toBe('/job/line')
  })

  it('names none where the words are put together from several values', () => {
    for (const args of [{ command: 'rm', arguments: ['x'] }, { command: ['rm', 'x'] }]) {
      const { pointer, commands } = explain('exec', args)
      expect(pointer).toBeUndefined()
      expect(commands?.map(({ verdict }) => verdict)).toEqual(['deny'])
    }
    expect(explain('read_file', { path: 'a' })).not.toHaveProperty('pointer')
  })

  it('tells for each command what allows it', () => {
    const lax = compilePolicy({ allow: ['Bash(ls *)', 'Bash(pwd *)'] })
    const { commands } = lax.explain({ tool: 'Bash', arguments: { command: 'ls a; pwd; date' } })
    expect(commands?.map(({ verdict, rule }) => [verdict, rule])).toEqual([
      ['allow', 'allow: "Bash(ls *)"'],
      ['allow', 'allow: "Bash(pwd *)"'],
      ['ask', 'mode: default'],
    ])
  })

  it.each([
    ['PATH=/tmp:$PATH; ls a', ['ask']],
    ['export PATH=/tmp:$PATH && ls a', ['ask', 'ask']],
    ["alias ls='rm -rf'\nls a", ['ask', 'ask', 'ask']],
    ['ls() { date; }; ls a', ['ask', 'ask']],
    ['ls a; PATH=/tmp', ['allow']],
    ['ls a; X=$(pwd); ls b', ['allow', 'allow', 'ask']],
  ])('P9: what comes after a change of names is not called allowed: %j', (command, verdicts) => {
    const lax = compilePolicy({ allow: ['Bash(ls *)', 'Bash(pwd *)'] })
    const { commands } = lax.explain({ tool: 'Bash', arguments: { command } })
    expect(commands?.map(({ verdict }) => verdict)).toEqual(verdicts)
  })

  it('with very many commands tells the same of each as of one', () => {
    const { commands } = explain('Bash', { command: `${'ls; '.repeat(499)}rm x` })
    expect(commands).toHaveLength(500)
    expect(new Set(commands?.slice(0, -1).map(({ verdict, rule }) => `${verdict} ${rule}`)).size).toBe(1)
    expect(commands?.at(-1)).toMatchObject({ verdict: 'deny', rule: 'deny: "Bash(rm *)"' })
  })
})
