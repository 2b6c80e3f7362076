import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { callLine, callSummary, waitingLine } from './call-lines.ts'

describe('a call in one line', () => {
  it.each<[string, JsonObject, string]>([
    ['Bash', { command: 'npm test', file_path: 'x' }, 'Bash(npm test)'],
    ['Bash', { command: 'x'.repeat(81) }, `Bash(${'x'.repeat(80)}…)`],
    ['Read', { file_path: '/shop/src/a.ts', limit: 3 }, 'Read(/shop/src/a.ts)'],
    ['Grep', { pattern: 'x'.repeat(60) }, `Grep({"pattern":"${'x'.repeat(48)}…)`],
    ['Task', {}, 'Task({})'],
  ])('secretary 15: %s is the command, else the file, else the arguments', (tool, args, line) => {
    expect(callLine(tool, args)).toBe(line)
  })

  it.each<[string, JsonObject, string]>([
    ['Bash', { command: 'npm test' }, '`npm test`'],
    ['exec', { command: 'npm test' }, '`npm test`'],
  ])('secretary 42: the summary of %s is its command', (tool, args, summary) => {
    expect(callSummary(tool, args, 'en')).toBe(summary)
  })

  it.each<[string, JsonObject, string]>([
    ['Edit', { file_path: 'a.ts', old_string: 'x' }, 'file: `a.ts`'],
    ['Write', { path: 'b.ts' }, 'file: `b.ts`'],
    ['MultiEdit', { file_path: 'c.ts' }, 'file: `c.ts`'],
  ])('secretary 43: the summary of %s is its file', (tool, args, summary) => {
    expect(callSummary(tool, args, 'en')).toBe(summary)
  })

  it('secretary 44: the summary of anything else is its arguments', () => {
    expect(callSummary('deploy', { to: 'staging' }, 'en')).toBe('{"to":"staging"}')
    expect(callSummary('Edit', { what: 1 }, 'en')).toBe('{"what":1}')
  })

  it('secretary 37: of a call that waits, with its tool', () => {
    expect(waitingLine('Bash', { command: 'rm x' }, 'zh')).toBe('Bash: `rm x`')
  })

  it('secretary N15: what is cut says so and where the whole is, and no backtick ends the quotation', () => {
    const long = callSummary('Bash', { command: 'x'.repeat(250) }, 'en')
    expect(long).toBe(`\`${'x'.repeat(200)}\` ⟨… 50 characters left out⟩ (the inbox has all of it)`)
    expect(callSummary('Bash', { command: 'x'.repeat(250) }, 'zh')).toContain('完整内容见收件箱')
    expect(callSummary('Bash', { command: 'echo `id`' }, 'en')).toBe('`echo ⟨U+0060⟩id⟨U+0060⟩`')
    expect(callSummary('Bash', { command: `A=ghp_${'aB3dE5fG7h'.repeat(3)}abcdef x` }, 'en')).toContain(
      'masked',
    )
  })

  it('P9: is one line whatever the call says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (tool, command) => {
        const lines = [callLine(tool, { command }), waitingLine(tool, { command }, 'en')]
        for (const line of lines) expect(line).not.toMatch(/[\n\r\u2028\u2029\u202e]/)
        const summary = callSummary('Bash', { command }, 'en')
        expect(summary.split('`')).toHaveLength(3)
      }),
    )
  })
})
