/** How the child is started: with nothing of anybody's settings, and with no tool that is let through by itself. */
import { defined } from '../../../core/defined.ts'
import type { ClaudeEngineParts, ClaudePlace } from '../claude-parts.ts'
import type { ClaudeChildMode, ClaudeQueryOptions } from '../claude-sdk.ts'
import { childEnvironment } from './child-environment.ts'
import { readProjectInstructions } from './project-instructions.ts'

/** They begin things that outlive the turn, talk to other sessions, or leave the folder. */
const LEFT_OUT = [
  'CronCreate',
  'CronDelete',
  'CronList',
  'EnterWorktree',
  'ExitWorktree',
  'ListAgents',
  'Monitor',
  'RemoteTrigger',
  'ScheduleWakeup',
  'SendMessage',
  'Workflow',
]

export type ChildOptions = Omit<ClaudeQueryOptions, 'spawnClaudeCodeProcess' | 'hooks' | 'canUseTool'>

export async function childOptions(
  { environment, home, maxTurns, model, instructions = '' }: ClaudeEngineParts,
  { folder, settings }: ClaudePlace,
  permissionMode: ClaudeChildMode,
  resume: string | undefined,
): Promise<ChildOptions> {
  // With the project's settings it reads them itself.
  const project = settings === 'project' ? '' : await readProjectInstructions(folder)
  const append = [instructions, project].filter((text) => text !== '').join('\n\n')
  return {
    cwd: folder,
    env: childEnvironment(environment, home),
    permissionMode,
    settingSources: settings === 'project' ? ['project'] : [],
    strictMcpConfig: true,
    disallowedTools: LEFT_OUT,
    maxTurns,
    ...defined({ model, resume }),
    systemPrompt: { type: 'preset', preset: 'claude_code', append, snapshot: false },
    includePartialMessages: true,
    // `@file` in what somebody says would be read without being asked about.
    verbatimPrompts: true,
  }
}
