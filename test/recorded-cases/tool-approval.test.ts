/**
 * What LibreChat's tool policy (@librechat/agents 3.9.2) decided, recorded call by call, and what ours decides for the
 * same block read as it is. `tool-approval.ndjson` has a line for each block: `calls` are [number, group, tool,
 * decision, reason it gave]; `throws` is a block that it refused. All groups of the record that are about decisions
 * are here; how several hooks are put together and the regular expressions of hooks are not, since a policy of ours
 * has no hooks.
 *
 * Where ours differs it says so below, number by number, and is the stricter.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../src/core/errors.ts'
import { importToolApproval } from '../../src/policy/dialects/tool-approval.ts'
import { compilePolicy } from '../../src/policy/index.ts'

type Decision = 'allow' | 'ask' | 'deny' | 'throws'

interface RecordedCase {
  number: number
  group: string
  policy: object
  tool: string
  decision: Decision
  reason: string | undefined
}

const CASES: RecordedCase[] = readFileSync(join(import.meta.dirname, 'tool-approval.ndjson'), 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => {
    const { policy, calls } = JSON.parse(line) as {
      policy: object
      calls: [number, string, string, Decision, string?][]
    }
    return calls.map(([number, group, tool, decision, reason]) => {
      return { number, group, policy, tool, decision, reason }
    })
  })

interface Difference {
  because: string
  numbers: number[]
  /** What makes a case one of these. */
  isOne(recorded: RecordedCase): boolean
}

/** Another verdict than the recorded one. */
const STRICTER: Difference[] = [
  {
    because:
      'a name with a control character or a line separator is denied before any list is looked at; there no * stands for it, so that it gets past deny: ["*"]',
    numbers: [4955, 5949, 6096, 6308, 6384, 6742, 6958, 7176],
    isOne: ({ tool }) => /[\p{Cc}\u2028\u2029]/u.test(tool),
  },
]

/** The same verdict in other words. */
const IN_OTHER_WORDS: Difference[] = [
  {
    because:
      'the reason is for asking: a denial says which rule denied, so that nobody reads "needs review" where nobody will review',
    numbers: [
      268, 301, 333, 343, 344, 347, 349, 350, 365, 375, 396, 399, 409, 413, 439, 440, 454, 456, 475, 479, 495,
      501, 5293, 5488, 5673, 5965, 5971, 5975, 5989, 5993, 6011, 6025, 6041, 6077, 6115, 6131, 6197, 6205,
      6215, 6221, 6233, 6253, 6263, 6265, 6289, 6337, 6341, 6365, 6373, 6413, 6449, 6487, 6517, 6521, 6529,
      6587, 6599, 6655, 6679, 6703, 6707, 6719, 6809, 6817, 6841, 6859, 6865, 6899, 6913, 6931, 6959, 6995,
      7031, 7045, 7049, 7069, 7103, 7153, 7157, 7163, 7317, 7363, 7535, 7593, 7608, 7658, 7735, 7826, 8028,
      8290, 8419, 8481, 8495, 8546, 8557, 8570, 8590, 8595, 8655, 8671, 8725,
    ],
    isOne: ({ decision }) => decision === 'deny',
  },
  {
    because: 'a reason without words is none, and ours says why instead',
    numbers: [5882, 5894, 5896, 5930],
    isOne: ({ reason }) => reason === '',
  },
  {
    because: "a $ in the name of a tool stays as it is; there $$, $&, $` and $' are replaced",
    numbers: [6116, 6416, 6472, 6856, 6910, 7048, 7072, 7118, 7126],
    isOne: ({ tool }) => /\$[$&`']/.test(tool),
  },
]

const STRICTNESS: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2, throws: 3 }

function ours({ policy, tool }: RecordedCase): { decision: Decision; because: string } {
  try {
    const { block } = importToolApproval({ enabled: true, ...policy })
    const { kind, because } = compilePolicy(block).evaluate({ tool, arguments: {} })
    return { decision: kind, because }
  } catch (error) {
    if (!isBanksmanError(error, 'invalid_policy')) throw error
    return { decision: 'throws', because: error.message }
  }
}

const numbersOf = (cases: readonly RecordedCase[]) => cases.map(({ number }) => number).sort((a, b) => a - b)

const declared = (differences: readonly Difference[]) =>
  differences.flatMap(({ numbers }) => numbers).sort((a, b) => a - b)

describe('the recorded decisions', () => {
  it('are all there', () => {
    const groups = Object.groupBy(CASES, ({ group }) => group)
    expect(Object.fromEntries(Object.entries(groups).map(([name, cases]) => [name, cases?.length]))).toEqual({
      'precedence-exact': 32,
      'precedence-specificity': 32,
      glob: 573,
      multi: 97,
      reason: 162,
      malformed: 10,
      random: 187,
    })
    expect(new Set(CASES.map(({ number }) => number)).size).toBe(1093)
  })

  it('P5: ours are the same but for those that are declared, and those are stricter', () => {
    const different = CASES.filter((recorded) => ours(recorded).decision !== recorded.decision)
    expect(numbersOf(different)).toEqual(declared(STRICTER))
    for (const recorded of different) {
      const { decision } = ours(recorded)
      expect(STRICTNESS[decision], `${recorded.number}`).toBeGreaterThan(STRICTNESS[recorded.decision])
    }
  })

  it('the reason is told where a person is asked, but for what is declared', () => {
    const different = CASES.filter((recorded) => {
      const { decision, because } = ours(recorded)
      if (decision !== recorded.decision || recorded.reason === undefined) return false
      return because !== recorded.reason
    })
    expect(numbersOf(different)).toEqual(declared(IN_OTHER_WORDS))
  })

  it.each([...STRICTER, ...IN_OTHER_WORDS])('$because', ({ numbers, isOne }) => {
    const cases = CASES.filter(({ number }) => numbers.includes(number))
    expect(cases).toHaveLength(numbers.length)
    expect(cases.filter((recorded) => !isOne(recorded))).toEqual([])
  })

  it('P5: nobody is told the reason for asking where nobody is asked', () => {
    for (const recorded of CASES) {
      const { decision, because } = ours(recorded)
      if (decision === 'deny') expect(because).not.toContain('needs review')
    }
  })
})
