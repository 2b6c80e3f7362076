/** What every adapter is told about the calls that it gates, and the call that it makes of one. */

import type { AgentLineage, GivenDefinition, ToolCall } from '../core/call.ts'
import { defined } from '../core/defined.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Guard, HoldOptions } from '../guard/contract.ts'

/** `Context` is what the framework says of one call. */
export interface AdapterOptions<Context> {
  /**
   * The conversation that the calls belong to: its id, or a function that reads the id from the context. It has no default: two
   * conversations that share one would find each other's calls.
   */
  session?: string | ((context: Context) => string | undefined) | undefined
  /**
   * The call's id. The framework's own by default, which comes from the model's server. Some servers number their calls from zero in
   * every answer; give ids of your own then. An id must be the same when the framework makes the same call again.
   */
  callId?: ((context: Context) => string) | undefined
  /** Who calls, and the agents that started it, nearest last. */
  agent?: AgentLineage | undefined
  /** The session that started this one, for a sub-agent. */
  parentSession?: string | undefined
  /**
   * Keeps results, so that a framework that makes the same call again gets them instead of a refusal. Without it they are kept where
   * a person was asked, and with `pause` always: a framework that resumes makes allowed calls of the same step again. `true` keeps
   * every result, which has an allowed call wait for two writes to the disk; `false` keeps none.
   */
  remember?: boolean | undefined
  /** Told when a person is asked, or was asked before. */
  onAsked?: HoldOptions['onAsked']
  /** Told once of tools that can't be gated. `console.warn` by default. */
  warn?: ((text: string) => void) | undefined
}

/** A call as the framework gives it. */
export interface FrameworkCall<Context> {
  tool: string
  arguments: object
  /** The framework's id of it. */
  id: string | undefined
  definition: GivenDefinition | undefined
  context: Context
  /** The framework's own id of the conversation, where it has one. */
  thread?: string | undefined
}

/** At start, so that an `await` or a session that was forgotten is noticed before the first call. */
export function checkAdapter(
  guard: Pick<Guard, 'hold'>,
  options: AdapterOptions<never>,
  hasThread: boolean,
): void {
  checkGuard(guard)
  const { session } = options ?? {}
  if (typeof session === 'function' || (typeof session === 'string' && session !== '')) return
  if (session === undefined && hasThread) return
  throw new BanksmanError(
    'invalid_configuration',
    'session must be the id of the conversation, or a function that reads it from the context of a call',
  )
}

/** Whatever else is given here would refuse every call, and tell only the model. */
function checkGuard(guard: unknown): void {
  if (typeof (guard as Partial<Guard> | undefined | null)?.hold === 'function') return
  const hint =
    guard instanceof Promise ? '; this is a promise, so an `await` before `openGateway` is missing' : ''
  throw new BanksmanError(
    'invalid_configuration',
    `the first parameter must be a guard, which is what \`await openGateway(…)\` or \`createClient(…)\` gives${hint}`,
  )
}

/** Rejects where there is no session. Everything else that is wrong with a call is for the guard to refuse. */
export function toolCallOf<Context>(
  call: FrameworkCall<Context>,
  options: AdapterOptions<Context>,
): ToolCall<object> {
  const { context } = call
  const given = typeof options.session === 'function' ? options.session(context) : options.session
  const session = given ?? call.thread
  if (session === undefined || session === '') {
    throw new BanksmanError(
      'invalid_configuration',
      `the call of ${call.tool} has no session: give \`session\`, or make the function give one`,
    )
  }
  const { agent, parentSession } = options
  return {
    tool: call.tool,
    arguments: call.arguments,
    // An id that is missing is refused like every other one that is none.
    callId: options.callId === undefined ? (call.id ?? '') : options.callId(context),
    session,
    ...defined({ definition: call.definition, agent, parentSession }),
  }
}

const told = new Set<string>()

/** One warning for all tools that the adapter leaves as they are. Adapters are often made anew for each request. */
export function warnOfUngated(
  names: readonly string[],
  why: string,
  warn: AdapterOptions<never>['warn'],
): void {
  if (names.length === 0) return
  const text = `Banksman can't gate ${names.map((name) => JSON.stringify(name)).join(', ')}: ${why}. No policy and no person is asked about them.`
  if (warn !== undefined) warn(text)
  else if (!told.has(text)) console.warn(text)
  told.add(text)
}

/** What of it the guard is told. */
export function rememberingOf({
  remember,
  pause,
}: {
  remember?: boolean | undefined
  pause?: boolean | undefined
}): Pick<HoldOptions, 'remember' | 'rememberAllowed'> {
  return { remember: remember !== false, rememberAllowed: remember === true || pause === true }
}
