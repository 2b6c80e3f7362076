import { describe, expect, it } from 'vitest'
import { importToolApprovalMode } from './tool-approval-mode.ts'

describe('toolApprovalMode', () => {
  it('has the meaning that its guide gives', () => {
    expect(importToolApprovalMode('AUTO').block).toEqual({ mode: 'bypass' })
    expect(importToolApprovalMode('REQUIRE_APPROVAL')).toEqual({
      block: { mode: 'default' },
      notes: [],
      origins: {},
    })
    expect(importToolApprovalMode('DISABLED').block).toEqual({ deny: ['*'] })
  })

  it('P5: DISABLED runs no tool, and says that the program itself ran them all', () => {
    expect(importToolApprovalMode('DISABLED').notes).toMatchObject([
      { pointer: '', effect: 'stricter', about: expect.stringContaining('ran every tool') },
    ])
    expect(importToolApprovalMode('AUTO').notes).toMatchObject([
      { pointer: '', effect: 'changed', about: expect.stringContaining('banksman:starter') },
    ])
  })

  it('is read as Spring reads it', () => {
    expect(importToolApprovalMode(' require-approval ').block).toEqual({ mode: 'default' })
  })

  it.each(['auto_run', '', true, null, undefined, ['AUTO'], 1])(
    'P5: %j is refused, with what would be right',
    (value) => {
      expect(() => importToolApprovalMode(value)).toThrow(/AUTO, REQUIRE_APPROVAL, DISABLED/)
    },
  )
})
