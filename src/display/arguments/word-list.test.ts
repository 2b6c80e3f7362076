/** A program with a list of arguments, as people see it everywhere: the one line that will run. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandPlace } from '../../core/call.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { findBlindSpot } from '../../policy/shell/parse/parser-blind-spots.ts'
import { readShell } from '../../policy/shell/read/read-shell.ts'
import { renderCall } from '../render.ts'
import { renderText } from '../render-text.ts'
import { commandLineOf } from './command-line-of.ts'

const TOKEN = `ghp_${'aB3dE6'.repeat(6)}`
const RUNS = 1000

const known = (command: CommandPlace | undefined) => ({ isKnown: true, acting: [], command })
const render = (args: JsonObject, command?: CommandPlace) =>
  renderCall({ tool: 'exec', arguments: args }, { known: known(command), limit: Number.POSITIVE_INFINITY })
const lineOf = (args: JsonObject, command?: CommandPlace) => {
  const [block] = render(args, command).blocks
  if (block?.kind !== 'code') throw new Error('not shown as a line')
  return block.value.text
}
const list = (command: string, ...words: string[]) => ({ command, arguments: words })

/** Any text that a program can be given: letters of several scripts, and all that shells, terminals and people trip over. */
const word = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(
        ...'ab \t\n\'"\\$`*?[]{}~=:#!;&|<>()/.-\r\u0430\u200b\u00a0\u202e\u0301\u27e8⟩\u{e0041}漢é\u05d0',
      ),
      maxLength: 10,
    }),
    fc.constantFrom('', '-rf', '--', '~', '~/x', '*', '$x', '$(id)', '`id`', '!', '{}', 'A=~', 'if', 'A=b'),
    fc.constantFrom('p\u0430ypal', ' '.repeat(70), 'x'.repeat(300), '⟨masked: GitHub token, 40 characters⟩'),
  )
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed())
const words = fc.array(word, { maxLength: 5 })

/** What it prints, at each NUL a new text. */
function bash(script: string): string[] {
  const env = { LC_ALL: 'C.UTF-8', PATH: '/none' }
  const options = { env, cwd: '/', input: '' }
  return execFileSync('/bin/bash', ['--norc', '-c', script], options).toString().split('\0').slice(0, -1)
}

describe('a program with a list of arguments', () => {
  it.each([
    [list('rm', '-rf', '/srv'), 'rm -rf /srv'],
    [list('ls', 'a b'), "ls 'a b'"],
    [list('ls', 'a', 'b'), 'ls a b'],
    [list('ls', ''), "ls ''"],
    [list('ls'), 'ls'],
    [list('ls', '*', '~', '$x'), "ls '*' '~' '$x'"],
    [list('ls', "it's"), "ls 'it'\\''s'"],
    [list('ls', 'a\nb'), "ls $'a\\nb'"],
    [list('ls -la'), "'ls -la'"],
    [list('A=b', 'ls'), "'A=b' ls"],
    [list('time', 'ls'), "'time' ls"],
    [{ command: ['rm', '-rf', 'a b'] }, "rm -rf 'a b'"],
    [{ cmd: 'rm', args: ['x y'] }, "rm 'x y'"],
  ])('P9: %j is %s', (args, line) => {
    const rendering = render(args)
    expect(lineOf(args)).toBe(line)
    expect(rendering.summary).toBe(`exec: ${line}`)
    expect(rendering.shape).toBe('command')
    expect(renderText(rendering)).toContain(`  │ ${line}`)
  })

  it('P9: every argument is in the rendering exactly once', () => {
    const { fields, blocks } = render({ ...list('ls', 'x'), cwd: 'sub', stdin: 'y' })
    expect(blocks.flatMap(({ pointers }) => pointers)).toEqual(['/command', '/arguments'])
    expect(fields.map(({ pointer }) => pointer)).toEqual(['/cwd', '/stdin'])
  })

  it('P9: what can not be seen is warned of, though the line writes it as the shell would', () => {
    const { warnings } = render(list('ls', 'a\u202eb', 'p\u0430ypal'))
    expect(lineOf(list('ls', 'a\u202eb', 'p\u0430ypal'))).toBe("ls $'a\\u202eb' $'p\\u0430ypal'")
    expect(warnings).toEqual([
      expect.stringContaining('right-to-left override'),
      expect.stringContaining('p\u0430ypal'),
    ])
  })

  it('P9: a secret among the arguments is its mask, and nothing else can pass for one', () => {
    expect(lineOf(list('login', TOKEN, 'x y'))).toMatch(/^login ⟨masked: GitHub token, 40 characters⟩ 'x y'$/)
    expect(lineOf(list('login', '⟨masked: GitHub token, 40 characters⟩'))).not.toMatch(/[⟨⟩]/)
  })

  it('P9: in a tool that is told of, the list is where it is said to be', () => {
    const place = { command: '/program', words: '/with' }
    expect(lineOf({ program: 'rm', with: ['a b'], args: ['no'] }, place)).toBe("rm 'a b'")
    expect(
      render({ command: 'ls', args: ['-x'] }, { command: '/command', words: '/arguments' }).summary,
    ).toBe('exec: ls')
    expect(lineOf({ in: { argv: ['rm', 'a b'] } }, { command: '/in/argv' })).toBe("rm 'a b'")
    // A tool that runs commands is not shown as one that writes files, whatever else it is given.
    const both = { path: 'a', content: 'b', program: 'rm', with: ['c'] }
    expect(render(both, place).summary).toBe('exec: rm c')
  })

  it('P9: a list with anything but texts in it is not put together', () => {
    const { blocks, summary } = render({ command: 'ls', arguments: ['a', 1, 'b'] })
    expect(summary).toBe('exec: ls a ⟨… 2 arguments left out⟩')
    expect(blocks.map(({ pointers }) => pointers)).toEqual([['/command'], ['/arguments']])
    expect(render({ command: [] }).summary).toBe('exec: command=[]')
  })

  it('P9: a long list keeps its beginning and its end, and says how much is left out', () => {
    const args = list('ls', ...Array.from({ length: 5000 }, (_, index) => `w\u00e9${index}`))
    const { blocks, warnings } = renderCall({ tool: 'exec', arguments: args }, { limit: 400 })
    expect(blocks[0]).toMatchObject({
      value: { text: expect.stringMatching(/^ls wé0 .*⟨… [0-9,]+ characters left out⟩.* wé4999$/) },
      shortened: { total: lineOf(args).length },
    })
    expect(warnings).toHaveLength(1)
  })
})

describe('property: reading the line that is shown as a shell gives the list back', () => {
  it('P9: our own reader', () => {
    fc.assert(
      fc.property(words, (given) => {
        const line = lineOf(list('x', ...given))
        // It doubts some lines that a shell reads well, and says so.
        fc.pre(findBlindSpot(line) === undefined)
        const [command, ...others] = readShell(line).commands
        expect(others).toEqual([])
        expect(command?.words.map(({ value }) => value)).toEqual(given)
        expect(command?.words.some(({ pattern }) => pattern)).toBe(false)
      }),
      { numRuns: RUNS },
    )
  })

  it('P9: bash, also with a program of any name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, words), { minLength: 100, maxLength: 100 }), (samples) => {
        const lines = samples.map(([program, given]) => lineOf(list(program, ...given)))
        const script = lines.map((line) => `set -- ${line}; printf '%s\\0' "$#" "$@"`).join('\n')
        const expected = samples.flatMap(([program, given]) => [given.length + 1, program, ...given])
        expect(bash(script)).toEqual(expected.map(String))
      }),
      { numRuns: 4 },
    )
  })

  it('P9: bash takes the first word for the name of a program', () => {
    // Paths, builtins and names of jobs are not looked for.
    const name = word.filter((text) => !/^%|\/|^[\w!:.[{}-]*$/.test(text))
    const reserved = ['if', 'then', 'time', 'function', 'coproc', 'A=b', 'A+=b', '_1=', 'do', 'case']
    fc.assert(
      fc.property(fc.array(name, { minLength: 100, maxLength: 100 }), (some) => {
        const names = [...some, ...reserved]
        const lines = names.map((one) => lineOf(list(one, 'x y')))
        const script = `command_not_found_handle() { printf '%s\\0' "$@"; }\n${lines.join('\n')}`
        expect(bash(script)).toEqual(names.flatMap((one) => [one, 'x y']))
      }),
      { numRuns: 3 },
    )
  })
})

describe('property: two lists never look the same', () => {
  it('P9: in the line, in the summary and in the text', () => {
    const few = fc.array(
      fc.string({
        unit: fc.constantFrom('a', ' ', "'", '\\', '"', '\n', 'n', '$', '\u200b', '⟨', 'а'),
        maxLength: 3,
      }),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(few, few, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        const [a, b] = [one, other].map((given) => render(list('x', ...given)))
        expect(lineOf(list('x', ...one)) === lineOf(list('x', ...other))).toBe(isSame)
        expect(a!.summary === b!.summary).toBe(isSame)
        expect(renderText(a!) === renderText(b!)).toBe(isSame)
      }),
      { numRuns: RUNS },
    )
  })

  it('P9: nothing in the line has to be made visible', () => {
    fc.assert(
      fc.property(words, (given) => {
        const [block] = render(list('x', ...given)).blocks
        expect(block?.kind === 'code' && block.value.spans.every(({ kind }) => kind === 'text')).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })
})

describe('P9: a list beside values that are hidden by their names', () => {
  const tool = {
    isKnown: true,
    acting: ['/program', '/secrets'],
    command: { command: '/program', words: '/secrets' },
  }
  const args = {
    program: 'mysql',
    secrets: ['-u', 'app', '--password', 'hunter2 x', TOKEN],
    password: 'hunter2',
    args: ['no'],
  }

  it('has nothing hidden because of a name, and still masks what is a secret by its shape', () => {
    const { summary, masks, blocks } = renderCall({ tool: 'launch', arguments: args }, { known: tool })
    const line = "mysql -u app --password 'hunter2 x' ⟨masked: GitHub token, 40 characters⟩"
    expect(summary).toBe(`launch: ${line}`)
    expect(blocks).toMatchObject([{ kind: 'code', value: { text: line } }, { pointers: ['/args'] }])
    expect(masks.map(({ pointer }) => pointer)).toEqual(['/secrets/4', '/password'])
    expect(commandLineOf(args, { known: tool })).toBe(line)
  })

  it('is looked for by the usual names where nobody knows the tool, and then more is masked', () => {
    expect(commandLineOf(args)).toBeUndefined()
    const { masks } = renderCall({ tool: 'launch', arguments: args })
    expect(masks.map(({ pointer }) => pointer)).toContain('/secrets/3')
    const header = 'Authorization: Bearer hunter2'
    expect(commandLineOf({ command: 'curl', args: ['-H', header], token: 'x' })).toBe(`curl -H '${header}'`)
  })
})
