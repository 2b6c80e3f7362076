/** `banksman/client`: the typed client, for browsers and Node. */

// Calling a server

export type {
  CallOptions,
  CallToExplain,
  Client,
  ClientOptions,
  OutcomeInput,
  PageQuery,
  PushCalls,
  ReplayInput,
  TokenCalls,
  TokenInput,
  WaitOptions,
} from './client.ts'
export { createClient } from './client.ts'
export type { LoginOptions } from './login.ts'
export { login } from './login.ts'
export type { Fetch } from './transport.ts'

// Guarding calls: the port that adapters take, here over HTTP

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
} from '../guard/contract.ts'
export { editText, refusalText } from '../guard/model-texts.ts'

// What changes, live

export type { ConnectionStatus, EventsOptions } from './follow-stream.ts'

// Talking to the agent over server-sent events and REST

export type {
  FollowOptions,
  ReactPlusClient,
  ReactPlusClientOptions,
  ReactPlusEvent,
  ReactPlusEventType,
  ReactPlusHistory,
  ReactPlusOption,
  ReactPlusQuestion,
  ReactPlusReceipt,
  ReactPlusRequest,
  ReactPlusResponse,
} from './react-plus.ts'
export { createReactPlusClient } from './react-plus.ts'

// What can go wrong

export type { ClientErrorCode } from './client-error.ts'
export { ClientError, isClientError } from './client-error.ts'

// What goes over the wire

export type { ToolCall } from '../core/call.ts'
export type { Answers, DecisionKind } from '../core/decision.ts'
export type { ErrorCode } from '../core/errors.ts'
export type { JsonObject, JsonValue } from '../core/json.ts'
export type { Question, QuestionOption } from '../core/question.ts'
export type {
  Block,
  CallParts,
  DiffBlock,
  DiffRow,
  Field,
  Span,
  SpanKind,
  TextBlock,
  VisibleText,
} from '../core/rendering.ts'
export type { Outcome, RequestKind, RequestState } from '../core/request.ts'
export type { Role } from '../core/session.ts'
export type { GrantScope, GrantWidth, Severity } from '../core/verdict.ts'
export type {
  WireCall,
  WireCancelled,
  WireChain,
  WireClaim,
  WireCredential,
  WireDecided,
  WireDecision as Decision,
  WireDecisionInput as DecisionInput,
  WireEntry,
  WireEvent,
  WireExplanation,
  WireGrant,
  WireGrantTerms,
  WireIdentity,
  WireJournalEntry,
  WireLogin,
  WireMatched,
  WirePage,
  WireProblem,
  WireRendering,
  WireRenewal,
  WireReplay,
  WireRequest,
  WireReview,
  WireSession,
  WireStopped,
  WireSuggestion,
  WireSuggestions,
  WireToken,
  WireVerdict,
  WireVote as Vote,
} from '../core/wire.ts'
export type {
  ShownCall,
  WireLoggedCall,
  WireSaid,
  WireTurnEntry,
  WireTurnEvent,
} from '../core/wire-conversation.ts'
export type {
  WireAnswerInput,
  WireAskUserQuestion,
  WireInterrupt,
  WireInterruptPayload,
  WireResumeDecision,
  WireResumed,
  WireResumeInput,
  WireToolApproval,
} from '../core/wire-interrupt.ts'
export type {
  HistoryQuery,
  PushSubscriptionInput,
  QuietHours,
  WireHistory,
  WireHistoryItem,
  WireNode,
  WireOversight,
  WirePolicy,
  WirePush,
  WireRuleFigures,
  WireSessionRow,
} from '../core/wire-record.ts'
export type {
  WireBefore,
  WireCommandLine,
  WireEarlier,
  WireJudgement,
  WireLinePiece,
  WirePreview,
  WireView,
} from '../core/wire-view.ts'
export type { WireJournalReport } from './journal-report.ts'
