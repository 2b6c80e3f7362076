import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WireLinePiece } from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { type CommandVerdict, lineRuns, listedCommands } from './line-runs.ts'

const piece = (text: string, command?: number): WireLinePiece => ({
  text,
  kind: 'text',
  ...defined({ command }),
})

describe('the runs of a line', () => {
  it('puts together what belongs to one command, and marks the first of each', () => {
    const runs = lineRuns([
      piece('sudo ', 0),
      { ...piece('⟨U+200B ZWSP⟩', 0), kind: 'escape' },
      piece(' && '),
      piece('echo ', 1),
      piece('$(whoami)', 2),
      piece(' done', 1),
    ])
    expect(runs.map(({ command, isFirst, pieces }) => [command, isFirst, pieces.length])).toEqual([
      [0, true, 2],
      [undefined, false, 1],
      [1, true, 1],
      [2, true, 1],
      [1, false, 1],
    ])
  })

  it('property: P9: the runs say the line', () => {
    const pieces = fc.array(
      fc.record({ text: fc.string({ minLength: 1 }), command: fc.option(fc.nat(3), { nil: undefined }) }),
    )
    fc.assert(
      fc.property(pieces, (given) => {
        const line = given.map(({ text, command }) => piece(text, command))
        const runs = lineRuns(line)
        expect(runs.flatMap((run) => run.pieces)).toEqual(line)
        const firsts = runs.filter(({ isFirst }) => isFirst).map(({ command }) => command)
        expect(new Set(firsts).size).toBe(firsts.length)
      }),
    )
  })
})

describe('the commands below a line', () => {
  const of = (...verdicts: CommandVerdict[]) => verdicts.map((verdict) => ({ verdict }))

  it('lists all of a few', () => {
    expect(listedCommands(of('allow', 'ask', 'allow'), false).shown).toEqual([0, 1, 2])
  })

  it('P9: of many, lists every one that is denied or asked about, and counts the others', () => {
    expect(listedCommands(of('allow', 'deny', 'allow', 'allow', 'ask'), false)).toEqual({
      shown: [1, 4],
      rest: { allow: 3, ask: 0, deny: 0 },
    })
    expect(listedCommands(of('allow', 'deny', 'allow', 'allow', 'ask'), true).shown).toHaveLength(5)
  })

  it('P9: a thousand that are asked about can not push a denied one out of sight', () => {
    const many = [
      ...Array.from({ length: 1000 }, () => ({ verdict: 'ask' as const })),
      { verdict: 'deny' as const },
    ]
    const { shown, rest } = listedCommands(many, false)
    expect(shown).toContain(1000)
    expect(shown.length + rest.ask).toBe(1001)
  })
})
