/** The library's door. */

// What goes in and out
export {
  type AgentLineage,
  type Origin,
  type PreparedCall,
  // The canonical bytes of a call and their digest: what people approve
  prepareCall,
  type ToolCall,
  type ToolDefinition,
} from './core/call.ts'
export type { Answers, Decision, DecisionInput } from './core/decision.ts'
// When something is refused or goes wrong
export { BanksmanError, type ErrorCode, isBanksmanError } from './core/errors.ts'
// Canonical JSON (RFC 8785): what digests are made of
export { canonicalize, type JsonObject, type JsonValue } from './core/json/json.ts'
export type { Request, RequestState } from './core/request.ts'
export type { Actor, Session } from './core/session.ts'
export type { Verdict } from './core/verdict.ts'
export { renderCall } from './display/render.ts'
// Text that can be shown to a person without fooling them
export { renderText } from './display/render-text.ts'
export type { Review } from './gateway/lifecycle/review-result.ts'
export type { WatchEvent } from './gateway/live/watch.ts'
// The port that adapters call, near and far
export type {
  Answered,
  Asked,
  Can,
  Guard,
  GuardOptions,
  GuardResult,
  Held,
  HeldOutcome,
  HoldOptions,
  Judgement,
  NotRun,
  Pending,
  Refused,
  Released,
  Replayed,
  RunContext,
  RunTool,
} from './guard/contract.ts'
export { editText, refusalText } from './guard/model-texts.ts'

// To ask people somewhere else, or to keep things elsewhere
export type { Channel, Presentation } from './people/channel.ts'
export { type OpenGatewayOptions, openGateway } from './server/composition/open-gateway.ts'
// A whole Banksman inside a Node program
export type { PublicGateway as Gateway } from './server/composition/public-gateway.ts'
export type { Store } from './stores/store.ts'
