/** What `doctor` says of coding sessions: where they can work, with what, and whether that has what it needs. */
import { homedir } from 'node:os'
import { loadClaudeSdk } from '../../agents/claude/claude-sdk.ts'
import { createSessionFolders } from '../../agents/secretary/folders.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import type { Configuration } from '../configuration/configuration.ts'

export interface InspectedSecretary {
  configuration: Pick<Configuration, 'talk' | 'roots'>
  /** Banksman's own folders. */
  ownFolders: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

const CREDENTIALS = ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_API_KEY']
const { ok, warning, problem } = findingsAbout('coding sessions')

export async function inspectSecretary({
  configuration: { talk, roots },
  ownFolders,
  environment,
}: InspectedSecretary): Promise<Finding[]> {
  const { secretary } = talk
  if (secretary === undefined) return []
  const allowed = secretary.folders ?? roots.map((path) => ({ path }))
  const usable = createSessionFolders({ allowed: () => allowed, own: ownFolders, home: homedir() }).list()
  const unusable = allowed.map(({ path }) => path).filter((path) => !usable.includes(path))
  const isClaude = secretary.coder.engine === 'claude'
  const needs = isClaude ? await inspectClaude(environment) : []
  return [
    ...(usable.length === 0
      ? [problem('there is no folder that sessions can work in', 'name one under secretary.folders')]
      : []),
    ...(unusable.length === 0 || usable.length === 0
      ? []
      : [warning(`no session can work in ${unusable.join(', ')}: not there, or a folder of Banksman's own`)]),
    ...needs,
    ...(usable.length === 0 || needs.length > 0
      ? []
      : [ok(`they work in ${usable.join(', ')}, with ${isClaude ? 'Claude Code' : 'our own loop'}`)]),
  ]
}

async function inspectClaude(environment: InspectedSecretary['environment']): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    await loadClaudeSdk()
  } catch (error) {
    if (!isBanksmanError(error, 'missing_dependency')) throw error
    found.push(
      problem('the Claude Agent SDK is not installed', 'run: npm install @anthropic-ai/claude-agent-sdk'),
    )
  }
  if (!CREDENTIALS.some((name) => environment[name]))
    found.push(
      warning(
        'no credential for Claude is set in this shell',
        `the server needs one of ${CREDENTIALS.join(', ')} where it is started`,
      ),
    )
  return found
}
