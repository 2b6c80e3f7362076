/** An agent of this server that is Claude Code: in the folder that the configuration names, or wherever its sessions work. */
import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { ClaudeEngineParts, ClaudePlace } from '../../agents/claude/claude-parts.ts'
import { loadClaudeSdk } from '../../agents/claude/claude-sdk.ts'
import { createClaudeEngine } from '../../agents/claude/create-claude-engine.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { MODES, type Mode } from '../../core/session.ts'
import { hostClock } from '../host/host.ts'
import type { ClaudeAgentConfiguration } from './claude-registration.ts'
import type { OpenedAgent, ServerAgentParts } from './engine-registration.ts'

export interface ClaudeAgentSettings
  extends Pick<ClaudeEngineParts, 'placeOf' | 'maxTurns' | 'model' | 'idleMs' | 'instructions' | 'refusal'> {
  name: string
  /** For people, where no session is meant. */
  workspace: string
}

/** One that the configuration names under `agents:`. */
export async function openClaudeAgent(
  { workspace: named, settings, ...rest }: ClaudeAgentConfiguration,
  parts: ServerAgentParts,
): Promise<OpenedAgent> {
  const workspace = named ?? parts.configuration.roots[0] ?? process.cwd()
  const placeOf = () => placeAt(workspace, settings, parts.folder)
  await placeOf().catch((error: Error) => {
    const place = `agents.${rest.name}.workspace`
    throw new BanksmanError('invalid_configuration', `${place}: ${error.message}`, { place })
  })
  return openClaudeWith({ ...rest, workspace, placeOf }, parts)
}

/** One whose sessions work wherever `placeOf` says. */
export async function openClaudeWith(
  { name, workspace, ...settings }: ClaudeAgentSettings,
  { gateway, folder, environment, report, say }: ServerAgentParts,
): Promise<OpenedAgent> {
  await tellWhatIsMissing(name, say)
  const engine = createClaudeEngine({
    ...settings,
    home: join(folder, 'claude'),
    environment,
    clock: hostClock,
    report,
    async modeOf({ id, owner }) {
      const { mode } = await gateway.session(id, owner)
      return MODES.find((each): each is Mode => each === mode) ?? 'default'
    },
  })
  const { model } = settings
  const because = `Claude Code${model === undefined ? '' : ` with ${model}`}`
  return { engine, because, workspace, async close() {} }
}

/** The server starts without it all the same: people answer for other agents too. */
async function tellWhatIsMissing(name: string, say: (line: string) => void): Promise<void> {
  try {
    await loadClaudeSdk()
  } catch (error) {
    if (!isBanksmanError(error, 'missing_dependency')) throw error
    say(`the agent ${name} can't work yet: ${error.message}, and start again`)
  }
}

async function placeAt(
  workspace: string,
  settings: ClaudePlace['settings'],
  own: string,
): Promise<ClaudePlace> {
  const folder = await realpath(workspace).catch(() => undefined)
  if (folder === undefined || !statSync(folder).isDirectory())
    throw new BanksmanError('invalid_configuration', `${workspace} is not a folder, so no agent works there`)
  const data = await realpath(own).catch(() => own)
  if (isIn(folder, data) || isIn(data, folder))
    throw new BanksmanError(
      'invalid_configuration',
      `${folder} has Banksman's own data in it or around it, so no agent works there; name another workspace`,
    )
  return { folder, settings }
}

function isIn(folder: string, other: string): boolean {
  return folder === other || folder.startsWith(other.endsWith(sep) ? other : other + sep)
}
