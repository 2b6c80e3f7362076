/** The door of `banksman/hooks`: what it takes to write a hook as a program of its own, or for this process. */

// what it is shown
export type { MediaItem, TurnEvent } from '../../core/conversation.ts'
export type { ModelCall, ModelMedia, ModelMessage, ModelTool } from '../models/model.ts'
export type { EventContext } from '../sessions/engine.ts'
// what a hook is, and what it may answer
export type {
  GivenResult,
  Hook,
  HookCall,
  HookContext,
  HookModelRequest,
  HookModelResponse,
  HookResult,
  ModelRequestDecision,
  ModelResponseDecision,
  ResultDecision,
  ToolDecision,
} from './hook.ts'
// starting one from your own program, to mount it with `openAgent`
export {
  createProcessHook,
  type ProcessHook,
  type ProcessHookOptions,
} from './process/process-hook.ts'
// being one
export { type RunHookOptions, runHook } from './sdk/run-hook.ts'
