/** The parts of the Claude Agent SDK that the engine uses, and the only place where it is imported: late, and only if it is needed. */
import { loadLibrary } from '../models/providers/load-library.ts'

export interface ClaudeSdk {
  query(input: { prompt: AsyncIterable<unknown>; options: ClaudeQueryOptions }): ClaudeQuery
}

/** What it gives comes from another process: it is checked before anything of it is used. */
export interface ClaudeQuery extends AsyncIterable<unknown> {
  interrupt(): Promise<unknown>
  setPermissionMode(mode: ClaudeChildMode): Promise<void>
  /** Ends it at once. */
  close(): void
}

/** Never one that asks less: what a session may do is the policy's to say. */
export type ClaudeChildMode = 'default' | 'plan'

export interface ClaudeQueryOptions {
  cwd: string
  env: Record<string, string>
  permissionMode: ClaudeChildMode
  settingSources: 'project'[]
  strictMcpConfig: true
  disallowedTools: string[]
  maxTurns: number
  model?: string
  resume?: string
  systemPrompt: { type: 'preset'; preset: 'claude_code'; append: string; snapshot: false }
  includePartialMessages: true
  verbatimPrompts: true
  hooks: object
  canUseTool: (tool: string, input: Record<string, unknown>, about: { toolUseID: string }) => Promise<object>
  spawnClaudeCodeProcess: (options: ClaudeSpawn) => unknown
}

export interface ClaudeSpawn {
  command: string
  args: string[]
  cwd?: string
  env: Record<string, string | undefined>
}

const PACKAGE = '@anthropic-ai/claude-agent-sdk'

export async function loadClaudeSdk(): Promise<ClaudeSdk> {
  // By a name that isn't a literal: the types of an optional peer need not be there.
  const name: string = PACKAGE
  return loadLibrary(name, async () => (await import(name)) as ClaudeSdk, 'the Claude engine')
}
