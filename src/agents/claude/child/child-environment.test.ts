import { describe, expect, it } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const given = (environment: Record<string, string | undefined>) =>
  Object.keys(childEnvironment(environment, '/data/claude')).filter((name) =>
    Object.hasOwn(environment, name),
  )

describe('the environment of the child', () => {
  it('secretary 4: has of our credentials only those of its model, where they are not empty', () => {
    const environment = {
      PATH: '/bin',
      HOME: '/home/ana',
      TMPDIR: '/tmp',
      LANG: 'C',
      LC_ALL: 'C',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_AUTH_TOKEN: 'a',
      CLAUDE_CODE_OAUTH_TOKEN: '',
      ANTHROPIC_API_KEY: 'k',
      BANKSMAN_TOKEN: 'secret',
      BANKSMAN_HOME: '/data',
      FEISHU_APP_SECRET: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--import=x',
      CLAUDE_CONFIG_DIR: '/home/ana/.claude',
    }
    expect(given(environment).sort()).toEqual([
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'CLAUDE_CONFIG_DIR',
      'HOME',
      'LANG',
      'LC_ALL',
      'PATH',
      'TMPDIR',
    ])
    expect(childEnvironment(environment, '/data/claude').CLAUDE_CONFIG_DIR).toBe('/data/claude/config')
  })

  it('has the API key only where there is no token', () => {
    expect(given({ ANTHROPIC_API_KEY: 'k' })).toEqual(['ANTHROPIC_API_KEY'])
    expect(given({ ANTHROPIC_API_KEY: 'k', CLAUDE_CODE_OAUTH_TOKEN: 't' })).toEqual([
      'CLAUDE_CODE_OAUTH_TOKEN',
    ])
    expect(given({ ANTHROPIC_API_KEY: '' })).toEqual([])
  })

  it('always has the switches that keep it from reaching anything but its model', () => {
    expect(childEnvironment({ DISABLE_TELEMETRY: '' }, '/x')).toMatchObject({
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    })
  })
})
