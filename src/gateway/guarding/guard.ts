/**
 * `guard`, `hold` and `judge`: the port of `guard/contract.ts` in the process of the gateway. The tool gets a fresh copy of the
 * approved bytes (P3), runs at most once (P4), and whatever goes wrong before that ends in a refusal that says what it was (P5).
 */

import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Actor } from '../../core/session.ts'
import { HOLD_OPTIONS, misuse, misuseOfGuard } from '../../guard/check-use.ts'
import type {
  GuardOptions,
  GuardResult,
  Held,
  HoldOptions,
  NotRun,
  Replayed,
  RunTool,
} from '../../guard/contract.ts'
import type { HeldData } from '../../guard/create-held.ts'
import { isRemembered } from '../../guard/kept-result.ts'
import { describeError, ReleaseMarker, runHeld, runOnce } from '../../guard/run-held.ts'
import type { Host } from '../host.ts'
import type { ForcedAsk } from '../judging/forced-ask.ts'
import { newRunnerKey } from '../lifecycle/runner-key.ts'
import type { AllowedHolds, CallAddress } from './allowed-holds.ts'
import type { AwaitDecision } from './await-decision.ts'
import type { BeginCall } from './begin-call.ts'
import { toRefused } from './guard-result.ts'
import type { HeldReport, LiveHolds } from './live-holds.ts'
import type { ClaimedCall, TakenCall, TakeOptions } from './taken-call.ts'

/** For callers in this process, which are trusted. */
export interface AsActor {
  /** Whose call it is, where it is not that of the gateway's own agent. */
  as?: Actor | undefined
  /** A person is asked even where the policy or a grant would let the call through. A deny stays a deny. */
  asks?: ForcedAsk | undefined
  /** How long a person has to answer, where no rule says. */
  expiresInMs?: number | undefined
}

export interface GuardVerbs {
  guard<T, A extends object = JsonObject>(
    call: ToolCall<A>,
    run: RunTool<T, A>,
    options?: GuardOptions & AsActor,
  ): Promise<GuardResult<T, A>>
  hold<A extends object = JsonObject>(
    call: ToolCall<A>,
    options?: HoldOptions & AsActor,
  ): Promise<Held<A> | Replayed<A> | NotRun>
  /** The same as plain data, for a caller elsewhere, who renews, reports and releases by the other verbs. */
  take(call: ToolCall, taking: TakeInput, actor: Actor): Promise<HeldData | Replayed | NotRun>
  /** What became of a held call that nobody was asked about. `result` is what `remember` keeps. */
  reportHeld(place: CallAddress & { key: string }, ended: HeldReport, actor: Actor): Promise<void>
  /** Gives a call back by its key, whether somebody was asked about it or not, and says which request it is. */
  releaseHeld(
    place: CallAddress & { key: string },
    cause: string,
    actor: Actor,
  ): Promise<{ requestId?: string }>
}

export interface TakeInput
  extends Pick<
    TakeOptions,
    'holdMs' | 'signal' | 'can' | 'joinToken' | 'waitsFor' | 'onAsked' | 'handOver' | 'asks' | 'allowsUnruled'
  > {
  key: string
  remember?: boolean | undefined
}

/** `take` with all that is known of the claim, for the gateway's own. */
export interface TakeClaim {
  takeClaim(call: ToolCall, taking: TakeInput, actor: Actor): Promise<ClaimedCall | Replayed | NotRun>
}

export interface GuardPorts {
  begin: BeginCall
  settled: AwaitDecision
  holds: LiveHolds
  allowed: Pick<AllowedHolds, 'releaseRun'>
  host: Pick<Host, 'random' | 'trace'>
  /** Whose calls these are where the caller doesn't say. */
  self: Actor
}

/** The token of the library's own calls: they have none. */
const OWN_TOKEN = 'library'

export function createGuard({
  begin,
  settled,
  holds,
  allowed,
  host,
  self,
}: GuardPorts): GuardVerbs & TakeClaim {
  function guard<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions & AsActor = {},
  ): Promise<GuardResult<T>> {
    if (host.trace === undefined) return guardCall(call, run, options)
    return host.trace('banksman.guard', { 'banksman.tool': String(call?.tool) }, async (note) => {
      const result = await guardCall(call, run, options)
      note({ 'banksman.result': result.kind === 'refused' ? result.state : result.kind })
      return result
    })
  }

  /**
   * Not one function that awaits it all: whatever such a function has in its hands stays in memory while it waits, and a
   * person may take a day. Here nothing of the call is held but the request's id.
   */
  function guardCall<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions & AsActor,
  ): Promise<GuardResult<T>> {
    const mistake = misuseOfGuard(run, options, OWN_OPTIONS)
    if (mistake !== undefined) return Promise.resolve(mistake)
    const actor = options.as ?? self
    const runsAtOnce = !isRemembered(options, false) && options.join !== true
    // A key that somebody gives is left out: `guard` must not run again what an earlier one under that key has begun.
    const plain = { ...options, key: undefined, callId: call?.callId }
    const taking = runsAtOnce
      ? { ...plain, runsAtOnce }
      : takingOf({ ...plain, key: newRunnerKey(host), madeUp: true })
    return begin(call, actor, taking)
      .then((begun) => proceed(begun, run, taking, actor))
      .catch(toRefused)
  }

  function proceed<T>(
    begun: TakenCall,
    run: RunTool<T>,
    taking: TakeOptions & GuardOptions,
    actor: Actor,
  ): GuardResult<T> | Promise<GuardResult<T>> {
    switch (begun.kind) {
      case 'run':
        return runAtOnce(begun, run, actor)
      case 'claimed':
        return runClaimed(begun, run, taking, actor)
      case 'wait':
      case 'decided':
        return settled(begun, taking, actor).then((taken) =>
          taken.kind === 'claimed' ? runClaimed(taken, run, taking, actor) : (taken as GuardResult<T>),
        )
      default:
        return begun as GuardResult<T>
    }
  }

  async function runAtOnce<T>(
    { arguments: args, place }: Extract<TakenCall, { kind: 'run' }>,
    run: RunTool<T>,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    const result = await runOnce(run, args, { signal: NEVER })
    if (result.ok || !(result.error instanceof ReleaseMarker)) return { kind: 'ran', ...result }
    const { message: cause, error } = result.error
    try {
      await allowed.releaseRun(place, newRunnerKey(host), cause, actor)
      return { kind: 'released', cause, ...defined({ error }) }
    } catch (failure) {
      const because = `it paused itself (${cause}), and could not be given back: ${describeError(failure)}`
      return { kind: 'ran', ok: false, error: error ?? new Error(because, { cause: failure }) }
    }
  }

  function runClaimed<T>(
    claimed: ClaimedCall,
    run: RunTool<T>,
    options: TakeOptions & GuardOptions,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    return runHeld(holds.open(claimed, options, actor), run, options, toRefused)
  }

  function hold(
    call: ToolCall<object>,
    options: HoldOptions & AsActor = {},
  ): Promise<Held | Replayed | NotRun> {
    const mistake = misuse(options, HOLD_OPTIONS + OWN_OPTIONS)
    if (mistake !== undefined) return Promise.resolve(mistake)
    const actor = options.as ?? self
    const { key } = options
    const own = key === undefined ? { key: newRunnerKey(host), madeUp: true } : { key }
    const taking = takingOf({ ...options, ...own, callId: call?.callId })
    return takeCall(call, taking, actor)
      .then((taken) => (taken.kind === 'claimed' ? holds.open(taken, options, actor) : taken))
      .catch(toRefused)
  }

  /** As in `guardCall`, nothing of the call is kept while it waits. */
  function takeCall(
    call: ToolCall<object>,
    taking: TakeOptions,
    actor: Actor,
  ): Promise<ClaimedCall | Replayed | NotRun> {
    return begin(call, actor, taking).then((begun) => {
      if (begun.kind === 'run') throw new BanksmanError('internal', 'a held call has no key')
      return begun.kind === 'wait' || begun.kind === 'decided' ? settled(begun, taking, actor) : begun
    })
  }

  const takeClaim: TakeClaim['takeClaim'] = (call, input, actor) =>
    takeCall(call, { ...input, comesBack: input.handOver === undefined, callId: call.callId }, actor).catch(
      toRefused,
    )

  return {
    // The tool gets JSON of the shape that the call has. Only a schema in the definition holds a person's edit to that shape.
    guard: guard as GuardVerbs['guard'],
    hold: hold as GuardVerbs['hold'],
    takeClaim,
    take: (call, input, actor) =>
      takeClaim(call, input, actor).then((taken) => (taken.kind === 'claimed' ? taken.data : taken)),
    reportHeld: holds.report,
    releaseHeld: holds.releaseByKey,
  }
}

const NEVER = new AbortController().signal

/** Those of `AsActor`. */
const OWN_OPTIONS = ' as asks expiresInMs'

function takingOf<T extends HoldOptions>(options: T): T & TakeOptions {
  return options.join === true ? { ...options, joinToken: OWN_TOKEN } : options
}
