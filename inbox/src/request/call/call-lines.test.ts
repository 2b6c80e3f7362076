import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderCall, renderText } from '../../../../src/display/index.ts'
import { callLines } from './call-lines.ts'

function linesOf(tool: string, args: Parameters<typeof renderCall>[0]['arguments']) {
  return callLines({ text: renderText(renderCall({ tool, arguments: args })) })
}

describe('the lines of a call', () => {
  it('leaves out the tool and the warnings, which the page shows above', () => {
    expect(linesOf('Bash', { command: 'echo \u202e' })).toEqual([
      { kind: 'own', text: 'command:' },
      { kind: 'tool', text: 'echo ⟨U+202E RLO⟩' },
    ])
  })

  it('colours the rows of a difference', () => {
    const lines = linesOf('Edit', { file_path: '/a', old_string: 'one\ntwo', new_string: 'one\n2' })
    expect(lines.filter(({ kind }) => kind === 'removed')).toHaveLength(1)
    expect(lines.filter(({ kind }) => kind === 'added')).toHaveLength(1)
  })

  it('P9: one line of code that looks like a row of a difference gets no colour', () => {
    const lines = linesOf('Bash', { command: 'cat <<E\n1 + one\n2 - two\nE' })
    expect(lines.map(({ kind }) => kind)).toEqual(['own', 'tool', 'tool', 'tool', 'tool'])
  })

  it("property: P9: nothing in a tool's text becomes a line of ours", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (command) => {
        const own = linesOf('Bash', { command }).filter(({ kind }) => kind === 'own')
        const bare = linesOf('Bash', { command: 'ls' }).filter(({ kind }) => kind === 'own')
        expect(own.length).toBeLessThanOrEqual(bare.length)
      }),
    )
  })
})
