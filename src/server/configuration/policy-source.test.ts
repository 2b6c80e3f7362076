import { describe, expect, it } from 'vitest'
import { readPolicySource } from './policy-source.ts'

describe('where the policy stands in banksman.yaml', () => {
  it('under policy:, or nowhere', () => {
    const own = readPolicySource({ owner: 'ana', policy: { deny: ['x'] } })
    expect(own).toMatchObject({ policyBlock: { deny: ['x'] }, pointerPrefix: '/policy', warnings: [] })
    expect(own.sourcePointer('/deny/0')).toBe('/policy/deny/0')
    for (const file of [{}, { policy: null }, { policy: undefined }]) {
      expect(readPolicySource(file)).toMatchObject({
        policyBlock: {},
        pointerPrefix: '/policy',
        warnings: [],
      })
    }
    expect(readPolicySource({ policy: 'all' }).policyBlock).toBe('all')
  })

  it.each([
    ['toolApproval', { enabled: true, deny: ['x'] }, { deny: ['x'] }],
    ['permissions', { deny: ['WebSearch'], defaultMode: 'plan' }, { mode: 'plan', deny: ['WebSearch'] }],
    ['toolApprovalMode', 'DISABLED', { deny: ['*'] }],
  ])('%s: is read as it is, and what differs is a warning with its place', (key, value, policyBlock) => {
    const source = readPolicySource({ owner: 'ana', [key]: value })
    expect(source).toMatchObject({ policyBlock, pointerPrefix: `/${key}` })
    expect(source.warnings.length).toBeGreaterThan(0)
    for (const { pointer, message } of source.warnings) {
      expect(pointer.startsWith(`/${key}`)).toBe(true)
      expect(message).toMatch(/^(dropped|stricter|changed): ./)
    }
  })

  it('says where an entry stands in the file, though others were left out or made of it', () => {
    const { policyBlock, sourcePointer } = readPolicySource({
      permissions: { deny: ['Read(//x/**)', 'Bash(rm *)', 'Agent(x)'], allow: ['*', 'Bash'] },
    })
    expect(policyBlock).toMatchObject({ deny: ['Read(/x/**)', 'Edit(/x/**)', 'Bash(rm *)'], allow: ['Bash'] })
    expect(['/deny/1', '/deny/2', '/allow/0', '/rules/0/when/tool', '/mode', ''].map(sourcePointer)).toEqual([
      '/permissions/deny/0',
      '/permissions/deny/1',
      '/permissions/allow/1',
      '/permissions/deny/2',
      '/permissions',
      '/permissions',
    ])
  })

  it('P5: of two policies none is chosen', () => {
    const both = { policy: { deny: ['x'] }, permissions: {} }
    expect(() => readPolicySource(both)).toThrow(
      expect.objectContaining({
        code: 'invalid_policy',
        details: expect.objectContaining({ pointer: '/permissions' }),
      }),
    )
    expect(() => readPolicySource({ policy: null, toolApprovalMode: 'AUTO' })).toThrow(
      /policy and toolApprovalMode/,
    )
  })

  it('P5: what can not be read is refused, with its place from the top of the file', () => {
    const places = [
      [{ permissions: { deny: 'all' } }, '/permissions/deny'],
      [{ permissions: null }, '/permissions'],
      [{ toolApproval: { enabled: true, allow: [1] } }, '/toolApproval/allow/0'],
      [{ toolApprovalMode: 'MAYBE' }, '/toolApprovalMode'],
    ] as const
    for (const [file, pointer] of places) {
      expect(() => readPolicySource(file)).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ pointer }) }),
      )
    }
  })
})
