/**
 * Runs a hook as a program: speaks with the host over stdin and stdout until stdin ends. In a hook's own code `console.log`
 * and everything else that writes to stdout goes to stderr, which the host logs, since stdout belongs to the protocol.
 */
import type { Readable } from 'node:stream'
import type { Hook, HookCall, HookContext, HookResult } from '../hook.ts'
import type { Outlet } from '../process/line-writer.ts'
import { contextFromWire } from '../process/wire/context.ts'
import { eventContextFromWire, eventFromWire } from '../process/wire/event.ts'
import { objectAt, optionalNumber, optionalText, type WireMembers } from '../process/wire/fields.ts'
import { modelRequestFromWire } from '../process/wire/model-request.ts'
import { modelResponseFromWire } from '../process/wire/model-response.ts'
import { toolCallFromWire } from '../process/wire/tool-call.ts'
import { toolResultFromWire } from '../process/wire/tool-result.ts'
import { fromStdin, fromStream } from './read-input.ts'
import { isThenable, RpcFault, serveRpc } from './rpc-server.ts'
import {
  writeModelRequestDecision,
  writeModelResponseDecision,
  writeResultDecision,
  writeToolDecision,
} from './write-decisions.ts'

/** Absent: this process's own. */
export interface RunHookOptions {
  input?: Readable
  output?: Outlet
}

/** Resolves when the host has closed stdin, all is answered and the hook is closed. */
export async function runHook(hook: Hook & { name?: string }, options: RunHookOptions = {}): Promise<void> {
  const ended = new AbortController()
  const output = options.output ?? takeStdout()
  let isTold = false
  const complain = (about: string) => void process.stderr.write(`${about}\n`)
  const methods = methodsOf(hook, ended.signal, () => {
    if (!isTold) complain('this host tells of events in a shape that `observe` can not be given')
    isTold = true
  })
  await serveRpc({
    read: options.input === undefined ? fromStdin : fromStream(options.input),
    output,
    onEnd: () => ended.abort(),
    complain,
    handle(method, params) {
      const answer = methods.get(method)
      if (answer === undefined) throw new RpcFault(METHOD_NOT_FOUND, `this hook has no method ${method}`)
      return answer(objectAt(params ?? {}, 'params'))
    },
  })
  await hook.close?.()
  // A timer or a connection of the hook's must not keep a program that has nobody left to talk to.
  if (options.input === undefined) setTimeout(() => process.exit(), LINGER_MS).unref()
}

const METHOD_NOT_FOUND = -32601
const LINGER_MS = 500

type RpcMethod = (params: WireMembers) => unknown

/** Only those that the hook has; the others are answered as unknown. */
function methodsOf(
  hook: Hook & { name?: string },
  signal: AbortSignal,
  notOurs: () => void,
): Map<string, RpcMethod> {
  const about = (params: WireMembers): HookContext => contextFromWire(params, signal)
  const methods = new Map<string, RpcMethod>([
    ['hook.hello', ({ name }) => ({ ok: true, name: hook.name ?? name ?? '', version: 1 })],
  ])
  if (hook.beforeModel !== undefined) {
    methods.set('hook.before_llm', (params) =>
      after(hook.beforeModel!(modelRequestFromWire(params, 'params'), about(params)), (decision) =>
        writeModelRequestDecision(decision, params),
      ),
    )
  }
  if (hook.afterModel !== undefined) {
    methods.set('hook.after_llm', (params) =>
      after(
        hook.afterModel!(modelResponseFromWire(params, 'params'), about(params)),
        writeModelResponseDecision,
      ),
    )
  }
  if (hook.beforeTool !== undefined) {
    methods.set('hook.before_tool', (params) =>
      after(hook.beforeTool!(callFromWire(params), about(params)), writeToolDecision),
    )
  }
  if (hook.afterTool !== undefined) {
    methods.set('hook.after_tool', (params) => {
      const result = resultFromWire(params)
      return after(hook.afterTool!(result, about(params)), (decision) =>
        writeResultDecision(decision, result),
      )
    })
  }
  if (hook.approveTool !== undefined) {
    methods.set('hook.approve_tool', (params) => hook.approveTool!(callFromWire(params), about(params)))
  }
  if (hook.observe !== undefined) {
    const observe: RpcMethod = (params) => {
      const event = eventFromWire(params)
      return event === undefined ? notOurs() : hook.observe!(event, eventContextFromWire(params))
    }
    methods.set('hook.event', observe).set('hook.runtime_event', observe)
  }
  return methods
}

/** Without a detour over a promise where there is none. */
function after<From, To>(value: From | Promise<From>, then: (value: From) => To): To | Promise<To> {
  return isThenable(value) ? Promise.resolve(value).then(then) : then(value)
}

function callFromWire(params: WireMembers): HookCall {
  return {
    ...toolCallFromWire(params, 'params'),
    callId: optionalText(params, 'tool_call_id', 'params') ?? '',
  }
}

function resultFromWire(params: WireMembers): HookResult {
  const { media, isError, ...rest } = toolResultFromWire(
    objectAt(params.result, 'params.result'),
    'params.result',
  )
  const onShelf = media?.filter((one) => 'id' in one)
  return {
    ...callFromWire(params),
    ...rest,
    isError: isError === true,
    ...(onShelf === undefined || onShelf.length === 0 ? {} : { media: onShelf }),
    durationMs: (optionalNumber(params, 'duration', 'params') ?? 0) / 1e6,
  }
}

function takeStdout(): Outlet {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  return {
    write: (text) => write(text),
    on: (event, listener) => stdout.on(event, listener),
    get writableLength() {
      return stdout.writableLength
    },
  }
}
