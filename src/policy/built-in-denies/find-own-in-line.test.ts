import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defined } from '../../core/defined.ts'
import type { Facts } from '../../core/verdict.ts'
import type { JudgedCall } from '../policy.ts'
import { createSubject, lookupsOf } from '../subject/subject.ts'
import { compileCatalogue } from '../tools/catalogue.ts'
import { compileBuiltInDenies, type OwnHouse } from './compile-built-in-denies.ts'
import behindLinks from './fixtures/denied-behind-links.json' with { type: 'json' }
import deniedLines from './fixtures/denied-lines.json' with { type: 'json' }
import moreDeniedLines from './fixtures/more-denied-lines.json' with { type: 'json' }
import passedLines from './fixtures/passed-lines.json' with { type: 'json' }

const HOUSE: OwnHouse = {
  files: ['/srv/app/banksman.yaml', '/srv/app/hooks/check.sh'],
  untouchable: ['/srv/app/data.db'],
  folders: ['/srv/app/.banksman', '/home/ana/.config/banksman/trusted'],
  addresses: ['127.0.0.1:4790'],
  program: 'banksman',
}
const denies = compileBuiltInDenies(HOUSE)
const { find } = compileCatalogue({})

const LINKS: readonly [from: string, to: string][] = [
  ['/srv/app/innocent', '/srv/app/.banksman'],
  ['/srv/app/conf', '/srv/app/banksman.yaml'],
  ['/srv/app/bin/x', '/usr/lib/node_modules/banksman/bin/banksman.js'],
  ['/tmp/app', '/srv/app'],
  ['/srv/app/h', '/srv/app/hooks'],
]

const DENIED = { ...deniedLines, ...moreDeniedLines }

describe.each(Object.entries(DENIED))('built-in denies: a shell line that %s', (_, denied) => {
  it.each(denied)('P11: is denied: %s', (line) => {
    expect(rule(line)).toMatch(/^built-in: own/)
    expect(rule(line, lookedUp(line))).toMatch(/^built-in: own/)
  })
})

describe.each(Object.entries(passedLines))('built-in denies: a shell line with %s', (_, passed) => {
  it.each(passed)('is let pass: %s', (line) => {
    expect(rule(line)).toBeUndefined()
    expect(rule(line, lookedUp(line))).toBeUndefined()
  })
})

describe('built-in denies: links in shell lines', () => {
  it.each(behindLinks)('P11: are seen through: %s', (line) => {
    expect(rule(line, lookedUp(line))).toMatch(/^built-in: own/)
  })

  it('what was looked up is believed: a file of the same name elsewhere is none of ours', () => {
    const line = 'cd /opt/other && rm banksman.yaml'
    expect(rule(line, lookedUp(line))).toBeUndefined()
    expect(rule(line)).toBe('built-in: own files')
  })

  it('P11: the folder that the line runs in may be a link', () => {
    const facts = { folder: '/srv/app' }
    for (const line of ['rm hooks/check.sh', 'rm -rf .', 'cat data.db', 'cp /tmp/check.sh hooks']) {
      expect(rule(line, facts, '/tmp/link'), line).toMatch(/^built-in: own files/)
      expect(rule(line, { folder: '/opt' }, '/tmp/link'), line).toBeUndefined()
    }
  })
})

describe('built-in denies: other shapes of shell calls', () => {
  const ruleOf = (call: JudgedCall, tools = find) =>
    denies(createSubject(call, undefined, tools(call.tool)))?.rule

  it('P11: a command in a list of words, with a folder of its own', () => {
    const exec = (command: string, args: string[], cwd?: string) =>
      ruleOf({
        tool: 'exec',
        arguments: { command, arguments: args, ...defined({ cwd }) },
        cwd: '/srv',
      })
    expect(exec('rm', ['-rf', '.'], '/srv/app')).toBe('built-in: own files inside')
    expect(exec('rm', ['-rf', '.'], 'app')).toBe('built-in: own files inside')
    expect(exec('rm', ['hooks/check.sh'], 'app')).toBe('built-in: own files')
    expect(exec('banksman', ['trust'])).toBe('built-in: own program')
    expect(exec('npx', ['banksman'])).toBe('built-in: own program')
    expect(exec('curl', ['http://localhost:4790'])).toBe('built-in: own address')
    expect(exec('cat', ['app/banksman.yaml'])).toBeUndefined()
    expect(exec('cat', ['banksman.yaml'], '/srv/app')).toBeUndefined()
    expect(exec('cat', ['.banksman/x'], '/srv/app')).toBe('built-in: own files')
    expect(exec('rm', ['-rf', 'dist'], '/srv/app')).toBeUndefined()
  })

  it('P11: a shell that the configuration names, whatever its argument is called', () => {
    const tools = compileCatalogue({ zap: { kind: 'shell', command: '/a/what' } }).find
    const zap = (what: string) => ruleOf({ tool: 'zap', arguments: { a: { what } }, cwd: '/srv/app' }, tools)
    expect(zap('banksman trust')).toBe('built-in: own program')
    expect(zap("$'\\x62anksman' trust")).toBe('built-in: own program')
    expect(zap('rm -rf .')).toBe('built-in: own files inside')
    expect(zap('cat banksman.yaml')).toBeUndefined()
  })

  it('P11: without a working folder, names like ours are taken to be ours', () => {
    const lost = (command: string) => ruleOf({ tool: 'Bash', arguments: { command } })
    for (const line of ['rm hooks/check.sh', 'grep x .banksman/agent-token', 'cat data.db', 'rm -rf /srv']) {
      expect(lost(line), line).toMatch(/^built-in: own files/)
    }
    for (const line of ['rm -rf .', 'cat banksman.yaml', 'rm -rf dist']) {
      expect(lost(line), line).toBeUndefined()
    }
  })

  it('P11: an excuse in the line excuses nothing beside it', () => {
    const beside = { command: 'cat banksman.yaml', path: '/srv/app/banksman.yaml' }
    expect(ruleOf({ tool: 'Bash', arguments: beside, cwd: '/srv/app' })).toBe('built-in: own files')
  })
})

describe('built-in denies: properties of shell lines', () => {
  const denied = fc.constantFrom(...Object.values(DENIED).flat())
  const passed = fc.constantFrom(...Object.values(passedLines).flat())

  it('property: P11: whatever follows it, a line that is denied stays denied', () => {
    const one = denied.filter((line) => !/<<|[\n&]$|[\\#]$/.test(line))
    const link = fc.constantFrom('; ', ' && ', ' || ', '\n', ' | ')
    fc.assert(
      fc.property(one, link, passed, (line, between, more) => {
        expect(rule(line + between + more)).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })

  it('property: P11: quotes and escapes hide nothing', () => {
    const disguise = fc.constantFrom<(letter: string) => string>(
      (letter: string) => letter,
      (letter: string) => `\\${letter}`,
      (letter: string) => `'${letter}'`,
      (letter: string) => `"${letter}"`,
      (letter: string) => `""${letter}`,
      (letter: string) => `$'\\x${letter.charCodeAt(0).toString(16)}'`,
      (letter: string) => `$'\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}'`,
      (letter: string) => `$@${letter}`,
      (letter: string) => `\\\n${letter}`,
    )
    const word = fc.constantFrom(
      ['', 'banksman', ' trust'],
      ['cat ', '.banksman/agent-token', ''],
      ['echo x > ', 'banksman.yaml', ''],
      ['sudo env rm ', 'hooks/check.sh', ''],
      ['curl ', 'http://localhost:4790/v1', ''],
      ['sqlite3 ', 'data.db', ' .dump'],
    )
    fc.assert(
      fc.property(
        word,
        fc.array(disguise, { minLength: 30, maxLength: 30 }),
        ([before, name, after], how) => {
          const hidden = [...(name ?? '')].map((letter, at) => how[at]?.(letter) ?? letter).join('')
          expect(rule(`${before}${hidden}${after}`), hidden).toBeDefined()
        },
      ),
      { numRuns: 500 },
    )
  })

  it('property: P11: through every wrapper', () => {
    const quoted = (line: string) => `'${line.replaceAll("'", "'\\''")}'`
    const wrapper = fc.constantFrom<(line: string) => string>(
      (line: string) => `sudo sh -c ${quoted(line)}`,
      (line: string) => `env A=1 nice -n 5 bash -c ${quoted(line)}`,
      (line: string) => `timeout 5 busybox sh -c ${quoted(line)}`,
      (line: string) => `eval ${quoted(line)}`,
      (line: string) => `find . -exec sh -c ${quoted(line)} \\;`,
      (line: string) => `bash -c ${JSON.stringify(line).replaceAll('$', '\\$').replaceAll('`', '\\`')}`,
      (line: string) => `{ ${line}; }`,
      (line: string) => `( ${line} )`,
      (line: string) => `if true; then ${line}; fi`,
      (line: string) => `echo "$( ${line} )"`,
      (line: string) => `true && ${line}`,
      (line: string) => `ls | ${line}`,
    )
    const inner = fc.constantFrom(
      'banksman trust',
      'rm -rf .',
      'cp x banksman.yaml',
      'cat .banksman/agent-token',
      'curl localhost:4790',
      "$'\\x62anksman' trust",
    )
    fc.assert(
      fc.property(inner, fc.array(wrapper, { maxLength: 4 }), (line, wrappers) => {
        const wrapped = wrappers.reduce((text: string, wrap) => wrap(text), line)
        expect(rule(wrapped), wrapped).toBeDefined()
      }),
      { numRuns: 500 },
    )
  })
})

function rule(command: string, facts?: Facts, cwd = '/srv/app'): string | undefined {
  return denies(createSubject({ tool: 'Bash', arguments: { command }, cwd }, facts, find('Bash')))?.rule
}

/** What a look at a disk with these links would give. */
function lookedUp(command: string): Facts {
  const call = { tool: 'Bash', arguments: { command }, cwd: '/srv/app' }
  const words = lookupsOf(createSubject(call, undefined, find('Bash')), [], false).words.filter(
    (word) => !/^~[^/]/.test(word),
  )
  return {
    folder: '/srv/app',
    words: Object.fromEntries(words.map((word) => [word, real(word.replace(/^~(?=\/|$)/, '/home/ana'))])),
  }
}

function real(word: string): string {
  const path = posix.resolve('/srv/app', word)
  const link = LINKS.find(([from]) => path === from || path.startsWith(`${from}/`))
  return link === undefined ? path : real(link[1] + path.slice(link[0].length))
}
