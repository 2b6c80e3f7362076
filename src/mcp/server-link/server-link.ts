/**
 * The Banksman server, as the proxy needs it: the guard of one MCP server's calls, and what the policy hides. Everything goes below
 * `/v1/mcp/{name}`, which is all that the proxy's token is good for.
 */
import { createRemoteGuard } from '../../client/remote-guard.ts'
import { isTransientError, pause } from '../../client/stream/stream-connection.ts'
import { backOffMs } from '../../client/transport/back-off.ts'
import { isClientError } from '../../client/transport/client-error.ts'
import { realClock } from '../../client/transport/real-clock.ts'
import type { TransportRequest } from '../../client/transport/transport.ts'
import { messageOf } from '../../core/errors.ts'
import { isMcpServerName } from '../../core/support/mcp-names.ts'
import { startStopwatch } from '../../core/time/clock.ts'
import type { Guard } from '../../guard/contract.ts'
import type { GatedCall } from '../calls/gated-call.ts'
import type { CallDetails } from './call-details.ts'
import type { JsonTransport } from './exchange.ts'
import { createJoinOutcomes, type OutcomeAnswers } from './join-outcomes.ts'

export interface ServerLink {
  guard: Pick<Guard, 'hold' | 'judge'>
  details: Map<string, CallDetails>
  /** Those that the policy denies by name. Empty where the server can't say. */
  hidden(names: readonly string[]): Promise<ReadonlySet<string>>
  /** What a client comes back with by itself. `inner`: the MCP server's own. */
  makeState(pending: StatedCall, inner?: string): Promise<string>
  /** What the client has come back with stands for. Rejects where it is not for this call, or was used. */
  useState(pending: Pick<StatedCall, 'call' | 'session'>, requestState: string): Promise<UsedState>
  /** Nobody will make the call again: the client has gone, unless there is another reason. */
  withdraw(requestId: string, reason?: string): Promise<void>
}

export interface StatedCall {
  call: Pick<GatedCall, 'tool' | 'arguments'>
  session: string
  callId: string
  rounds: number
}

export interface UsedState {
  callId: string
  rounds: number
  inner?: string
}

export interface ServerLinkOptions {
  name: string
  exchange: JsonTransport
  /** The command and its words behind the proxy, or the address. */
  program: readonly string[]
  note(text: string): void
}

const SHORT_MS = 3_000
const PATIENCE_MS = 5_000

export function createServerLink({ name, exchange, program, note }: ServerLinkOptions): ServerLink {
  if (!isMcpServerName(name)) throw new TypeError(`${JSON.stringify(name)} is not the name of an MCP server`)
  const details = new Map<string, CallDetails>()

  /** A guard speaks to `/v1`; this one to what is below the name of its server. */
  const transport: JsonTransport = {
    get url() {
      return exchange.url
    },
    async json<T>(sent: TransportRequest): Promise<T> {
      const [version, ...path] = sent.path
      if (path.join('/') === 'holds/outcome') return (await reportOutcome(sent.body, sent.signal)) as T
      const body = path.length === 1 && path[0] === 'holds' ? withDetails(sent.body) : sent.body
      return exchange.json<T>({ ...sent, body, path: [version!, 'mcp', name, ...path] })
    },
  }

  const reportOutcome = createJoinOutcomes((outcomes, signal) =>
    exchange.json<OutcomeAnswers>({
      method: 'POST',
      path: ['v1', 'mcp', name, 'holds', 'outcomes'],
      body: { outcomes },
      signal,
    }),
  )

  /** Again and again while the failure may pass. */
  async function postPatiently<T>(path: string[], body: object): Promise<T> {
    const elapsed = startStopwatch(realClock)
    for (let failures = 1; ; failures++) {
      try {
        return await post<T>(path, body)
      } catch (error) {
        const isPassing = isClientError(error) ? isTransientError(error) : isTimeout(error)
        if (!isPassing || elapsed() >= PATIENCE_MS) throw error
        await pause(realClock, backOffMs(failures, Math.random()), undefined)
      }
    }
  }

  const post = <T>(path: string[], body: object): Promise<T> =>
    exchange.json<T>({
      method: 'POST',
      path: ['v1', 'mcp', name, ...path],
      body,
      signal: AbortSignal.timeout(SHORT_MS),
    })

  function withDetails(body: unknown): unknown {
    const { call } = body as { call: { callId: string } }
    return { ...(body as object), mcp: { ...details.get(call.callId), program } }
  }

  return {
    guard: createRemoteGuard({
      transport,
      clock: realClock,
      random: Math.random,
      recordWithinMs: 10_000,
      patienceMs: PATIENCE_MS,
      onFault: ({ doing, error }) => note(`${doing} failed: ${messageOf(error)}`),
    }),
    details,
    async hidden(tools) {
      try {
        const { hidden } = await post<{ hidden: string[] }>(['tools'], { tools })
        return new Set(hidden)
      } catch (error) {
        note(
          `all tools are listed; what the policy denies is refused when it is called (${messageOf(error)})`,
        )
        return new Set()
      }
    },
    async makeState({ call: { tool, arguments: args }, session, callId, rounds }, inner) {
      const body = { session, tool, arguments: args, callId, rounds: rounds + 1, inner }
      const { requestState } = await postPatiently<{ requestState: string }>(['states'], body)
      return requestState
    },
    useState: ({ call: { tool, arguments: args }, session }, requestState) =>
      postPatiently<UsedState>(['states', 'use'], { session, tool, arguments: args, requestState }),
    async withdraw(requestId, reason = 'its client has gone') {
      await post(['requests', requestId, 'cancel'], { reason }).catch((error) =>
        note(`${requestId} stays open until it expires (${messageOf(error)})`),
      )
    },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
