/**
 * Claude Code as an engine, by the Claude Agent SDK: a child process a session, whose every tool call waits in a hook of ours. It runs
 * with nobody's settings and in a mode that asks; what a session may do is the policy's to say.
 */
import { mkdirSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import type { Engine } from '../sessions/engine.ts'
import { configFolder } from './child/child-environment.ts'
import { createChildRecords } from './child/child-records.ts'
import type { ClaudeEngineParts } from './claude-parts.ts'
import { loadClaudeSdk } from './claude-sdk.ts'
import { openClaudeSession } from './open-claude-session.ts'

export function createClaudeEngine(parts: ClaudeEngineParts): Engine {
  mkdirSync(configFolder(parts.home), { recursive: true, mode: 0o700 })
  const records = createChildRecords(parts.home)
  // Before anything is opened: what a server that was killed left behind goes on asking its model.
  const leftovers = records.endLeftovers()
  leftovers.catch((error) => parts.report({ doing: 'ending what a server before left behind', error }))
  const { idleMs, loadSdk = loadClaudeSdk } = parts
  let known = { model: parts.model ?? 'claude', tools: [] as string[] }
  return {
    kind: 'claude',
    lease: 'open',
    whenBusy: 'interrupt',
    ...defined({ idleMs }),
    describe: () => ({
      model: known.model,
      tools: known.tools.map((name) => ({ name, description: '' })),
    }),
    async open(session) {
      await leftovers
      const sdk = await loadSdk()
      const onInit = ({ model, tools }: typeof known) => {
        known = { model, tools }
      }
      return openClaudeSession({ ...parts, sdk, records, onInit }, session)
    },
  }
}
