/** Written by `npm run generate:wire` from src/wire/view.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { DecisionKind } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { CallParts, LinePiece } from '../../core/rendering.ts'
import type { OutcomeKind, RequestState } from '../../core/request-state.ts'
import type { GrantScope, Severity, VerdictKind } from '../../core/verdict.ts'
import type { WireDoubt, WireExplainedCommand, WireExplainedRule } from './explanation.ts'
import type { WireRequest, WireVote } from './request.ts'

export interface PreviewInput {
  /** Of the request as it was shown. */
  digest: string
  /** All of them, as an edit would send them; an untouched mask keeps its value. */
  arguments: JsonObject
}

export interface WireCommandLine {
  /** The argument, by JSON pointer. */
  pointer: string
  /**
   * Where the line was put together of a program and a list of its words: the arguments that hold them,
   * pointer first. The place of every command and doubt is then the whole line.
   */
  pointers?: string[]
  /** The whole line, in order; what is too long has a piece of kind left-out. */
  pieces: LinePiece[]
  /** In the order in which they stand in the line. */
  commands: WireExplainedCommand[]
  doubts: WireDoubt[]
  /** There are more than are listed, of a line with hundreds of commands. The strictest are listed. */
  leftOut?: { commands: number; doubts: number }
}

export interface WireJudgement {
  verdict: VerdictKind
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  mode: string
  tool: { name: string; kind?: string; known: boolean }
  /** Every rule that matches or may match, the strictest first, with its place in the file where there is one. */
  rules: WireExplainedRule[]
  /** Another policy is in force now than the one under which it was asked. */
  policyChanged?: true
  /** What was looked up when it was asked (files, links) has changed since: it would be refused when it is to run. */
  factsChanged?: true
}

export interface WireEarlier {
  /** same: exactly this call. alike: the same kind of call. tool: only the same tool. */
  likeness: 'same' | 'alike' | 'tool'
  id: string
  summary: string
  session: string
  state: RequestState
  outcome?: OutcomeKind
  decision?: { kind: DecisionKind; by: string; at: string; reason?: string; scope?: GrantScope }
  /** Who approved, in order; the approval that decided it is among them. */
  votes: WireVote[]
  createdAt: string
}

/** A call that the session made earlier. */
export interface WireBefore {
  callId: string
  tool: string
  summary: string
  verdict: VerdictKind
  /** Where people were asked. */
  request?: { id: string; state: RequestState }
  at: string
}

/** All that a person needs in order to decide one request. */
export interface WireView {
  /** Whole. */
  request: WireRequest
  /**
   * The call that is shown: the agent's own, or the edit that replaced it. While it is pending, a change of a
   * file is shown against the file as it is now.
   */
  parts: CallParts
  /** Where an argument is a shell line, or a list is one: the line cut up by its commands. */
  line?: WireCommandLine
  /** What the policy says of the call now. Absent once it is no longer pending, and for a question. */
  judgement?: WireJudgement
  /** What the tool says its arguments are, as JSON Schema. A form can be made of it. */
  schema?: JsonObject
  /** Decisions on calls like this one, the most alike first and then the newest, ten at most. */
  earlier: WireEarlier[]
  /** What the same session did just before, the newest first, five at most. */
  before: WireBefore[]
  /** The session is a conversation with this server's agent that the reader may read. */
  chat?: true
  /** The people who are eligible to meet each condition of the request, by rule. */
  eligible: Record<string, string[]>
}

/** What an edit would be, before it is sent. Nothing is recorded. */
export interface WirePreview {
  /** The edited call, laid out. */
  parts: CallParts
  line?: WireCommandLine
  warnings: string[]
  /** deny: the edit would be refused. ask and allow: it would be taken as a decision. */
  verdict: VerdictKind
  /** Why, in a sentence. For people it is in the reader's language. */
  because: string
  /** The same as a code with its values, which are shown like arguments. Absent on what an earlier version wrote. */
  reason?: Reason
  /** That with which the edit would stand: the highest of both calls. Where it would be refused, the request's own. */
  severity: Severity
  /** Rules that ask about the edited call and did not about the original. */
  newRules: string[]
  /** Places of the tool's schema that can't be checked safely, and were not, as JSON pointers. */
  unchecked: string[]
}
