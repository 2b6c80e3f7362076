/** What `requests watch` knows, what can happen to it, and what it then wants shown and done. Plain data. */

import type { Answers, DecisionInput, JsonObject, WireRequest, WireSuggestion } from '../../client/index.ts'
import type { LastingScope } from '../../core/verdict.ts'
import type { InboxLink } from '../output/inbox-link.ts'
import type { WatchWords } from './watch-words.ts'

export interface WatchState {
  /** Who answers here: their own votes are not shown to them again. */
  readonly self: string
  /** Where is approved what can't be here. */
  readonly inbox: InboxLink
  /** Ids that wait to be shown, the most urgent first. */
  readonly queue: readonly string[]
  /** What was skipped or voted on here, by id, with the digest that was shown: a changed request comes back. */
  readonly settled: ReadonlyMap<string, string>
  /** What was decided here, by id, with a line about it: how it ends is told. */
  readonly decided: ReadonlyMap<string, string>
  /** What was approved together with the one on the screen and is not recorded yet, by id, with a line about it. */
  readonly together: ReadonlyMap<string, string>
  readonly current: Current | undefined
  readonly isConnected: boolean
  /** That nothing waits was said, and is still so. */
  readonly isIdle: boolean
}

export type Current =
  /** It is being fetched, whole. Something newer than `version` has not been heard of. */
  { kind: 'opening'; id: string; version: number } | ShownRequest

export interface ShownRequest {
  kind: 'shown'
  id: string
  request: WireRequest
  /** Keys before this do not count: nobody can have read it yet. */
  quietUntil: number
  mode: WatchMode
  /** Its arguments were asked for in full. */
  isWhole?: true
  /** The text of an edit that was not taken, so that no work is lost. */
  draft?: string
}

export type WatchMode =
  | { kind: 'reading' }
  /** A line is typed. */
  | { kind: 'line'; purpose: Purpose; typed: string }
  | { kind: 'editing' }
  /** The difference is shown. */
  | { kind: 'confirming_edit'; arguments: JsonObject }
  | { kind: 'sending'; decision: DecisionInput }
  /** What can be allowed beyond this call is being fetched. */
  | { kind: 'suggesting' }
  /** All others that wait are being fetched, to be approved together. */
  | { kind: 'gathering' }
  /** They are shown. */
  | { kind: 'confirming_all'; others: readonly WireRequest[] }
  /** It went away while something was being typed, and what is typed on must not hit the next one. */
  | { kind: 'gone' }

export type Purpose =
  | { kind: 'reason' | 'respond' | 'terminate' }
  | { kind: 'grant'; choices: readonly OfferedGrant[] }
  | { kind: 'yes'; decision: DecisionInput }
  | { kind: 'answer'; index: number; answers: Answers }

/** One of the ways in which an approval can be remembered. */
export interface OfferedGrant {
  scope: LastingScope
  suggestion: WireSuggestion
}

export type WatchKey =
  | { kind: 'text'; text: string }
  | { kind: 'enter' | 'escape' | 'backspace' | 'erase_line' | 'interrupt' }

/** `at` is in milliseconds, by any clock that does not jump. */
export type WatchInput =
  | { kind: 'key'; key: WatchKey; at: number }
  /** They came in one read. */
  | { kind: 'keys'; keys: readonly WatchKey[]; at: number }
  /** All that is pending now. */
  | { kind: 'listed'; requests: readonly WireRequest[] }
  /** Something changed; long arguments may be cut. */
  | { kind: 'changed'; request: WireRequest; at: number }
  /** The answer to `fetch`: whole. */
  | { kind: 'fetched'; request: WireRequest; at: number }
  | { kind: 'fetch_failed'; id: string; detail: string }
  | { kind: 'edited'; id: string; result: EditResult; at: number }
  /** The answer to `suggest`. */
  | { kind: 'suggested'; id: string; suggestions: readonly WireSuggestion[]; at: number }
  /** The answer to `gather`: whole, without those that could not be had. `id` is the one on the screen. */
  | { kind: 'gathered'; id: string; requests: readonly WireRequest[]; at: number }
  | { kind: 'recorded'; request: WireRequest; isDecided: boolean }
  | { kind: 'refused'; id: string; code: string; detail: string; at: number }
  | { kind: 'connection'; status: { kind: 'connected' } | { kind: 'lost'; retryInMs: number } }

export type EditResult =
  | { kind: 'arguments'; arguments: JsonObject }
  | { kind: 'unchanged' }
  /** Not taken. `text` is what was written, to go on with. */
  | { kind: 'failed'; why: string; text?: string }

export type WatchOutput =
  | { kind: 'request'; request: WireRequest }
  | { kind: 'whole'; request: WireRequest }
  | { kind: 'question'; request: WireRequest; index: number }
  | { kind: 'difference'; request: WireRequest; arguments: JsonObject }
  | { kind: 'choices'; choices: readonly OfferedGrant[] }
  | { kind: 'help' }
  | { kind: 'good' | 'bad' | 'plain'; text: string }
  /** How something that was decided here ended. */
  | { kind: 'ended'; summary: string; request: WireRequest }
  /** Why a request no longer waits. */
  | { kind: 'gone'; request: WireRequest }

export type WatchAction =
  | { kind: 'fetch'; id: string }
  | { kind: 'decide'; id: string; decision: DecisionInput }
  | { kind: 'edit'; request: WireRequest; draft?: string }
  | { kind: 'suggest'; request: WireRequest }
  | { kind: 'gather'; id: string; ids: readonly string[] }
  | { kind: 'quit' }

export interface WatchStep {
  state: WatchState
  outputs: WatchOutput[]
  actions: WatchAction[]
}

export function initialState(self: string, inbox: InboxLink): WatchState {
  return {
    self,
    inbox,
    queue: [],
    settled: new Map(),
    decided: new Map(),
    together: new Map(),
    current: undefined,
    isConnected: true,
    isIdle: false,
  }
}

/** How the watch goes on after one kind of input. */
export type AdvanceWatch<Kind extends WatchInput['kind']> = (
  state: WatchState,
  input: Extract<WatchInput, { kind: Kind }>,
  words: WatchWords,
) => WatchStep
