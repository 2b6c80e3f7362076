/**
 * What works in coding sessions of the demonstration: Claude Code where its SDK is installed, else our own loop. Without a key both follow
 * a script: Claude Code's own program then talks to a stand-in of its model on this machine.
 */
import { loadClaudeSdk } from '../../agents/claude/claude-sdk.ts'
import { modelFromEnvironment } from '../../agents/models/configuration/choose-model.ts'
import { createScriptedModel } from '../../agents/models/scripted/scripted-model.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { CodingPreset, OpenedAgent } from '../agent/engine-registration.ts'
import { hostClock } from '../host/host.ts'
import { type CodingEngineParts, openClaudeCoder, openLoopCoder } from './open-coding-engine.ts'

const CREDENTIALS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

export async function openDemonstrationCoder(
  { scripts }: CodingPreset,
  parts: CodingEngineParts,
): Promise<OpenedAgent> {
  const { environment, settings } = parts
  const { coder } = settings
  if (await isSdkInstalled()) {
    if (CREDENTIALS.some((name) => environment[name])) return openClaudeCoder(coder, parts)
    const { startModelServer } = await import('../../testing/model-server/model-server.ts')
    const model = await startModelServer(scripts.claude)
    const reached = { ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''), ANTHROPIC_API_KEY: 'none' }
    const opened = await openClaudeCoder(coder, { ...parts, environment: { ...environment, ...reached } })
    return {
      ...opened,
      because: 'Claude Code, whose model follows a script',
      async close() {
        await opened.close()
        await model.close()
      },
    }
  }
  const scripted = createScriptedModel(scripts.loop, { after: hostClock.after })
  const chosen = modelFromEnvironment(environment, { clock: hostClock }) ?? {
    model: scripted,
    because: 'a script, which needs no key',
  }
  return openLoopCoder(chosen, coder, parts)
}

async function isSdkInstalled(): Promise<boolean> {
  try {
    await loadClaudeSdk()
    return true
  } catch (error) {
    if (isBanksmanError(error, 'missing_dependency')) return false
    throw error
  }
}
