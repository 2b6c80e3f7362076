import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { trustFolder } from './trust.ts'

describe('where what was trusted is kept', () => {
  const usual = join(homedir(), '.config', 'banksman', 'trusted')

  it('P11: an empty variable never means the current folder, where an agent may write', () => {
    expect(trustFolder({ BANKSMAN_HOME: '', XDG_CONFIG_HOME: '' })).toBe(usual)
    expect(trustFolder({})).toBe(usual)
  })

  it('follows BANKSMAN_HOME, then XDG_CONFIG_HOME', () => {
    expect(trustFolder({ XDG_CONFIG_HOME: '/x' })).toBe(join('/x', 'banksman', 'trusted'))
    expect(trustFolder({ BANKSMAN_HOME: '/b', XDG_CONFIG_HOME: '/x' })).toBe(join('/b', 'trusted'))
  })
})
