import { describe, expect, it } from 'vitest'
import { renderCall } from '../render.ts'
import { createDiffBudget, diffLines } from './diff-lines.ts'

/** Two texts of a few lines in an order of their own: the more there are, the longer a comparison takes. */
function mixed(lines: number, seed: number): string {
  let state = seed
  return Array.from({ length: lines }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state < 2 ** 31 ? 'a\n' : 'b\n'
  }).join('')
}

describe('P5: the changes of one call share what comparing them may cost', () => {
  it('what one comparison has taken is not there for the next', () => {
    const budget = createDiffBudget()
    const before = budget.steps
    expect(diffLines('x\nb\ny\n', 'c\nb\nd\n', 3, budget).isComplete).toBe(true)
    expect(budget.steps).toBeLessThan(before)
    expect(diffLines(mixed(3000, 1), mixed(3000, 2), 3, budget).isComplete).toBe(false)
    expect(budget.steps).toBeLessThan(before / 100)
    expect(diffLines(mixed(300, 3), mixed(300, 4)).isComplete).toBe(true)
    expect(diffLines(mixed(300, 3), mixed(300, 4), 3, budget).isComplete).toBe(false)
  })

  it('a small change is compared however many there were before', () => {
    const budget = { steps: 0 }
    const diff = diffLines('a\nb\nc\n', 'a\nx\nc\n', 3, budget)
    expect(diff).toMatchObject({ isComplete: true, added: 1, removed: 1 })
  })

  it('a hundred large changes: the first are compared, and all are shown', () => {
    const edits = Array.from({ length: 100 }, (_, index) => ({
      old_string: mixed(2000, index + 1),
      new_string: mixed(2000, index + 501),
    }))
    const { blocks } = renderCall({ tool: 'edit', arguments: { file_path: 'a.txt', edits } })
    const compared = blocks.filter((block) => block.kind === 'diff')
    expect(compared.length).toBeGreaterThan(0)
    expect(compared.length).toBeLessThan(12)
    expect(new Set(blocks.flatMap(({ pointers }) => pointers)).size).toBe(200)
  })

  it('a hundred ordinary changes are all compared', () => {
    const edits = Array.from({ length: 100 }, (_, index) => ({
      old_string: Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(''),
      new_string: Array.from({ length: 40 }, (_, line) => `line ${line % 3 === 0 ? index : line}\n`).join(''),
    }))
    const { blocks } = renderCall({ tool: 'edit', arguments: { file_path: 'a.txt', edits } })
    expect(blocks).toHaveLength(100)
    expect(blocks.every((block) => block.kind === 'diff' && block.isComplete)).toBe(true)
  })
})
