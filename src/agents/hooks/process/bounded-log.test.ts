import { describe, expect, it } from 'vitest'
import { createBoundedLog } from './bounded-log.ts'

describe('quiet log', () => {
  it('P5: writes so many lines in a while, then counts', () => {
    let now = 0
    const lines: string[] = []
    const log = createBoundedLog(
      (line) => lines.push(line),
      () => now,
    )
    for (let index = 0; index < 1000; index++) log(`line ${index}`)
    expect(lines).toHaveLength(50)
    now = 10_000
    log('later')
    expect(lines.slice(50)).toEqual(['950 more lines like these were left out', 'later'])
  })

  it('P9: cuts long lines and shows what can’t be seen', () => {
    const lines: string[] = []
    const log = createBoundedLog((line) => lines.push(line))
    log('x'.repeat(5000))
    log('a\u001b[31mb')
    expect(lines[0]).toHaveLength(1001)
    expect(lines[1]).toBe('a⟨ESC⟩[31mb')
  })
})
