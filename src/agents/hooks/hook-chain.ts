/**
 * All hooks of an agent, as the loop sees them: one answer at each stage, whatever hooks there are and however they fail.
 * `createHookChain` is in `create-hook-chain.ts`.
 */
import type { MediaItem, TurnEvent } from '../../core/conversation.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { EventContext } from '../sessions/engine.ts'
import type {
  GivenResult,
  HookCall,
  HookContext,
  HookModelRequest,
  HookModelResponse,
  HookResult,
  HookTool,
} from './hook.ts'

/** The chain adds each hook's own time limit to the signal. */
export type ChainContext = HookContext

export interface HookChain {
  beforeModel(request: HookModelRequest, about: ChainContext): Promise<ModelRequestStep>
  afterModel(response: HookModelResponse, about: ChainContext): Promise<ModelResponseStep>
  /**
   * Every hook but the one that provides the tool. A rename is followed: what comes back names the tool as it is to run.
   */
  beforeTool(call: HookCall, about: ChainContext): Promise<ToolStep>
  /** Has the hook that provides the tool do its work: after policy, people and claim. */
  provide(call: HookCall, about: ChainContext): Promise<ProvidedStep>
  afterTool(result: HookResult, about: ChainContext): Promise<ResultStep>
  approveTool(call: HookCall, about: ChainContext): Promise<ApprovalStep>
  /** Tools that were added before a restart: their hooks answer for them again, where they are still there and trusted. */
  remember(session: string, added: readonly (HookTool & { hook: string })[]): void
  /** Never waits and never throws. */
  tell(event: TurnEvent, about?: EventContext): void
  /** Tools that hooks provide by their configuration, with the hook's name. */
  readonly tools: readonly (HookTool & { hook: string })[]
  /** Ends all hooks, their processes with all of theirs. */
  close(): Promise<void>
}

/** What a hook gave, with all its media on the shelf of the session. */
export interface StoredResult extends GivenResult {
  media?: MediaItem[]
}

/** The turn ends: `hard` as if it had never been. */
export interface StopStep {
  kind: 'stop'
  hard: boolean
  by: string
  reason: string
}

export type ModelRequestStep =
  | {
      kind: 'go'
      request: HookModelRequest
      /** Tools that a trusted hook has added to the request, with its name. */
      added: (HookTool & { hook: string })[]
      changedBy: string[]
    }
  | StopStep
/** A call that a hook has added has an empty id: the loop makes one. */
export type ModelResponseStep = { kind: 'go'; response: HookModelResponse; changedBy: string[] } | StopStep
export type ToolStep =
  | { kind: 'go'; tool: string; arguments: JsonObject; changedBy: string[] }
  | { kind: 'respond'; tool: string; arguments: JsonObject; result: StoredResult; by: string }
  | { kind: 'deny'; by: string; reason: string }
  | StopStep
export type ProvidedStep =
  | { kind: 'result'; result: StoredResult; by: string }
  | { kind: 'deny'; by: string; reason: string }
  | StopStep
export type ResultStep =
  | { kind: 'go'; result: StoredResult; changedBy: string[] }
  /** The result is not to be seen: a hook that should have looked at it failed. */
  | { kind: 'withhold'; by: string; reason: string }
  | StopStep
export type ApprovalStep = { kind: 'go' } | { kind: 'deny'; by: string; reason: string }
