/** `banksman/claude-agent-sdk`: tool calls of Claude Agent SDK sessions behind a guard. */
export { banksman, type ClaudeContext, type ClaudeGate, type ClaudeOptions } from './banksman.ts'
