import { describe, expect, it } from 'vitest'
import { type ReplayedGroup, totalsOf, worstFirst } from './replay-order.ts'

const group = (parts: Partial<ReplayedGroup>): ReplayedGroup => ({
  change: 'prompt removed',
  tool: 'Bash',
  was: 'ask',
  would: 'allow',
  because: '',
  calls: 1,
  rejected: 0,
  examples: [],
  ...parts,
})

describe('what another policy would have changed', () => {
  it('what people refused and would now run comes first, however rare it is', () => {
    const groups = [
      group({ tool: 'many', calls: 900 }),
      group({ tool: 'stricter', change: 'denial added', would: 'deny', calls: 50, rejected: 50 }),
      group({ tool: 'undone', change: 'denial undone', was: 'deny', calls: 2 }),
      group({ tool: 'refused', calls: 3, rejected: 1 }),
    ]
    expect(worstFirst(groups).map(({ tool }) => tool)).toEqual(['refused', 'undone', 'many', 'stricter'])
  })

  it('adds up what would run, be asked about and be denied', () => {
    const groups = [
      group({ calls: 5, rejected: 2 }),
      group({ change: 'denial undone', was: 'deny', calls: 4 }),
      group({ change: 'prompt added', was: 'allow', would: 'ask', calls: 7 }),
      group({ change: 'denial added', would: 'deny', calls: 1, rejected: 1 }),
    ]
    expect(totalsOf(groups)).toEqual({ freed: 9, refused: 2, newlyAsked: 7, newlyDenied: 1 })
  })

  it('a kind of change that is new comes before those that are known', () => {
    const odd = group({ change: 'something else' as ReplayedGroup['change'], tool: 'odd' })
    expect(worstFirst([group({}), odd])[0]!.tool).toBe('odd')
  })
})
