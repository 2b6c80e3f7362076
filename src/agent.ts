/** `banksman/agent`: an agent of ours on a gateway that is open, with tools and hooks of yours. */

// Tools and hooks of your own
export type { Hook, HookMount } from './agents/hooks/hook.ts'
// What it talks to
export {
  type Model,
  type ModelEvent,
  ModelFault,
  type ModelMessage,
  type ModelRequest,
} from './agents/models/model.ts'
export { createProviderModel, type ProviderModelOptions } from './agents/models/providers/provider-model.ts'
export { createScriptedModel } from './agents/models/scripted/scripted-model.ts'
// The agent
export type { Agent } from './agents/sessions/session-host.ts'
export {
  defineTool,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolOutcome,
} from './agents/tools/tool.ts'
// Talking to it
export type { Conversations, MediaItem, TurnEntry, TurnEvent } from './core/conversation.ts'
export { type OpenAgentOptions, openAgent } from './server/agent/open-agent.ts'
