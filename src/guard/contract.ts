/**
 * Guard: the one port through which a tool call passes policy, people, claim and record. Adapters for agent frameworks, proxies,
 * hooks of coding agents and programs call it; they need nothing else of Banksman. There are two implementations, the gateway in
 * the same process (`openGateway`) and the client of a server (`createClient`), and one suite that both pass
 * (`describeGuard` in `banksman/testing`).
 *
 * What MUST hold
 * - `judge` is a forecast. It opens no request, takes no claim and uses up no grant, and it doesn't bind `hold`: that judges
 *   again. A caller is told the kind and the reason, not the rules.
 * - `hold` gives a `Held` to one caller at a time, for exactly the bytes that were approved (P3, P4). It is on the record before
 *   anybody is given it. The same key again is the same hold, for when an answer was lost; another key is refused.
 * - `guard` is `hold`, run and report. Nothing runs whose lease may be over: if more than half of it has passed since the claim
 *   was sent, it is renewed first, and if that fails nothing runs.
 * - The result of a call that a person approved, and of every call with `remember`, comes after its outcome is on the record.
 *   Where that takes too long it comes with `recorded: false`, and reporting goes on in the background.
 * - After `release` the call is approved as it was before; a new hold with a new key gets it. A released key gets nothing.
 * - A call whose request ended without anybody's no (`lapsed`, `expired`, `unreachable`, or `cancelled` because facts or terms
 *   changed) is judged anew by a new `hold` or `guard` with the same call id, and asked anew where the policy asks. The one that
 *   hears of the end doesn't ask again by itself.
 * - Everything given back is plain data that JSON can carry: ids, arguments, words. The exceptions are a tool's own value and
 *   error in this process, and the signal and functions of `Held`.
 *
 * What MUST NOT happen
 * - Nothing that goes wrong ends in a run: a store that fails, a server that is away, answers garbage or has forgotten us, an abort,
 *   a revoked token. It ends in `refused` with the reason, or in `pending`.
 * - `guard` and `hold` don't reject. What is wrong with a call is a `refused` with its code.
 */

import type { ToolCall } from '../core/call.ts'
import type { Answers } from '../core/decision.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json/json.ts'
import type { Reason } from '../core/reasons/reason.ts'
import type { RequestState } from '../core/request.ts'
import type { VerdictKind } from '../core/verdict.ts'

export interface Guard {
  /** What would happen to the call now. Nothing is recorded of it but that somebody asked; nobody is asked. */
  judge(call: ToolCall<object>, options?: JudgeOptions): Promise<Judgement>
  /** Reviews, waits and claims. The caller runs the call, and says so. */
  hold<A extends object = JsonObject>(
    call: ToolCall<A>,
    options?: HoldOptions,
  ): Promise<Held<A> | Replayed<A> | NotRun>
  /** Reviews, waits, claims, runs and reports. */
  guard<T, A extends object = JsonObject>(
    call: ToolCall<A>,
    run: RunTool<T, A>,
    options?: GuardOptions,
  ): Promise<GuardResult<T, A>>
}

export interface JudgeOptions {
  signal?: AbortSignal | undefined
}

/** No more than this: whoever asks often could map the policy. */
export interface Judgement {
  kind: VerdictKind
  because: string
}

export interface HoldOptions {
  /** How long to wait for a person. Absent: as long as it takes. */
  holdMs?: number | undefined
  /** Stops waiting; a claim that is under way is given back. It doesn't stop a call that runs: cancel the request for that. */
  signal?: AbortSignal | undefined
  /** Told when a person is asked, or was asked before. The request is committed by then. */
  onAsked?: ((asked: Asked) => void) | undefined
  /**
   * The runner's own for this one call, unguessable, 1 to 256 characters; made up where it is absent. Keep it to ask again after a
   * lost answer, and don't use it again once the call may have begun to run.
   */
  key?: string | undefined
  /** What the caller can carry back to its model. People are not offered the rest. Absent: all of it. */
  can?: Can | undefined
  /**
   * The call's id is new each time the model repeats itself. If the same call of the same token, session and agent already waits
   * for a person, or is approved and unclaimed, and nobody waits for it, this one joins it instead of asking twice.
   */
  join?: boolean | undefined
  /**
   * Keeps the result with the outcome. Who makes the same call again, as the same subject, gets it (`replayed`) instead of a
   * refusal. A function says what of the value to keep. It must be JSON of at most 256 kB; otherwise only the outcome is kept.
   */
  remember?: boolean | ((value: unknown) => unknown) | undefined
  /**
   * With `false`, `remember` keeps results only where a person was asked. A call that the policy allows is then let through as
   * without `remember`: it waits for no disk, and its repetition is refused.
   */
  rememberAllowed?: boolean | undefined
}

/** `false` for what the caller has no way to carry. */
export interface Can {
  /** Arguments that a person changed. */
  edit?: boolean | undefined
  /** A person's text in place of the result. */
  respond?: boolean | undefined
  /** The reason of a no. */
  reason?: boolean | undefined
  /** The end of the whole session. */
  terminate?: boolean | undefined
}

/** `guard` makes up a key each time: whoever comes again with an old one would run the call again. */
export interface GuardOptions extends Omit<HoldOptions, 'key'> {
  /**
   * Whether a call that nobody is asked about is on disk before it runs. Without it the record is written behind, and a crash
   * within milliseconds forgets that the call was let through: for a caller who would make it again, that is twice (P4). A guard
   * over HTTP always waits.
   */
  durable?: boolean | undefined
  /** What to write down of the tool's result, in a few words. Nothing by default: results are the agent's. */
  summarize?: ((value: unknown) => string) | undefined
}

/** A request that was committed. */
export interface Asked {
  requestId: string
  state: RequestState
  /** Why the policy asks. */
  because: string
  reason?: Reason
  /** The request of the same call that ended without an answer, which this one follows. */
  predecessor?: string
  /** Who can decide, as people know them: `ana`, `the group sre`. */
  approvers?: string[]
  /** How long it stays open for an answer, from now. */
  expiresInMs?: number
  /** Where people open it, if the server says so. */
  url?: string
}

export type RunTool<T, A extends object = JsonObject> = (args: A, context: RunContext) => T | Promise<T>

export interface RunContext {
  /** Aborted when a person or the agent tells the call to stop. */
  signal: AbortSignal
  requestId?: string
  /**
   * To be thrown by a tool that pauses itself: "suspended, not failed". The claim is given back, and the same call can be held
   * again. What the tool did before is its author's to repeat safely.
   */
  release(cause: string, options?: { error?: unknown }): Error
}

/** The right to run the call, once, on these arguments. */
export interface Held<A extends object = JsonObject> {
  kind: 'held'
  /** A copy that nobody else holds. */
  arguments: A
  /** The arguments that it must run with, where a person changed them. */
  edited?: A
  /** Who approved it; the last one, where several had to. */
  by?: string
  /** Where a person was asked. */
  requestId?: string
  key: string
  /** Aborted when the call is told to stop. */
  signal: AbortSignal
  /**
   * Right before the call runs: renews a lease that may be half over. Rejects where the call must not run. `guard` does this by
   * itself.
   */
  ready(): Promise<void>
  /** Says how it ended. Resolves with true once that is on the record; with false where it takes too long. Never rejects. */
  report(outcome: HeldOutcome): Promise<boolean>
  /** Gives the call back without an outcome. Repeating it is a success. Rejects when the lease is over, or after ten times. */
  release(cause: string): Promise<void>
}

export type HeldOutcome =
  | { ok: true; value?: unknown; summary?: string | undefined }
  | { ok: false; error: unknown; summary?: string | undefined }

export type GuardResult<T, A extends object = JsonObject> =
  | (Ran<A> & { ok: true; value: T })
  | (Ran<A> & { ok: false; error: unknown })
  | Released
  | NotRun

/** Did not run, or not by this call. */
export type NotRun = Refused | Answered | Pending

/** All but `kind` only where a person was asked or a result was kept. */
interface Ran<A extends object> {
  kind: 'ran'
  requestId?: string
  /** Who approved it; the last one, where several had to. */
  by?: string
  /** The arguments that it ran with, where a person changed them. */
  edited?: A
  /** It ran before, at `ranAt`: this is the result that was kept then. */
  replayed?: true
  /** In milliseconds since the epoch. */
  ranAt?: number
  /** The outcome is not on the record yet: it could not be written in time. It is tried again meanwhile. */
  recorded?: false
}

/** What `remember` kept of an earlier run. */
export type Replayed<A extends object = JsonObject> = Ran<A> & { replayed: true; ranAt: number } & (
    | { ok: true; value: JsonValue | undefined }
    | { ok: false; error: unknown }
  )

/** The tool paused itself, and the call was given back. */
export interface Released {
  kind: 'released'
  cause: string
  /** What the tool threw, as it gave it to `context.release`. */
  error?: unknown
  requestId?: string
}

export interface Refused {
  kind: 'refused'
  /** What became of the call: `denied` by the policy, a state of the request, or `error` where we could not go on. */
  state: 'denied' | 'error' | RequestState
  code: RefusedCode
  because: string
  /** What the sentence was made of. */
  reason?: Reason
  /** Who, where a person said no. */
  by?: string
  /** Whether the same call may make sense later. A person's or the policy's no is a no. */
  mayRetry: boolean
  requestId?: string
  /** Of a call that has run: what was said of its result. */
  summary?: string
}

/** The last two: the server could not be reached, or answered something that isn't ours. */
export type RefusedCode = ErrorCode | 'denied' | RequestState | 'server_unreachable' | 'unexpected_answer'

/** A person's words take the place of the result; nothing ran. */
export interface Answered {
  kind: 'answered'
  text?: string
  answers?: Answers
  by: string
  requestId: string
}

/** Nobody has decided: the hold is over, or the caller's own signal ended it. The request goes on. */
export interface Pending {
  kind: 'pending'
  because: 'hold_over' | 'aborted'
  /** Absent where the wait ended before anybody was asked. */
  requestId?: string
}
