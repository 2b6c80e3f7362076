/** Claude Code. */
import { answeredInput } from '../../adapters/claude-agent-sdk/questions.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { CodingAgent } from '../coding-agent.ts'
import { CLAUDE_CODE, readClaudeCodeEvent } from './read-event.ts'
import { writeClaudeCodeAnswer } from './write-answer.ts'

export const claudeCode: CodingAgent = {
  name: CLAUDE_CODE,
  title: 'Claude Code',
  hookTimeoutMs: 600_000,
  tellsEdits: 'before',
  read: readClaudeCodeEvent,
  write: writeClaudeCodeAnswer,
  argumentsFor: (_, approved) => approved,
  answeredArguments: ({ given }, answers) => answeredInput(given, answers) as JsonObject,
}
