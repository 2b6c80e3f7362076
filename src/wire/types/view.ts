/**
 * All that a person needs in order to decide one request, as `GET /v1/requests/{id}/view` sends it: the call in parts
 * that a page can lay out, what the policy says of each part, and what was decided before.
 */
import type { DecisionKind } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { CallParts, SpanKind } from '../../core/rendering.ts'
import type { RequestState } from '../../core/request.ts'
import type { GrantScope, Severity } from '../../core/verdict.ts'
import type { WireDoubt, WireExplainedCommand, WireExplainedRule, WireRequest, WireVote } from './request.ts'

export interface WireView {
  /** Whole. */
  request: WireRequest
  /**
   * The call that is shown: the agent's own, or the edit that replaced it. While it waits, a change of a file is shown against
   * the file as it is now.
   */
  parts: CallParts
  /** Where an argument is a shell line, or a list is one: the line cut up by its commands. */
  line?: WireCommandLine
  /** What the policy says of the call now. Absent once it is no longer pending, and for a question. */
  judgement?: WireJudgement
  /** What the tool says its arguments are: JSON Schema. A form can be made of it. */
  schema?: JsonObject
  /** Decisions on calls like this one, the most alike first and then the newest, ten at most. */
  earlier: WireEarlier[]
  /** What the same session did just before, the newest first, five at most. */
  before: WireBefore[]
  /** How many eligible people there are to meet each condition of the request, by rule. */
  eligible: Record<string, string[]>
}

export interface WireCommandLine {
  /** The argument, by JSON pointer. */
  pointer: string
  /**
   * Where the line was put together of a program and a list of its words: the arguments that hold them, `pointer` first.
   * The place of every command and doubt is then the whole line.
   */
  pointers?: string[]
  /** The whole line, in order; what is too long has a piece of kind `left-out`. */
  pieces: WireLinePiece[]
  /** In the order in which they stand in the line. */
  commands: WireExplainedCommand[]
  doubts: WireDoubt[]
  /** There are more than are listed, of a line with hundreds of commands. The strictest are listed. */
  leftOut?: { commands: number; doubts: number }
}

/** A part of the line that is of one kind and belongs to one command. */
export interface WireLinePiece {
  text: string
  kind: SpanKind
  name?: string
  /** The innermost command that it belongs to, by its place in `commands`. */
  command?: number
  /** The doubt that it raises, by its place in `doubts`. */
  doubt?: number
}

export interface WireJudgement {
  verdict: 'allow' | 'deny' | 'ask'
  because: string
  mode: string
  tool: { name: string; kind?: string; known: boolean }
  /** Every rule that holds or may hold, the strictest first, with its place in the file where there is one. */
  rules: WireExplainedRule[]
  /** The policy that holds now is not the one under which it was asked. */
  policyChanged?: true
  /** What was looked up when it was asked (files, links) has changed since: it would be refused when it is to run. */
  factsChanged?: true
}

export interface WireEarlier {
  /** `same`: exactly this call. `alike`: the same kind of call. `tool`: only the same tool. */
  likeness: 'same' | 'alike' | 'tool'
  id: string
  summary: string
  session: string
  state: RequestState
  outcome?: 'ok' | 'error'
  decision?: { kind: DecisionKind; by: string; at: string; reason?: string; scope?: GrantScope }
  /** Who approved, in order; whose approval decided it is among them. */
  votes: WireVote[]
  createdAt: string
}

/** A call that the session made earlier. */
export interface WireBefore {
  callId: string
  tool: string
  summary: string
  verdict: 'allow' | 'deny' | 'ask'
  /** Where people were asked. */
  request?: { id: string; state: RequestState }
  at: string
}

/** What `POST /v1/requests/{id}/preview` says of an edit before it is sent. Nothing is recorded. */
export interface WirePreview {
  /** The edited call, laid out. */
  parts: CallParts
  line?: WireCommandLine
  warnings: string[]
  /** `deny`: the edit would be refused. `ask` and `allow`: it would be taken as a decision. */
  verdict: 'allow' | 'deny' | 'ask'
  because: string
  /** That with which the edit would stand: the highest of both calls. Where it would be refused, the request's own. */
  severity: Severity
  /** Rules that ask about the edited call and did not about the original. */
  newRules: string[]
  /** Places of the tool's schema that can't be checked safely, and were not, as JSON pointers. */
  unchecked: string[]
}
