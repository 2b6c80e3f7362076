/**
 * The typed client of the HTTP API, for browsers and Node: what the inbox and the command line are built on.
 *
 * Nothing is sent twice by itself. Where `unreachable` leaves it open whether a call arrived, sending the same
 * again is safe: the same call id is the same call, the same key is the same claim, and one's own decision is a
 * success when it is repeated.
 */
import type { ToolCall } from '../core/call.ts'
import type { AgentDescription } from '../core/conversation.ts'
import type { RequestState } from '../core/request-state.ts'
import type { Clock } from '../core/time/clock.ts'
import type { WireCancelled, WireDecided, WireEvent, WireRevealed } from '../wire/types/answers.ts'
import type {
  CancelInput,
  ClaimInput,
  OutcomeInput,
  WireCall,
  WireClaim,
  WireRenewal,
  WireReview,
} from '../wire/types/call.ts'
import type { WireSaid, WireTurnEntry, WireTurnEvent } from '../wire/types/conversation.ts'
import type { WireDemonstration } from '../wire/types/demonstration.ts'
import type { WireExplanation, WireReplay } from '../wire/types/explanation.ts'
import type { WireGrant, WireSuggestions } from '../wire/types/grant.ts'
import type { HistoryQuery, WireHistory, WireOversight } from '../wire/types/history.ts'
import type {
  LoginCodeInput,
  TokenInput,
  WireCredential,
  WireIdentity,
  WireLoginCode,
  WireToken,
} from '../wire/types/identity.ts'
import type { WireInterrupt, WireResumed, WireResumeInput } from '../wire/types/interrupt.ts'
import type { WireChain, WireJournalEntry, WireJournalReport } from '../wire/types/journal.ts'
import type { WireNode } from '../wire/types/node.ts'
import type { WirePage } from '../wire/types/page.ts'
import type { ExplainInput, ReplayInput, WirePolicy } from '../wire/types/policy.ts'
import type { WireProgress } from '../wire/types/progress.ts'
import type { PushSubscriptionInput, WirePush } from '../wire/types/push.ts'
import type { WireDecisionInput, WireRequest } from '../wire/types/request.ts'
import type {
  StartSessionInput,
  StopInput,
  WireSession,
  WireSessionOffers,
  WireSessionRow,
  WireStartedSession,
  WireStopped,
} from '../wire/types/session.ts'
import type { PreviewInput, WirePreview, WireView } from '../wire/types/view.ts'
import { type ChatCalls, createChatCalls, createQuietHoursCalls, type QuietHoursCalls } from './chat-calls.ts'
import { createMcpCalls, type McpCalls } from './mcp-calls.ts'
import { followConversation } from './stream/follow-conversation.ts'
import { followEvents } from './stream/follow-events.ts'
import type { EventsOptions } from './stream/follow-stream.ts'
import { readLines } from './stream/read-lines.ts'
import { isClientError } from './transport/client-error.ts'
import { realClock } from './transport/real-clock.ts'
import { withTimeLimit } from './transport/time-limit.ts'
import { createTransport, type TransportOptions, type TransportRequest } from './transport/transport.ts'

export interface ClientOptions extends TransportOptions {
  token: string
  /** For the pauses between two tries, and for leases. */
  clock?: Pick<Clock, 'after'> & Partial<Clock>
  random?: () => number
  /** How long `guard` waits for the outcome to be on the record before it gives the result without that. Ten seconds. */
  recordWithinMs?: number
  /** Told of what nobody waits for, such as a lease that could not be renewed. */
  onFault?: (fault: { doing: string; error: unknown }) => void
  /** How long the server may take to answer before a call fails as `unreachable`. Absent: as long as the connection lasts. */
  withinMs?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** In place of the client's `withinMs`, for a call that is known to take longer. */
  withinMs?: number
}

export interface WaitOptions extends CallOptions {
  /** How long the server may wait for a decision before it answers. It may give up earlier; then wait again. */
  holdMs?: number
}

export interface PageQuery {
  cursor?: string
  limit?: number
}

/** What people and their programs ask a server, without running calls. */
export interface ServerCalls {
  /** Whose credential this is. */
  me(options?: CallOptions): Promise<WireIdentity>

  // The agent's side, step by step. `guard`, `hold` and `judge` do all of it.
  submit(call: ToolCall, options?: WaitOptions & { idempotencyKey?: string }): Promise<WireReview>
  /** `key` is the runner's own; keep it until the claim has come, and a repetition gets the same claim. */
  claim(id: string, input: ClaimInput, options?: CallOptions): Promise<WireClaim>
  /** Gives a claim back without an outcome: suspended, not failed. Its key never claims again. */
  release(
    id: string,
    input: { cause: string } & ({ claimId: string } | { key: string }),
    options?: CallOptions,
  ): Promise<WireRequest>
  renew(id: string, input: { claimId: string }, options?: CallOptions): Promise<WireRenewal>
  report(id: string, input: { claimId: string } & OutcomeInput, options?: CallOptions): Promise<WireRequest>
  cancel(id: string, input?: CancelInput, options?: CallOptions): Promise<WireCancelled>

  // The people's side
  /** Makes the credential that this client uses worthless, where a login gave it. */
  logOut(options?: CallOptions): Promise<void>
  /** In the order of their deadlines. `pending` unless another state, or `any`, is named. `brief`: without the arguments. */
  list(
    query?: PageQuery & { state?: RequestState | 'any'; session?: string; brief?: boolean },
    options?: CallOptions,
  ): Promise<WirePage<WireRequest> & { /** How many there are in this state. */ total?: number }>
  /** All that is needed to decide one request. */
  view(id: string, options?: CallOptions): Promise<WireView>
  /** What an edit would be, and what the policy would say of it. Nothing is recorded. */
  preview(id: string, input: PreviewInput, options?: CallOptions): Promise<WirePreview>
  get(id: string, options?: WaitOptions): Promise<WireRequest>
  /** The newest request of a call; undefined where nobody was asked about it, or it is not this credential's to see. */
  find(call: { session: string; callId: string }, options?: CallOptions): Promise<WireRequest | undefined>
  decide(id: string, input: WireDecisionInput, options?: CallOptions): Promise<WireDecided>
  /** Which grants a decision may leave behind, from narrow to wide. For who may decide. */
  suggestions(id: string, options?: CallOptions): Promise<WireSuggestions>
  /** Says what became of a call whose runner fell silent. */
  settle(id: string, input: OutcomeInput, options?: CallOptions): Promise<WireRequest>
  /** The arguments without their masks. It is on the record who looked. */
  reveal(id: string, options?: CallOptions): Promise<WireRevealed>
  events(options?: EventsOptions): AsyncGenerator<WireEvent, void>

  /**
   * The newest first. `mine`: only those that this person began. `coding`: those that work in folders, `closed` ones too. `connected`:
   * those whose calls come from outside.
   */
  sessions(
    query?: PageQuery & { mine?: boolean; coding?: boolean; closed?: boolean; connected?: boolean },
    options?: CallOptions,
  ): Promise<WirePage<WireSessionRow>>
  /** What a new coding session can be; undefined where the server has none. */
  secretary(options?: CallOptions): Promise<WireSessionOffers | undefined>
  /** Starts a coding session in a folder. */
  startSession(input: StartSessionInput, options?: CallOptions): Promise<WireStartedSession>
  /** Ends the process of a coding session and takes it off the list; the next message opens it again. */
  closeSession(id: string, options?: CallOptions): Promise<WireSession>
  session(id: string, options?: CallOptions): Promise<WireSession>
  setMode(id: string, mode: string, options?: CallOptions): Promise<WireSession>
  /** Interrupts the session's turn; the session goes on. `graceful` lets what runs finish; `hard` unless it is said. */
  stopSession(id: string, input?: StopInput, options?: CallOptions): Promise<WireStopped>
  /** Ends the session and all that it started. */
  endSession(id: string, input?: { reason?: string }, options?: CallOptions): Promise<WireSession>
  /** All that waits for people in the session and in what it started; undefined when nothing does. */
  interrupt(session: string, options?: CallOptions): Promise<WireInterrupt | undefined>
  /** Decides all of that in one go: all of it is recorded, or nothing. */
  resume(
    session: string,
    input: WireResumeInput & { actionId: string },
    options?: CallOptions,
  ): Promise<WireResumed>

  // Talking to the agent
  /** What it is; undefined where there is none. */
  agent(options?: CallOptions): Promise<AgentDescription | undefined>
  /** Begins a turn, or steers the one that runs. `agent`: whom the first message of a session is for, where there are several. */
  say(session: string, text: string, options?: CallOptions & { agent?: string }): Promise<WireSaid>
  /** What happens in it, after the event with the id `after`; absent: from now on. */
  conversation(session: string, options?: EventsOptions): AsyncGenerator<WireTurnEvent, void>
  /** How far its newest turn is. */
  progress(session: string, options?: CallOptions): Promise<WireProgress>
  /** What was kept of it. The cursor of a page is the `after` of the next. */
  turns(
    session: string,
    query?: { after?: string | number; limit?: number },
    options?: CallOptions,
  ): Promise<WirePage<WireTurnEntry>>

  grants(query?: PageQuery, options?: CallOptions): Promise<WirePage<WireGrant>>
  revokeGrant(id: string, options?: CallOptions): Promise<void>
  /** What the policy says of a call, without recording or asking anything. */
  explain(call: CallToExplain, options?: CallOptions): Promise<WireExplanation>
  /** What another policy would have said of the calls on record. */
  replay(input: ReplayInput, options?: CallOptions): Promise<WireReplay>

  /** The policy that holds, with its warnings. */
  policy(options?: CallOptions): Promise<WirePolicy>
  /** Has the changed text of the configuration file hold from now on. For the role `admin`. */
  applyPolicy(input: { digest: string }, options?: CallOptions): Promise<WirePolicy>

  /** Whether the server has the demonstration, and whether that runs. */
  demonstration(options?: CallOptions): Promise<WireDemonstration>
  /** Runs it again. `already_running` while it runs. */
  runDemonstration(options?: CallOptions): Promise<WireDemonstration>

  /** The servers that are alive on the same store. */
  nodes(options?: CallOptions): Promise<WirePage<WireNode>>

  readonly tokens: TokenCalls
  readonly push: PushCalls
  readonly chats: ChatCalls
  readonly mcp: McpCalls
  readonly quietHours: QuietHoursCalls

  /** The chains of the journal, and how long each is. */
  chains(options?: CallOptions): Promise<WirePage<WireChain>>
  journal(
    query: { chain: string; after?: number; limit?: number },
    options?: CallOptions,
  ): Promise<WirePage<WireJournalEntry>>
  verifyJournal(options?: CallOptions): Promise<WireJournalReport>
  /** The whole journal as NDJSON, a line at a time. */
  exportJournal(options?: CallOptions): AsyncGenerator<string, void>
  /** All calls, whether people were asked or not. */
  history(query?: HistoryQuery, options?: CallOptions): Promise<WireHistory>
  /** Whether people are asked well. `offset`: minutes that the reader's day begins before that of UTC. */
  oversight(query?: { days?: number; offset?: number }, options?: CallOptions): Promise<WireOversight>
  /** Calls that the policy allowed or denied. */
  calls(query?: PageQuery & { session?: string }, options?: CallOptions): Promise<WirePage<WireCall>>
}

/** Nothing is recorded, so it need not have a name. */
export type CallToExplain = Omit<ToolCall, 'callId' | 'session'> &
  Partial<Pick<ToolCall, 'callId' | 'session'>> &
  Pick<ExplainInput, 'mode' | 'text'>

export interface TokenCalls {
  create(input: TokenInput, options?: CallOptions): Promise<WireCredential>
  /** The single-use code of a login link. */
  createLogin(input: LoginCodeInput, options?: CallOptions): Promise<WireLoginCode>
  list(options?: CallOptions): Promise<WirePage<WireToken>>
  revoke(id: string, options?: CallOptions): Promise<void>
  rotate(id: string, options?: CallOptions): Promise<WireCredential>
}

export interface PushCalls {
  /** Whether the server sends pushes, and to where for this person. */
  state(options?: CallOptions): Promise<WirePush>
  subscribe(input: PushSubscriptionInput, options?: CallOptions): Promise<WirePush>
  unsubscribe(input: { endpoint: string }, options?: CallOptions): Promise<void>
}

/** Everything but the guard, which browsers have no use for. */
export function createServerCalls(options: ClientOptions): ServerCalls {
  return connectCalls(options).calls
}

/** With what they go through. */
export function connectCalls(options: ClientOptions) {
  if (typeof options.token !== 'string' || options.token === '') {
    throw new TypeError("token must be the credential, like 'bmp_…'; make one with `banksman tokens create`")
  }
  const transport = createTransport(options)
  const clock = { ...realClock, ...options.clock }
  const host = { transport, clock, random: options.random ?? Math.random }

  type Rest = Pick<TransportRequest, 'query' | 'headers'>
  const get = <T>(path: string[], how: WaitOptions = {}, rest: Rest = {}) =>
    exchange<T>({ path: ['v1', ...path], ...rest }, how)
  const send = <T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string[],
    body: unknown,
    how: WaitOptions = {},
    rest: Rest = {},
  ) => exchange<T>({ method, path: ['v1', ...path], body, ...rest }, how)

  async function exchange<T>(
    request: TransportRequest,
    { signal, holdMs = 0, ...how }: WaitOptions,
  ): Promise<T> {
    const withinMs = how.withinMs ?? options.withinMs
    if (withinMs === undefined) return transport.json<T>({ ...request, signal })
    const limit = withTimeLimit(clock, { url: transport.url, withinMs: withinMs + holdMs, signal })
    try {
      return await transport.json<T>({ ...request, signal: limit.signal })
    } finally {
      limit.release()
    }
  }
  const nothing = () => undefined

  const calls: ServerCalls = {
    me: (how) => get(['me'], how),

    submit: (call, how = {}) =>
      send('POST', ['calls'], call, how, {
        query: hold(how),
        headers: { 'idempotency-key': how.idempotencyKey },
      }),
    claim: (id, input, how) => send('POST', ['requests', id, 'claim'], input, how),
    release: (id, input, how) => send('POST', ['requests', id, 'claim', 'release'], input, how),
    renew: (id, input, how) => send('POST', ['requests', id, 'claim', 'renew'], input, how),
    report: (id, input, how) => send('POST', ['requests', id, 'outcome'], input, how),
    cancel: (id, input = {}, how) => send('POST', ['requests', id, 'cancel'], input, how),

    logOut: (how) => send('POST', ['logout'], {}, how).then(nothing),
    list: ({ brief, ...query } = {}, how) =>
      get(['requests'], how, { query: { ...query, brief: brief ? 'true' : undefined } }),
    view: (id, how) => get(['requests', id, 'view'], how),
    preview: (id, input, how) => send('POST', ['requests', id, 'preview'], input, how),
    get: (id, how = {}) => get(['requests', id], how, { query: hold(how) }),
    find: async (call, how) => {
      const query = { session: call.session, callId: call.callId, state: 'any' }
      return (await get<WirePage<WireRequest>>(['requests'], how, { query })).items[0]
    },
    decide: (id, input, how) => send('POST', ['requests', id, 'decisions'], input, how),
    suggestions: (id, how) => get(['requests', id, 'suggestions'], how),
    settle: (id, input, how) => send('POST', ['requests', id, 'settle'], input, how),
    reveal: (id, how) => send('POST', ['requests', id, 'reveal'], {}, how),
    events: (how) => followEvents(host, how),

    sessions: ({ mine, coding, closed, connected, ...query } = {}, how) =>
      get(['sessions'], how, {
        query: {
          ...query,
          mine: flag(mine),
          coding: flag(coding),
          closed: flag(closed),
          connected: flag(connected),
        },
      }),
    secretary: (how) => get<WireSessionOffers>(['secretary'], how).catch(unlessAbsent),
    startSession: (input, how) => send('POST', ['sessions'], input, how),
    closeSession: (id, how) => send('POST', ['sessions', id, 'close'], {}, how),
    session: (id, how) => get(['sessions', id], how),
    setMode: (id, mode, how) => send('PUT', ['sessions', id, 'mode'], { mode }, how),
    stopSession: (id, input = {}, how) => send('POST', ['sessions', id, 'stop'], input, how),
    endSession: (id, input = {}, how) => send('POST', ['sessions', id, 'end'], input, how),
    interrupt: (session, how) => get(['sessions', session, 'interrupt'], how),
    resume: (session, input, how) => send('POST', ['sessions', session, 'resume'], input, how),

    agent: (how) => get<AgentDescription>(['agent'], how).catch(unlessAbsent),
    say: (session, text, { agent, ...how } = {}) =>
      send('POST', ['sessions', session, 'messages'], agent === undefined ? { text } : { text, agent }, how),
    conversation: (session, how) => followConversation(host, session, how),
    progress: (session, how) => get(['sessions', session, 'progress'], how),
    turns: (session, query = {}, how) => get(['sessions', session, 'turns'], how, { query: { ...query } }),

    grants: (query = {}, how) => get(['grants'], how, { query: { ...query } }),
    revokeGrant: (id, how) => send('DELETE', ['grants', id], undefined, how).then(nothing),
    explain: (call, how) => send('POST', ['policy', 'explain'], call, how),
    replay: (input, how) => send('POST', ['policy', 'replay'], input, how),
    policy: (how) => get(['policy'], how),
    applyPolicy: (input, how) => send('POST', ['policy', 'apply'], input, how),

    demonstration: (how) => get(['demonstration'], how),
    runDemonstration: (how) => send('POST', ['demonstration'], {}, how),

    nodes: (how) => get(['nodes'], how),

    tokens: {
      create: (input, how) => send('POST', ['tokens'], input, how),
      createLogin: (input, how) => send('POST', ['login', 'codes'], input, how),
      list: (how) => get(['tokens'], how),
      revoke: (id, how) => send('DELETE', ['tokens', id], undefined, how).then(nothing),
      rotate: (id, how) => send('POST', ['tokens', id, 'rotate'], {}, how),
    },

    push: {
      state: (how) => get(['push'], how),
      subscribe: (input, how) => send('PUT', ['push', 'subscription'], input, how),
      unsubscribe: (input, how) => send('DELETE', ['push', 'subscription'], input, how).then(nothing),
    },

    mcp: createMcpCalls({ get, send }),
    chats: createChatCalls({ get, send, hold }),
    quietHours: createQuietHoursCalls({ get, send, hold }),

    chains: (how) => get(['journal', 'chains'], how),
    journal: (query, how) => get(['journal'], how, { query: { ...query } }),
    verifyJournal: (how) => get(['journal', 'verify'], how),
    async *exportJournal({ signal } = {}) {
      const headers = { accept: 'application/x-ndjson' }
      const response = await transport.open({ path: ['v1', 'journal', 'export'], headers, signal })
      if (response.body !== null) yield* readLines(response.body, transport.url, signal)
    },
    history: (query = {}, how) => get(['history'], how, { query: { ...query } }),
    oversight: (query = {}, how) => get(['oversight'], how, { query: { ...query } }),
    calls: (query = {}, how) => get(['calls'], how, { query: { ...query } }),
  }
  return { calls, host }
}

/** The server has no such part. */
function unlessAbsent(error: unknown): undefined {
  if (!isClientError(error, 'unknown_route')) throw error
}

function flag(isSet: boolean | undefined): 'true' | undefined {
  return isSet === true ? 'true' : undefined
}

function hold({ holdMs }: WaitOptions): { hold: string | undefined } {
  return { hold: holdMs === undefined ? undefined : `${Math.max(0, Math.round(holdMs))}ms` }
}
