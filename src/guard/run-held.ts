/** From a hold to a result: runs the tool once, then reports, or gives the call back where the tool paused itself. */
import { defined } from '../core/defined.ts'
import type { JsonObject } from '../core/json/json.ts'
import type { GuardOptions, GuardResult, Refused, RunContext, RunTool } from './contract.ts'
import type { LiveHeld } from './create-held.ts'
import { isRemembered } from './kept-result.ts'

/** `refuse` says in the caller's words why the call must not run after all. */
export async function runHeld<T>(
  held: LiveHeld,
  run: RunTool<T>,
  options: GuardOptions,
  refuse: (error: unknown) => Refused,
): Promise<GuardResult<T>> {
  const { requestId } = held
  const about = requestId === undefined ? {} : { requestId }
  try {
    await held.ready()
  } catch (error) {
    // It never ran, so the claim is given back: otherwise its outcome would stay unknown. Nobody waits for that.
    held.release('it could not be run in time').catch(() => held.drop())
    return { ...refuse(error), ...about }
  }
  // The tool has its own copy: what it does to its arguments does nothing to what is said of them.
  const result = await runOnce(run, held.arguments, { signal: held.signal, ...about })
  if (!result.ok && result.error instanceof ReleaseMarker) {
    const { message: cause, error } = result.error
    const failed = await held.release(cause).then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    )
    if (failed === undefined) return { kind: 'released', cause, ...defined({ error }), ...about }
    const summary = `it paused itself (${cause}), and could not be given back: ${describeError(failed.reason)}`
    return finish({ ...result, error: error ?? new Error(summary) }, summary)
  }
  return finish(result, result.ok ? summaryOf(options, result.value) : describeError(result.error))

  async function finish(ended: Ended<T>, summary: string | undefined): Promise<GuardResult<T>> {
    const reporting = held.report({ ...ended, summary })
    // Nobody was asked, and nobody will ask for the result: its end is told without being waited for.
    const isAwaited = requestId !== undefined || isRemembered(options, false)
    const isRecorded = isAwaited ? await reporting : true
    return {
      kind: 'ran',
      ...ended,
      ...about,
      ...defined({ by: held.by, edited: held.edited }),
      ...(isRecorded ? {} : { recorded: false }),
    }
  }
}

type Ended<T> = { ok: true; value: T } | { ok: false; error: unknown }

/** As much as a release takes. */
const MAX_CAUSE = 256

/** What `context.release` gives a tool to throw. */
export class ReleaseMarker extends Error {
  readonly error: unknown

  constructor(cause: string, error: unknown) {
    super(String(cause).toWellFormed().slice(0, MAX_CAUSE).toWellFormed() || 'no reason was given')
    this.name = 'ReleaseMarker'
    this.error = error
  }
}

export async function runOnce<T>(
  run: RunTool<T>,
  args: JsonObject,
  context: Omit<RunContext, 'release'>,
): Promise<Ended<T>> {
  try {
    const release: RunContext['release'] = (cause, { error } = {}) => new ReleaseMarker(cause, error)
    return { ok: true, value: await run(args, { ...context, release }) }
  } catch (error) {
    return { ok: false, error }
  }
}

/** The tool has run, whatever becomes of its summary. */
function summaryOf({ summarize }: GuardOptions, value: unknown): string | undefined {
  try {
    const summary: unknown = summarize?.(value)
    return summary === undefined ? undefined : String(summary)
  } catch (error) {
    return `(no summary: ${describeError(error)})`
  }
}

/** Whatever was thrown, and whatever its own code does when it is looked at. */
export function describeError(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } catch {
    return 'an error that could not be read'
  }
}
