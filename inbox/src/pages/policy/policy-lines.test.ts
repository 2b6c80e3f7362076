import { describe, expect, it } from 'vitest'
import { policyLines } from './policy-lines.ts'

describe('the policy line by line', () => {
  it('has each warning at its line, and loses none that has no line', () => {
    const failed = [
      { call: 'look', expected: 'deny', found: 'ask', line: 1 },
      { call: 'other', expected: 'deny', found: 'ask' },
    ]
    const { lines, elsewhere, failedElsewhere } = policyLines({
      text: 'policy:\n  mode: bypass\n',
      warnings: [
        { message: 'nobody is asked', pointer: '/policy/mode', line: 2 },
        { message: 'no line', pointer: '' },
        { message: 'past the end', pointer: '', line: 99 },
        { message: 'before the start', pointer: '', line: 0 },
      ],
      tests: { passed: 0, failed },
    })
    expect(lines.map(({ number, text }) => [number, text])).toEqual([
      [1, 'policy:'],
      [2, '  mode: bypass'],
    ])
    expect(lines[1]!.warnings).toEqual(['nobody is asked'])
    expect(elsewhere).toEqual(['no line', 'past the end', 'before the start'])
    expect(lines[0]!.failedTests).toEqual([failed[0]])
    expect(failedElsewhere).toEqual([failed[1]])
  })
})
