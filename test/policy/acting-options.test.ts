/**
 * Options that load code, run a program or write a file elsewhere, of programs that somebody has allowed. An allow of the
 * program's name is none for them, however they are written. What they are is told here by what the programs do, apart
 * from the rows that the policy goes by.
 */
import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'
import { ACTING_LINES, HARMLESS_LINES } from './acting-lines.ts'
import OPTIONS from './acting-options.json' with { type: 'json' }

const ROOT = '/srv/work'
const home = '/home/ana'
const policies = new Map<string, Policy>()

function verdictOn(command: string): string {
  const program = command.split(' ')[0] ?? ''
  let policy = policies.get(program)
  if (policy === undefined) {
    const allow = [`Bash(${program} *)`, `Bash(${program})`, 'Edit(./src/**)']
    policy = compilePolicy({ extends: 'banksman:starter', allow }, { roots: [ROOT], home })
    policies.set(program, policy)
  }
  const call = { tool: 'Bash', arguments: { command }, cwd: ROOT }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 })).kind
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Programs that take long options cut short. */
const CUT =
  /^(?:git|sort|split|shuf|tar|cp|mv|ln|install|diff|patch|grep|sed|awk|wget|curl|rsync|mypy|flake8|pip|gpg|make|less)$/

/** `--x`: with a value. `--x!`: without one. `--x=`: only glued. `-x:`: behind a colon. */
function spellings(call: string, token: string, value: string): string[] {
  const given = `'${value.replaceAll("'", `'\\''`)}'`
  const isCamel = token.startsWith('~')
  const bare = token.replace('~', '')
  const names = bare.split(/\/(?=-)/).flatMap((name) => (isCamel ? [name, kebab(name)] : [name]))
  return names.flatMap((written) => {
    if (written.startsWith('@')) return [written]
    const isLast = names.at(-1) === written
    const mark = /(?:!|\[=\]|=)$/.exec(isLast ? written : '')?.[0] ?? ''
    const name = written.slice(0, written.length - mark.length)
    if (mark === '!') return [name]
    if (name.endsWith(':')) return [`${name}${given}`]
    if (mark !== '') return [`${name}=${given}`]
    if (!name.startsWith('-')) return [`${name}=${given}`]
    if (!name.startsWith('--')) {
      const isLetter = name.length === 2
      const isWhole = /^(?:go|terraform|gcc)$/.test(call.split(' ')[0] ?? '')
      return [
        `${name} ${given}`,
        ...(isLetter ? [`${name}${given}`] : isWhole ? [`${name}=${given}`, `-${name}=${given}`] : []),
      ]
    }
    const cut = CUT.test(call.split(' ')[0] ?? '') ? [name.slice(0, -1)] : []
    return [name, ...cut].flatMap((one) => [`${one} ${given}`, `${one}=${given}`, `${one}="$X"`])
  })
}

/** Where options of a program's sub-command may not stand before it. */
const IS_STRICT = /^(?:go|git|docker|npx|make|sqlite3|openssl)$/

/** `_` is the only place where the option may stand. */
function linesOf(call: string, options: string, value: string): string[] {
  const [program = '', ...rest] = call.split(' ')
  return options
    .split(' ')
    .flatMap((token) => spellings(call, token, value))
    .flatMap((spelled) => {
      if (rest.includes('_')) return [call.replace('_', spelled)]
      const behind = [`${call} ${spelled}`, `${call} ${spelled} z`]
      return IS_STRICT.test(program) || rest.length !== 1
        ? behind
        : [...behind, `${program} ${spelled} ${rest.join(' ')}`]
    })
}

describe('options that act', () => {
  const all = OPTIONS.map(([call = '', options = '', value = '']) => linesOf(call, options, value))

  it('are many', () => {
    expect(all.flat().length).toBeGreaterThan(1000)
  })

  it.each(OPTIONS.map(([call = '', options = '', value = '']) => [call, options, value] as const))(
    'are none that `%s` was allowed for: %s',
    (call, options, value) => {
      expect(linesOf(call, options, value).filter((line) => verdictOn(line) === 'allow')).toEqual([])
    },
  )

  it.each(ACTING_LINES)('nor is what stands in a script or a word: %s', (line) => {
    expect(verdictOn(line)).not.toBe('allow')
  })

  it.each(HARMLESS_LINES)('still allowed: %s', (line) => {
    expect(verdictOn(line)).toBe('allow')
  })
})
