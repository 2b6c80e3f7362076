/** `banksman/client`: the typed client, for browsers and Node. */

// Calling a server

export type { ChatCalls, QuietHoursCalls } from './chat-calls.ts'
export type {
  CallOptions,
  CallToExplain,
  ClientOptions,
  PageQuery,
  PushCalls,
  ServerCalls,
  TokenCalls,
  WaitOptions,
} from './client.ts'
export { createServerCalls } from './client.ts'
export type { Client } from './create-client.ts'
export { createClient } from './create-client.ts'
export type { LoginOptions } from './login.ts'
export { login } from './login.ts'
export type { McpCalls } from './mcp-calls.ts'
export type { Fetch } from './transport/transport.ts'

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

export type { ConnectionStatus, EventsOptions } from './stream/follow-stream.ts'

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

export type { ClientErrorCode } from './transport/client-error.ts'
export { ClientError, isClientError } from './transport/client-error.ts'

// What goes over the wire

export type { ToolCall } from '../core/call.ts'
export type { Answers, DecisionKind } from '../core/decision.ts'
export type { ErrorCode } from '../core/errors.ts'
export type { JsonObject, JsonValue } from '../core/json/json.ts'
export type { Question, QuestionOption } from '../core/question.ts'
export type {
  Block,
  CallParts,
  DiffBlock,
  DiffRow,
  Field,
  LinePiece as WireLinePiece,
  Span,
  SpanKind,
  TextBlock,
  VisibleText,
} from '../core/rendering.ts'
export type { Outcome, RequestKind, RequestState } from '../core/request.ts'
export type { Role } from '../core/session.ts'
export type { QuietHours } from '../core/time/quiet-hours.ts'
export type { GrantScope, GrantWidth, Severity } from '../core/verdict.ts'
export type {
  WireCancelled,
  WireDecided,
  WireEntry,
  WireEvent,
  WireProblem,
  WireRevealed,
} from '../wire/types/answers.ts'
export type {
  CancelInput,
  ClaimInput,
  OutcomeInput,
  WireCall,
  WireClaim,
  WireRenewal,
  WireReview,
  WireVerdict,
} from '../wire/types/call.ts'
export type {
  ChatAccountInput,
  WireChat,
  WireChatAccount,
  WireChatTest,
  WireLink,
  WireNewLink,
  WireQuietHours,
} from '../wire/types/chat.ts'
export type {
  ShownCall,
  WireLoggedCall,
  WireSaid,
  WireTurnEntry,
  WireTurnEvent,
} from '../wire/types/conversation.ts'
export type { WireDemonstration } from '../wire/types/demonstration.ts'
export type { WireExplanation, WireReplay } from '../wire/types/explanation.ts'
export type { WireGrant, WireMatched, WireSuggestion, WireSuggestions } from '../wire/types/grant.ts'
export type {
  HistoryQuery,
  WireHistory,
  WireHistoryItem,
  WireOversight,
  WireRuleFigures,
} from '../wire/types/history.ts'
export type {
  LoginCodeInput,
  TokenInput,
  WireCredential,
  WireIdentity,
  WireLogin,
  WireLoginCode,
  WireToken,
} from '../wire/types/identity.ts'
export type {
  WireAnswerInput,
  WireAskUserQuestion,
  WireInterrupt,
  WireInterruptPayload,
  WireResumeDecision,
  WireResumed,
  WireResumeInput,
  WireToolApproval,
} from '../wire/types/interrupt.ts'
export type { WireChain, WireJournalEntry, WireJournalReport } from '../wire/types/journal.ts'
export type { WireMcpServers } from '../wire/types/mcp.ts'
export type { WireNode } from '../wire/types/node.ts'
export type { WirePage } from '../wire/types/page.ts'
export type { ReplayInput, WirePolicy } from '../wire/types/policy.ts'
export type { WireProgress, WireTurnProgress } from '../wire/types/progress.ts'
export type { PushSubscriptionInput, WirePush } from '../wire/types/push.ts'
export type {
  WireDecision as Decision,
  WireDecisionInput as DecisionInput,
  WireRendering,
  WireRequest,
  WireVote as Vote,
} from '../wire/types/request.ts'
export type {
  StartSessionInput,
  StopInput,
  WireCoding,
  WireSession,
  WireSessionOffers,
  WireSessionRow,
  WireStartedSession,
  WireStopped,
} from '../wire/types/session.ts'
export type { WireGrantTerms } from '../wire/types/values.ts'
export type {
  PreviewInput,
  WireBefore,
  WireCommandLine,
  WireEarlier,
  WireJudgement,
  WirePreview,
  WireView,
} from '../wire/types/view.ts'
