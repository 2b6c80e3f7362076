/**
 * Evaluations a second with rules on arguments and on shell commands, and what the longest names, arguments and lines
 * cost. Regular expressions and path patterns at their caps are measured by themselves, in `matchers.ts`.
 */
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import type { PolicyBlock, RuleBlock } from '../../src/policy/language/language.ts'
import type { JudgedCall, Policy } from '../../src/policy/policy.ts'
import { type Contestant, type Figure, interleave, perProcessorSecond } from '../measure.ts'

const SIZES = [10, 100, 1000]
const EVALUATIONS = 4000
const LONG = 10_000

export function benchPolicy(rounds: number): Promise<Figure[]> {
  return interleave(
    [
      ...SIZES.map((size) => evaluations(`${size} argument rules`, argumentRules(size), argumentCalls(size))),
      ...SIZES.map((size) => evaluations(`${size} shell rules`, shellRules(size), shellCalls(size))),
      ...GLOBS.flatMap(([name, pattern]) => [
        once(`glob ${name} against a name of 10 kB (target at most 5)`, { deny: [pattern] }, [
          { tool: 'a'.repeat(LONG), arguments: {} },
        ]),
        once(
          `glob ${name} against an argument of 10 kB (target at most 5)`,
          { rules: [argumentRule(0, { glob: pattern })] },
          [{ tool: 'deploy', arguments: { service: 'a'.repeat(LONG) } }],
        ),
      ]),
      once('1,000 globs *a*a*…*b against a name of 10 kB', { deny: manyGlobs() }, [
        { tool: 'a'.repeat(LONG), arguments: {} },
      ]),
      ...LINES.map(([name, command]) =>
        once(
          `a line of 10,000 commands, ${name} (target at most 150)`,
          shellRules(100),
          // Two in turn, because the reading of the last line is kept.
          [' ', '\t'].map((space) => ({
            tool: 'Bash',
            arguments: { command: Array.from({ length: 10_000 }, (_, n) => command(n)).join(`;${space}`) },
          })),
        ),
      ),
    ],
    rounds,
  )
}

const GLOBS: readonly [name: string, pattern: string][] = [
  ['*a*a*…*b', `${'*a'.repeat(490)}*b`],
  ['*aa…baa…*', `*${'a'.repeat(498)}b${'a'.repeat(498)}*`],
  ['aa…*aa…', `${'a'.repeat(499)}*${'a'.repeat(499)}`],
]

const LINES: readonly [name: string, command: (n: number) => string][] = [
  ['all allowed', (n) => `program${n % 33} list --all`],
  ['none named', (n) => `other${n} list --all`],
]

function manyGlobs(): string[] {
  return Array.from({ length: 1000 }, (_, n) => `${'*a'.repeat(20)}*b${n}`)
}

const KINDS = ['deny', 'ask', 'allow'] as const

function argumentRule(
  index: number,
  service: NonNullable<RuleBlock['when']['arguments']>[string],
): RuleBlock {
  return {
    name: `rule ${index}`,
    when: { tool: 'deploy', arguments: { '/service': service } },
    then: KINDS[index % 3]!,
  }
}

/** All for one tool, so that its name does not do the work; by equality, glob, regular expression and number in turn. */
function argumentRules(size: number): PolicyBlock {
  return {
    rules: Array.from({ length: size }, (_, index) => {
      switch (Math.floor(index / 3) % 4) {
        case 0:
          return argumentRule(index, { equals: `service-${index}` })
        case 1:
          return argumentRule(index, { glob: `service-${index}-*` })
        case 2:
          return argumentRule(index, { regex: `^service-${index}-[a-z]+$` })
        default: {
          const rule = argumentRule(index, { oneOf: [`service-${index}`, `web-${index}`] })
          return {
            ...rule,
            when: { ...rule.when, arguments: { ...rule.when.arguments, '/replicas': { gt: 3 } } },
          }
        }
      }
    }),
  }
}

function argumentCalls(size: number): JudgedCall[] {
  return Array.from({ length: 64 }, (_, n) => {
    const index = Math.floor((n * size) / 64)
    const service = n % 4 === 3 ? 'unheard-of' : n % 2 === 0 ? `service-${index}` : `service-${index}-blue`
    return { tool: 'deploy', arguments: { service, replicas: n % 8, note: 'roll out the new build' } }
  })
}

/** For each program one sub-command that is allowed, one that is asked about and one that is denied. */
function shellRules(size: number): PolicyBlock {
  const block = { deny: [] as string[], ask: [] as string[], allow: [] as string[] }
  for (let index = 0; index < size; index++) {
    const program = `program${Math.floor(index / 3)}`
    if (index % 3 === 0) block.allow.push(`Bash(${program} list *)`)
    else if (index % 3 === 1) block.ask.push(`Bash(${program} push *)`)
    else block.deny.push(`Bash(${program} delete *)`)
  }
  return block
}

function shellCalls(size: number): JudgedCall[] {
  return Array.from({ length: 64 }, (_, n) => {
    const program = `program${Math.floor((n * size) / 64 / 3)}`
    const lines = [
      `${program} list --all`,
      `cd src && ${program} list "a file" | ${program} list -n ${n}`,
      `sudo ${program} push ${n}`,
      `other${n} --version > out.txt`,
    ]
    return { tool: 'Bash', arguments: { command: lines[n % 4]! } }
  })
}

function evaluations(name: string, block: PolicyBlock, calls: readonly JudgedCall[]): Contestant {
  const policy = compilePolicy(block)
  return {
    name: `${name}, evaluations`,
    unit: '/s',
    run: () =>
      perProcessorSecond(EVALUATIONS, async () => {
        for (let count = 0; count < EVALUATIONS; count++) evaluate(policy, calls[count % calls.length]!)
      }),
  }
}

const GOES = 3

/** In milliseconds; the shortest of three goes through the calls, because a neighbour on the machine can only add. */
function once(name: string, block: PolicyBlock, calls: readonly JudgedCall[]): Contestant {
  const policy = compilePolicy(block)
  const go = () => {
    const startedAt = performance.now()
    for (const call of calls) evaluate(policy, call)
    return (performance.now() - startedAt) / calls.length
  }
  return { name, unit: 'ms', run: () => Math.min(...Array.from({ length: GOES }, go)) }
}

function evaluate(policy: Policy, call: JudgedCall): void {
  const { rule } = policy.evaluate(call)
  if (rule === 'built-in: unreadable call')
    throw new Error(`the call could not be judged: ${call.tool.slice(0, 80)}`)
}
