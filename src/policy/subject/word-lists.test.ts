/** A program with a list of arguments is judged as just that: nothing in an argument is expanded or taken for a shell's. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteWords } from '../../core/support/quote-word.ts'
import { compilePolicy } from '../index.ts'

const policy = compilePolicy(
  {
    deny: ['exec(rm *)', 'exec(curl *)'],
    allow: ['exec(echo *)', 'exec(grep *)'],
    mode: 'default',
  },
  { roots: ['/w'], tools: { launch: { kind: 'shell', command: '/program', words: '/with' } } },
)
const verdictOf = (words: string[]) => {
  const [command = '', ...rest] = words
  return policy.evaluate({ tool: 'exec', arguments: { command, arguments: rest }, cwd: '/w' }).kind
}
const commandsOf = (words: string[]) =>
  policy
    .explain({ tool: 'exec', arguments: { command: words[0]!, arguments: words.slice(1) }, cwd: '/w' })
    .commands?.map(({ text }) => text)

describe('a list of arguments', () => {
  it.each([
    [['echo', '$(rm x)'], 'allow'],
    [['echo', '`rm x`', ';', 'rm', 'x'], 'allow'],
    [['echo', 'a', '&&', 'curl', 'x'], 'allow'],
    [['echo', '>', 'out'], 'allow'],
    [['echo', '*', '~', '$HOME', '{a,b}', '<(rm x)'], 'allow'],
    [['sh', '-c', 'rm x'], 'deny'],
    [['bash', '-lc', 'echo a; curl x'], 'deny'],
    [['env', 'A=b', 'rm', 'x'], 'deny'],
    [['xargs', 'rm'], 'deny'],
    [['timeout', '1', 'sh', '-c', 'rm x'], 'deny'],
    [['find', '.', '-exec', 'rm', '{}', ';'], 'deny'],
    [['/bin/rm', 'x'], 'deny'],
    [['echo a; rm x'], 'ask'],
    [['A=b', 'echo'], 'ask'],
    [[''], 'ask'],
  ])('%j: %s', (words, verdict) => {
    expect(verdictOf(words)).toBe(verdict)
  })

  it('property: P5: whatever the arguments of a program that runs nothing, it is that one command', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 10 }),
      fc.string({ unit: fc.constantFrom(...'ab $()`;&|<>*?[]{}~=\'"\\\n#!'), maxLength: 10 }),
      fc.constantFrom('$(rm x)', '`curl x`', '; rm x', '~/.ssh', '*', '$x', '<(rm x)', '-e'),
    )
    fc.assert(
      fc.property(
        fc.array(word.map((text) => text.replaceAll('\0', '')).filter((text) => text.isWellFormed())),
        (words) => {
          expect(commandsOf(['echo', ...words])).toEqual([quoteWords(['echo', ...words])])
          expect(verdictOf(['echo', ...words])).toBe('allow')
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('property: P5: what a shell is given in a list is judged as a line of its own would be', () => {
    const lines = fc.constantFrom(
      'rm x',
      'echo a; curl y',
      'echo a',
      'echo $(rm x)',
      'grep a b | curl z',
      'ls',
    )
    const around = fc.constantFrom<string[]>(['sh', '-c'], ['bash', '-c'], ['env', 'sh', '-c'])
    fc.assert(
      fc.property(lines, around, (line, shell) => {
        const alone = policy.evaluate({ tool: 'exec', arguments: { command: line }, cwd: '/w' }).kind
        expect(verdictOf([...shell, line])).toBe(alone)
      }),
    )
  })

  it('says where the list is, for tools of ours and for those under tools:', () => {
    const placeOf = (tool: string) => policy.knownTool({ tool, arguments: {} }).command
    expect(placeOf('exec')).toEqual({ command: '/command', words: '/arguments' })
    expect(placeOf('launch')).toEqual({ command: '/program', words: '/with' })
    expect(placeOf('Read')).toBeUndefined()
    expect(placeOf('nobody-knows')).toBeUndefined()
    const explained = (args: object) =>
      policy.explain({ tool: 'launch', arguments: args as never, cwd: '/w' })
    expect(explained({ program: 'ls', with: ['a'] })).toMatchObject({
      list: { command: '/program', words: '/with' },
    })
    expect(explained({ program: ['ls', 'a'] })).toMatchObject({ list: { command: '/program' } })
    expect(explained({ program: 'ls' })).toMatchObject({ pointer: '/program' })
    for (const odd of [{ program: 'ls', with: [1] }, { program: ['ls'], with: ['a'] }, {}]) {
      expect(explained(odd)).not.toHaveProperty('list')
      expect(explained(odd).verdict.kind).toBe('ask')
    }
  })
})
