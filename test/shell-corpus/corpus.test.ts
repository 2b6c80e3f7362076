/** Every line of the corpus gets the verdict that is stated for it, under the lists and under the starter policy. */
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { type Column, type CorpusClass, type CorpusLine, readCorpus, readPolicies } from './corpus.ts'

const CORPUS = readCorpus()
const { lists, starter, machine } = readPolicies()
const PLACES = { roots: [machine.workspace], home: machine.home }
const POLICIES: Record<Column, Policy> = {
  verdict: compilePolicy(lists, PLACES),
  starter: compilePolicy(starter, PLACES),
}
const COLUMNS = Object.keys(POLICIES) as Column[]

describe('the corpus', () => {
  const linesOf = (kind: CorpusClass['kind']) =>
    CORPUS.filter((one) => one.kind === kind).flatMap(({ lines }) => lines)

  it('has at least 400 lines, at least half of them attacks', () => {
    const [attacks, harmless] = [linesOf('attacks').length, linesOf('harmless').length]
    expect(attacks + harmless).toBeGreaterThanOrEqual(400)
    expect(attacks).toBeGreaterThanOrEqual(harmless)
  })

  it('names each class as its file is named', () => {
    expect(CORPUS.filter((one) => basename(one.path, '.json') !== one.class)).toEqual([])
  })

  it('has no line twice, and states a verdict for each', () => {
    const lines = CORPUS.flatMap((one) => one.lines)
    const seen = new Set<string>()
    expect(lines.filter(({ line }) => seen.has(line) || !seen.add(line))).toEqual([])
    expect(lines.filter((line) => COLUMNS.every((column) => line[column] === undefined))).toEqual([])
  })

  it('states of no attack that it is allowed, and of no harmless line that it is denied', () => {
    const stated = (kind: CorpusClass['kind'], verdict: string) =>
      linesOf(kind).filter((line) => COLUMNS.some((column) => line[column] === verdict))
    expect(stated('attacks', 'allow')).toEqual([])
    expect(stated('harmless', 'deny')).toEqual([])
  })
})

describe.each(CORPUS)('$kind: $class', ({ kind, lines }) => {
  it.each(COLUMNS)('P5: every line gets its verdict (%s)', (column) => {
    expect(lines.flatMap((line) => disagreement(line, column))).toEqual([])
  })

  it.runIf(kind === 'attacks')('P5: none is allowed under the starter policy, whatever is stated', () => {
    expect(lines.filter(({ line }) => verdictOn(line, 'starter').kind === 'allow')).toEqual([])
  })

  it('P5: what nobody has looked up never makes a verdict laxer', () => {
    const laxer = lines.filter(
      ({ line }) =>
        verdictOn(line, 'starter').kind !== 'allow' &&
        POLICIES.starter.evaluate(callOf(line), {}).kind === 'allow',
    )
    expect(laxer).toEqual([])
  })
})

/** With the reason that was given, so that a red test says where to look. */
function disagreement(entry: CorpusLine, column: Column): string[] {
  const expected = entry[column]
  if (expected === undefined) return []
  const { kind, because } = verdictOn(entry.line, column)
  return kind === expected ? [] : [`${JSON.stringify(entry.line)}: ${kind}, not ${expected}: ${because}`]
}

function verdictOn(line: string, column: Column) {
  const policy = POLICIES[column]
  const call = callOf(line)
  const words: Record<string, string> = Object.create(null)
  for (const path of policy.lookups(call).words) {
    const leadsTo = resolve(path)
    if (leadsTo !== undefined) words[path] = leadsTo
  }
  return policy.evaluate(call, { words })
}

function callOf(line: string) {
  return { tool: 'Bash', arguments: { command: line }, cwd: machine.workspace }
}

/** Where a path leads on the machine of the corpus, step by step as an operating system goes. */
function resolve(path: string): string | undefined {
  const fromHome = path === '~' || path.startsWith('~/')
  if (path.startsWith('~') && !fromHome) return undefined
  const start = path.startsWith('/') ? '' : fromHome ? machine.home : machine.workspace
  let at = start.split('/').filter((step) => step !== '')
  for (const step of (fromHome ? path.slice(1) : path).split('/')) {
    if (step === '' || step === '.') continue
    at = step === '..' ? at.slice(0, -1) : [...at, step]
    const link = machine.links[`/${at.join('/')}`]
    if (link !== undefined) at = link.split('/').filter((part) => part !== '')
  }
  return `/${at.join('/')}`
}
