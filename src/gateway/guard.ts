/**
 * `guard`: review, wait, claim, run, report, in one call. The tool gets a fresh copy of the approved bytes (P3), runs
 * at most once (P4), and whatever goes wrong before that ends in a refusal that says what it was (P5). Of a call that a
 * person approved the result is given back when its outcome is on the record (P10).
 */
import { contentOf, type ToolCall } from '../core/call.ts'
import { BanksmanError, isBanksmanError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Request } from '../core/request.ts'
import type { Actor } from '../core/session.ts'
import { isStoreFault } from './cancel.ts'
import type { Claimed, ClaimVerbs } from './claim.ts'
import { concluded, type GuardResult, type Refused, refusedBy } from './guard-result.ts'
import type { Hall } from './hall.ts'
import type { ReviewVerb } from './review.ts'
import type { WaitVerb } from './wait.ts'

export type RunTool<T, A extends object = JsonObject> = (
  args: A,
  context: { signal: AbortSignal; request?: Request },
) => T | Promise<T>

export interface GuardOptions {
  /** How long to wait for a person. Absent: as long as it takes. */
  holdMs?: number | undefined
  /** Stops waiting. It does not stop a tool that already runs: cancel the request for that. */
  signal?: AbortSignal | undefined
  /** Whose call it is. */
  as?: Actor | undefined
  /** Told when a person is asked, or was asked before: the request is committed by then. */
  onAsked?: ((request: Request) => void) | undefined
  /**
   * Whether a call that nobody is asked about is on disk before it runs. Without it the record is written behind, and a crash
   * within milliseconds forgets that the call was let through: for a caller who would make it again, that is twice (P4).
   */
  durable?: boolean | undefined
  /** What to write down of the tool's result, in a few words. Nothing by default: results are the agent's. */
  summarize?: ((value: unknown) => string) | undefined
}

type Begun =
  | Refused
  | { kind: 'run'; arguments: JsonObject }
  | { kind: 'wait'; id: string; tool: string }
  | { kind: 'decided'; request: Request }

export interface GuardVerbs {
  review: ReviewVerb
  wait: WaitVerb
  claims: ClaimVerbs
  /** Resolves when all calls that were let through are on disk. */
  recorded(): Promise<void>
}

export function createGuard(hall: Hall, verbs: GuardVerbs, self: Actor) {
  /** Reports that could not be written yet; `flush` waits for them. */
  const reports = new Set<Promise<boolean>>()

  function guard<T, A extends object = JsonObject>(
    call: ToolCall<A>,
    typed: RunTool<T, A>,
    options: GuardOptions = {},
  ): Promise<GuardResult<T, A>> {
    // What the tool is given is JSON, and has the shape of what was asked for; a person who edits keeps to its schema.
    const run = typed as unknown as RunTool<T>
    return guardAny(call, run, options) as Promise<GuardResult<T, A>>
  }

  function guardAny<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions,
  ): Promise<GuardResult<T>> {
    if (hall.trace === undefined) return guardCall(call, run, options)
    return hall.trace('banksman.guard', { 'banksman.tool': String(call?.tool) }, async (note) => {
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
    options: GuardOptions,
  ): Promise<GuardResult<T>> {
    const actor = options.as ?? self
    return begin(call, actor, options)
      .then((begun) => proceed(begun, run, options, actor))
      .catch(refusedBy)
  }

  async function begin(
    call: ToolCall<object>,
    actor: Actor,
    { onAsked, durable }: GuardOptions,
  ): Promise<Begun> {
    const { verdict, request, repeated, arguments: args, record } = await verbs.review(call, actor)
    if (request !== undefined) {
      onAsked?.(request)
      if (request.state !== 'pending') return { kind: 'decided', request }
      return { kind: 'wait', id: request.id, tool: request.tool }
    }
    if (verdict.kind === 'deny') {
      return { kind: 'refused', state: 'denied', code: 'denied', because: verdict.because, mayRetry: false }
    }
    if (!repeated) {
      if (durable !== true) return { kind: 'run', arguments: args }
      await verbs.recorded()
      const result = record?.result
      if (record === undefined || result?.kind === 'recorded') return { kind: 'run', arguments: args }
      // The session was ended meanwhile, or another process has let it through: it is not ours to run (P4).
      if (result?.kind === 'refused') {
        const code = result.code === 'not_yours' ? 'not_yours' : 'session_ended'
        const because = `session ${JSON.stringify(call.session)} ${code === 'not_yours' ? 'belongs to someone else' : 'was ended'}; nothing was run`
        return { kind: 'refused', state: 'error', code, because, mayRetry: false }
      }
    }
    const because = 'a call with this id was let through before and may have run; give a new call a new id'
    return { kind: 'refused', state: 'error', code: 'already_claimed', because, mayRetry: false }
  }

  function proceed<T>(
    begun: Begun,
    run: RunTool<T>,
    options: GuardOptions,
    actor: Actor,
  ): GuardResult<T> | Promise<GuardResult<T>> {
    switch (begun.kind) {
      case 'refused':
        return begun
      case 'run':
        return runOnce(run, begun.arguments, { signal: NEVER })
      case 'decided':
        return conclude(begun.request, run, options, actor)
      case 'wait':
        return waitFor(begun.id, begun.tool, options).then((request) =>
          conclude(request, run, options, actor),
        )
    }
  }

  async function conclude<T>(
    request: Request,
    run: RunTool<T>,
    options: GuardOptions,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    if (request.state === 'pending') {
      return { kind: 'pending', because: options.signal?.aborted ? 'aborted' : 'hold_over', request }
    }
    if (request.state !== 'approved') return concluded(request)
    const key = Buffer.from(hall.random.bytes(16)).toString('hex')
    const { digest } = request.progress.approved!
    let claimed: Claimed
    try {
      claimed = await verbs.claims.claim(request.id, { digest, key }, actor)
    } catch (error) {
      if (!isBanksmanError(error, 'already_claimed')) throw error
      // Somebody else was faster: what became of it is said with the request.
      return concluded(await verbs.wait(request.id, { holdMs: 0 }))
    }
    return runClaimed(claimed, run, options, actor)
  }

  /** Who stops waiting is given the request as it is; the request itself goes on. */
  function waitFor(id: string, tool: string, { holdMs, signal }: GuardOptions): Promise<Request> {
    const hold = {
      ...(holdMs === undefined ? {} : { holdMs }),
      ...(signal === undefined ? {} : { signal }),
    }
    const wait = () =>
      signal === undefined
        ? verbs.wait(id, hold)
        : verbs
            .wait(id, hold)
            .catch((error) => (signal.aborted ? verbs.wait(id, { holdMs: 0 }) : Promise.reject(error)))
    if (hall.trace === undefined) return wait()
    return hall.trace('banksman.wait', { 'banksman.request': id, 'banksman.tool': tool }, wait)
  }

  async function runClaimed<T>(
    claimed: Claimed,
    run: RunTool<T>,
    options: GuardOptions,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    const { request, claimId } = claimed
    const controller = new AbortController()
    hall.running.set(request.id, { controller, by: actor.subject, request })
    const renewal = renewWhileRunning(request.id, claimId, actor, controller)
    let result: GuardResult<T> & { kind: 'ran' }
    try {
      result = await runOnce(run, claimed.arguments, { signal: controller.signal, request })
    } finally {
      renewal.stop()
      hall.running.delete(request.id)
      hall.stopped.delete(request.id)
    }
    const summary = result.ok ? summaryOf(options, result.value) : describeError(result.error)
    const reporting = report(request.id, claimId, result.ok, summary, actor)
    reports.add(reporting)
    reporting.finally(() => reports.delete(reporting))
    const isRecorded = await inTime(reporting)
    const { decision, approved } = request.progress
    return {
      ...result,
      requestId: request.id,
      ...(decision === undefined ? {} : { by: decision.by }),
      ...(approved?.bytes === undefined ? {} : { edited: contentOf(approved.bytes).arguments }),
      ...(isRecorded ? {} : { recorded: false }),
    }
  }

  /** False where it takes too long: it goes on, and nobody waits for it. */
  function inTime(reporting: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = hall.clock.after(hall.settings.recordWithinMs, () => resolve(false))
      reporting.then((isRecorded) => {
        timer.cancel()
        resolve(isRecorded)
      })
    })
  }

  function renewWhileRunning(id: string, claimId: string, actor: Actor, controller: AbortController) {
    const every = hall.settings.leaseMs / 3
    let timer = hall.clock.after(every, renew)
    let stopped = false
    function renew(): void {
      verbs.claims.renew(id, claimId, actor).then(
        ({ stop, request }) => {
          if (stop)
            controller.abort(new BanksmanError('cancelled', `stopped by ${request.progress.stop?.by}`))
          if (!stopped) timer = hall.clock.after(every, renew)
        },
        (error) => {
          // The tool runs on: it can't be called back. A late report will still be taken.
          hall.report({ doing: `renewing the lease of ${id}`, error })
          if (!stopped && isStoreFault(error)) timer = hall.clock.after(every, renew)
        },
      )
    }
    return {
      stop() {
        stopped = true
        timer.cancel()
      },
    }
  }

  /** Whether it is on the record. Never rejects. */
  async function report(
    id: string,
    claimId: string,
    ok: boolean,
    summary: string | undefined,
    actor: Actor,
  ): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await verbs.claims.report(
          id,
          { claimId, outcome: ok ? 'ok' : 'error', ...(summary === undefined ? {} : { summary }) },
          actor,
        )
        return true
      } catch (error) {
        hall.report({ doing: `reporting the outcome of ${id}`, error })
        if (!isStoreFault(error) || hall.closed() || attempt >= MAX_REPORTS) return false
        await new Promise<void>((resolve) => hall.clock.after(REPORT_RETRY_MS, resolve))
      }
    }
  }

  return {
    guard,
    async flush(): Promise<void> {
      await Promise.all(reports)
    },
  }
}

const NEVER = new AbortController().signal
const REPORT_RETRY_MS = 1000
/** Ten minutes of trying. After that the outcome is unknown, and a person sees it. */
const MAX_REPORTS = 600

async function runOnce<T>(
  run: RunTool<T>,
  args: JsonObject,
  context: { signal: AbortSignal; request?: Request },
): Promise<GuardResult<T> & { kind: 'ran' }> {
  try {
    return { kind: 'ran', ok: true, value: await run(args, context) }
  } catch (error) {
    return { kind: 'ran', ok: false, error }
  }
}

/** The tool has run, whatever becomes of its summary. */
function summaryOf({ summarize }: GuardOptions, value: unknown): string | undefined {
  try {
    return summarize?.(value)
  } catch (error) {
    return `(no summary: ${describeError(error)})`
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
