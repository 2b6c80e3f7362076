/**
 * All that the child is given of our environment. It runs commands, and what it has, they have: so it gets what it needs to find
 * programs and to reach its model, and nothing of Banksman's own.
 */
import { join } from 'node:path'

const PLAIN = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SHELL', 'SystemRoot']
const TOKENS = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** Nothing but the model is reached, and nothing runs that no turn has started. */
const SWITCHES = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_BUG_COMMAND: '1',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_CRON: '1',
  CLAUDE_CODE_DISABLE_WORKFLOWS: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
}

export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const names = [
    ...PLAIN,
    ...Object.keys(environment).filter((name) => name.startsWith('LC_')),
    'ANTHROPIC_BASE_URL',
    ...TOKENS,
    ...(TOKENS.some((name) => hasValue(environment[name])) ? [] : ['ANTHROPIC_API_KEY']),
  ]
  const given = names.flatMap((name) => {
    const value = environment[name]
    return hasValue(value) ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(given), ...SWITCHES, CLAUDE_CONFIG_DIR: configFolder(home) }
}

/** Where the child keeps its transcripts. Its user's own settings are elsewhere. */
export function configFolder(home: string): string {
  return join(home, 'config')
}

function hasValue(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
