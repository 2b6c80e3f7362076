/**
 * One call, asked about: from what the client wants to what it is answered, or to the right to run it. It holds the call as long as the
 * client waits, and tells it meanwhile that somebody is asked. Then the model is told to make the same call again, which joins the request.
 *
 * Nothing is decided here: whoever can change this program can go around it. What the server doesn't plainly allow doesn't run.
 */
import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { mcpToolName } from '../../core/support/mcp-names.ts'
import type { Guard, Held, NotRun, Replayed } from '../../guard/contract.ts'
import { editText, refusalText } from '../../guard/model-texts.ts'
import { errorLine, NOT_ALLOWED, notRun, progressLine, resultLine } from '../lines/answers.ts'
import type { CallDetails } from '../server-link/call-details.ts'
import { forgetOldest } from './forget-oldest.ts'
import { asObject, type GatedCall } from './gated-call.ts'
import { type PendingAsk, waitingLine } from './pending-ask.ts'
import { toolDefinition } from './tool-definition.ts'

export interface AskPorts {
  /** As its user has named the MCP server. */
  name: string
  guard: Pick<Guard, 'hold'>
  /** What goes to the server beside the call; forgotten when the call was asked about. */
  details: { set(callId: string, details: CallDetails): void; delete(callId: string): void }
  send(bytes: Buffer): Promise<void>
  progressEveryMs: number
}

export interface McpAsk {
  call: GatedCall
  session: string
  /** Under which the server knows the call. */
  callId: string
  definition: Record<string, unknown> | undefined
  client: string
  holdMs: number
  /** The client no longer waits. */
  signal: AbortSignal
  /** A person is asked. */
  onAsked(request: PendingAsk & { requestId: string }): void
}

/** `held`: it runs with these arguments. `answer`: what the client is sent. `pending`: nobody has decided. `gone`: nobody waits for it. */
export type AskResult =
  | { kind: 'held'; held: Held }
  | { kind: 'answer'; bytes: Buffer; requestId: string | undefined }
  | { kind: 'pending'; waiting: PendingAsk }
  | { kind: 'gone' }

/** More than can wait at a time. */
const MAX_TOLD = 10_000

export type AskServer = (asked: McpAsk) => Promise<AskResult>

export function createAskServer({ name, guard, details, send, progressEveryMs }: AskPorts): AskServer {
  /** What was told of each request that is waited for. */
  const told = new Map<string, PendingAsk>()

  return async ({ call, session, callId, definition, client, holdMs, signal, onAsked }) => {
    const isTool = call.method === 'tools/call'
    const tool: ToolCall = {
      tool: mcpToolName(name, call.tool),
      arguments: call.arguments,
      callId,
      session,
      agent: { name: client },
      ...(definition === undefined ? {} : { definition: toolDefinition(definition) }),
    }
    details.set(tool.callId, { method: call.method, ...defined({ definition }) })
    const progress = reportProgress(call)
    try {
      const taken = await guard.hold(tool, {
        holdMs,
        signal,
        // A model that repeats itself has a new id, also where its client says which.
        join: true,
        can: { edit: isTool },
        remember: isTool,
        rememberAllowed: false,
        onAsked: (asked) => {
          const { requestId, url, approvers, expiresInMs } = asked
          const expiresAt = expiresInMs === undefined ? undefined : Date.now() + expiresInMs
          const waiting = { requestId, url, approvers, expiresAt }
          told.set(requestId, waiting)
          forgetOldest(told, MAX_TOLD)
          onAsked(waiting)
          progress.start(waiting)
        },
      })
      if (taken.kind === 'held') return { kind: 'held', held: taken }
      if (taken.kind === 'pending') {
        const { requestId } = taken
        if (signal.aborted) return { kind: 'gone' }
        return { kind: 'pending', waiting: (requestId && told.get(requestId)) || { requestId } }
      }
      return { kind: 'answer', bytes: answerOf(call, tool.tool, taken), requestId: taken.requestId }
    } finally {
      progress.stop()
      details.delete(tool.callId)
    }
  }

  /** Clients show it, and some wait longer for it. Without a token nobody may send any. */
  function reportProgress({ progressToken }: GatedCall): { start(waiting: PendingAsk): void; stop(): void } {
    let timer: NodeJS.Timeout | undefined
    let steps = 0
    return {
      start(waiting) {
        if (progressToken === undefined || timer !== undefined) return
        const message = waitingLine(waiting)
        const tell = () => {
          // It must rise, and the server's own begins at 0 or 1.
          steps++
          send(progressLine(progressToken, steps / 1_000_000, message)).catch(() => {})
        }
        tell()
        timer = setInterval(tell, progressEveryMs)
        timer.unref()
      },
      stop: () => clearInterval(timer),
    }
  }

  function answerOf(call: GatedCall, tool: string, taken: Replayed | DecidedAsk): Buffer {
    const { id, isModern, wantsTask } = call
    if (taken.kind === 'ran') {
      if (taken.ok && isResult(taken.value)) return resultLine(id, withEdit(taken))
      const because = taken.ok ? 'it has run, and its result was not kept' : 'it has run, and it failed'
      return brokenOff(call, because, taken.requestId)
    }
    if (call.method !== 'tools/call') return errorLine(id, NOT_ALLOWED, textOf(tool, taken))
    return notRun(id, { text: textOf(tool, taken), requestId: taken.requestId, isModern, wantsTask })
  }

  function textOf(tool: string, taken: DecidedAsk): string {
    if (taken.kind === 'refused') return refusalText(tool, taken)
    return `${taken.by} answered instead, and the tool did not run: ${taken.text ?? JSON.stringify(taken.answers ?? {})}`
  }
}

type DecidedAsk = Exclude<NotRun, { kind: 'pending' }>

/** A call that did not run, in the form that its method has for it. */
export function refusal(call: GatedCall, because: string, requestId?: string): Buffer {
  return brokenOff(call, `${because}. The tool did not run`, requestId)
}

/** A call without a result that may have run, in the form that its method has for it. */
export function brokenOff(call: GatedCall, because: string, requestId?: string): Buffer {
  const { id, isModern, wantsTask, method } = call
  if (method !== 'tools/call') return errorLine(id, NOT_ALLOWED, `Banksman: ${because}`)
  return notRun(id, { text: `Banksman: ${because}.`, requestId, isModern, wantsTask })
}

/** What was kept is the tool's own answer; who hears it late must know, too, what it ran with. */
function withEdit({ value, edited, by }: Replayed & { ok: true }): unknown {
  if (edited === undefined) return value
  const note = { type: 'text', text: editText(by, edited) }
  const { content, ...rest } = value as { content: unknown[] }
  return { ...rest, content: [note, ...content] }
}

function isResult(value: unknown): boolean {
  return Array.isArray(asObject(value).content)
}
