import { describe, expect, it } from 'vitest'
import { detectDialect, importDetected } from './detect-dialect.ts'

const found = (file: unknown, from?: 'librechat' | 'claude-code' | 'react-plus') => {
  const { dialect, pointer } = detectDialect(file, from)
  return `${dialect} at ${pointer || 'the top'}`
}

describe('which program a policy is for', () => {
  it.each([
    [
      { version: '1.2', endpoints: { agents: { toolApproval: { enabled: true } } } },
      'librechat at /endpoints/agents/toolApproval',
    ],
    [{ toolApproval: { enabled: true, allow: ['a'] } }, 'librechat at /toolApproval'],
    [{ enabled: true, mode: 'bypass' }, 'librechat at the top'],
    [{ permissions: { allow: ['Bash'] }, env: {} }, 'claude-code at /permissions'],
    [{ allow: ['Bash'], defaultMode: 'plan' }, 'claude-code at the top'],
    [{ toolApprovalMode: 'AUTO' }, 'react-plus at /toolApprovalMode'],
    [
      { spring: {}, ai: { agents: [{ 'tool-approval-mode': 'AUTO' }] } },
      'react-plus at /ai/agents/0/tool-approval-mode',
    ],
    [[{ a: 1 }, { 'x/y': { toolApprovalMode: 'AUTO' } }], 'react-plus at /1/x~1y/toolApprovalMode'],
  ])('%j', (file, expected) => {
    expect(found(file)).toBe(expected)
  })

  it('what could be anyone’s is read only for the program that is named', () => {
    const lists = { allow: ['a'], deny: ['b'] }
    expect(() => detectDialect(lists)).toThrow(/looked for/)
    expect(found(lists, 'librechat')).toBe('librechat at the top')
    expect(found(lists, 'claude-code')).toBe('claude-code at the top')
    expect(found('AUTO', 'react-plus')).toBe('react-plus at the top')
  })

  it.each([{}, [], null, undefined, 'AUTO', 5, { permissions: ['a'] }, { endpoints: { agents: {} } }])(
    'P5: in %j there is nothing, and the error names what was looked for',
    (file) => {
      expect(() => detectDialect(file)).toThrow(
        /endpoints\.agents\.toolApproval.*permissions \(Claude Code\).*toolApprovalMode/,
      )
    },
  )

  it('P5: of several nothing is guessed', () => {
    const file = { permissions: { allow: [] }, toolApproval: { enabled: true } }
    expect(() => detectDialect(file)).toThrow(/librechat: \/toolApproval, claude-code: \/permissions/)
    expect(found(file, 'claude-code')).toBe('claude-code at /permissions')
    const modes = { a: { toolApprovalMode: 'AUTO' }, b: { toolApprovalMode: 'DISABLED' } }
    expect(() => detectDialect(modes)).toThrow(
      /\/a\/toolApprovalMode: "AUTO", \/b\/toolApprovalMode: "DISABLED"/,
    )
    expect(found({ a: { toolApprovalMode: 'AUTO' }, b: { toolApprovalMode: 'AUTO' } })).toBe(
      'react-plus at /a/toolApprovalMode',
    )
  })

  it('gives places from the top of the file, in notes, origins and errors', () => {
    const file = { endpoints: { agents: { toolApproval: { enabled: true, allow: ['', 'a', '*'] } } } }
    const { notes, origins } = importDetected(detectDialect(file), file)
    expect(notes[0]?.pointer).toBe('/endpoints/agents/toolApproval/allow/0')
    expect(origins['/allow/0']).toBe('/endpoints/agents/toolApproval/allow/1')
    const wrong = { permissions: { deny: 'all' } }
    expect(() => importDetected(detectDialect(wrong), wrong)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ pointer: '/permissions/deny' }) }),
    )
  })

  it("tells what stands beside Claude Code's permissions and is no policy", () => {
    const file = { permissions: {}, hooks: {}, sandbox: {}, env: {}, model: 'x' }
    const { notes } = importDetected(detectDialect(file), file)
    expect(notes.filter(({ effect }) => effect === 'dropped').map(({ pointer }) => pointer)).toEqual([
      '/hooks',
      '/sandbox',
      '/env',
    ])
  })
})
