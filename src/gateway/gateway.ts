/**
 * The gateway: all verbs on one store. It is the only writer of state, and it keeps none: what matters is in the
 * store, so a gateway can be killed at any moment.
 */
import { prepareCall, type ToolCall } from '../core/call.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Grant } from '../core/grants/grant.ts'
import type { Actor, Session } from '../core/session.ts'
import type { Judgement, JudgeOptions } from '../guard/contract.ts'
import { type Explanation, MODES } from '../policy/index.ts'
import type { Page, Presence } from '../stores/store.ts'
import { createTokenValidity, type TokenValidity } from './access/token-validity.ts'
import { type CredentialVerbs, createTokenVerbs } from './access/tokens.ts'
import { createDecide, type DecideVerb } from './deciding/decide.ts'
import { createDecideAll, type DecideAllVerb } from './deciding/decide-all.ts'
import { createPendingInSession, type PendingInSessionVerb } from './deciding/pending-in-session.ts'
import { createResume, type ResumeVerb } from './deciding/resume.ts'
import type { GatewayParts, Policy } from './gateway-parts.ts'
import { createSuggestions, type SuggestionsVerb } from './grants/suggestions.ts'
import { createAllowedHolds } from './guarding/allowed-holds.ts'
import { createForecasts } from './guarding/forecast.ts'
import { type AsActor, createGuard, type GuardVerbs } from './guarding/guard.ts'
import { type CancelVerb, createCancel } from './lifecycle/cancel.ts'
import { type ClaimVerbs, createClaimVerbs } from './lifecycle/claim.ts'
import { createDeadlines } from './lifecycle/expire.ts'
import { createReview, type InterceptVerb, type ReviewVerb } from './lifecycle/review.ts'
import { createWait, type WaitVerb } from './lifecycle/wait.ts'
import { createRequestDeliveries } from './live/deliver.ts'
import { createLeaseVerbs, type GatewayLeases } from './live/leases.ts'
import { createPresenceKeeper } from './live/presence.ts'
import { createWatcher, type WatchEvent, type WatchOptions } from './live/watch.ts'
import { createHistoryVerbs, type HistoryVerbs } from './reading/history.ts'
import { createPreviewEdit, type PreviewEditVerb } from './reading/preview-edit.ts'
import { createReplay, type ReplayVerb } from './reading/replay.ts'
import { createView, type ViewVerb } from './reading/view.ts'
import { createRecorder } from './record/recorder.ts'
import { createStoreReplacements, newestChains } from './record/store-replaced.ts'
import { createGatewayContext, unknownSession } from './requests/change-request.ts'
import { createReadVerbs, type ReadVerbs } from './requests/read-requests.ts'
import { endSessions } from './sessions/end-sessions.ts'
import { createSessionList, type SessionListVerb } from './sessions/session-list.ts'
import { evaluationContextFor } from './sessions/session-steering.ts'
import { createTurnLogVerbs, type TurnLogVerbs } from './sessions/turn-log.ts'

export interface Gateway extends GuardVerbs, ClaimVerbs, ReadVerbs {
  /** Whose calls `guard` makes where it is not told otherwise: for `review`, `claim` and `get` of the same calls. */
  readonly self: Actor
  /** The namespace this gateway serves. */
  readonly namespace: string
  readonly tokens: CredentialVerbs & Pick<TokenValidity, 'follow'>
  readonly history: HistoryVerbs
  /** What an agent of ours keeps of its conversations. */
  readonly turns: TurnLogVerbs
  /** What one of several processes on a store does for all of them. */
  readonly leases: GatewayLeases
  /** What the policy, or one that is given, says of a call, without recording or asking anything. People only. */
  explain(call: ToolCall, actor: Actor, context?: { mode?: string; policy?: Policy }): Promise<Explanation>
  /** What the policy's catalogue knows of a call's tool, for who shows the call. */
  knownTool: Policy['knownTool']
  /** What another policy would have said of the calls on record. People only. */
  replay: ReplayVerb
  review: ReviewVerb
  /** A hook's word on a call, in people's place: no, or the result. */
  intercept: InterceptVerb
  wait: WaitVerb
  decide: DecideVerb
  /** Several at once, all or none. */
  decideAll: DecideAllVerb
  /** All that waits for people in a session and in what it started. */
  waiting: PendingInSessionVerb
  /** Decides all that waits in a session in one go. */
  resume: ResumeVerb
  suggestions: SuggestionsVerb
  /** All that is needed to decide one request. People only. */
  view: ViewVerb
  /** What an edit would be, and what the policy would say of it. Nothing is recorded. */
  previewEdit: PreviewEditVerb
  cancel: CancelVerb
  /** Brings everything that is due past its deadline. Runs by itself; call it to not wait for that. */
  expire(): Promise<number>
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void>
  /** What would happen to the call now. Nothing is recorded of it but that somebody asked; nobody is asked. */
  judge(call: ToolCall<object>, options?: JudgeOptions & AsActor): Promise<Judgement>
  /** Ends a session and all it started. People only. */
  endSession(id: string, input: { reason?: string }, actor: Actor): Promise<void>
  session(id: string, actor: Actor): Promise<Session>
  /** The newest first. People only. */
  sessions: SessionListVerb
  setMode(id: string, mode: string, actor: Actor): Promise<void>
  grants(query: { limit?: number; cursor?: string }, actor: Actor): Promise<Page<Grant>>
  revokeGrant(id: string, actor: Actor): Promise<void>
  arrive(presence: Presence): Promise<{ leave(): void }>
  /** Puts on the record which policy holds from now on. `policy` is its version, where it does not hold yet. */
  notePolicy(input: { configuration: string; trust: string; policy?: string }, actor: Actor): Promise<void>
  /** Resolves when all that nobody waited for is written. */
  flush(): Promise<void>
  close(): Promise<void>
}

export async function createGateway(
  parts: GatewayParts,
  self: Actor,
  namespace = 'default',
): Promise<Gateway> {
  let closed = false
  const hall = createGatewayContext(parts, () => closed)
  const recorder = createRecorder(hall)
  const deadlines = createDeadlines(hall)
  const deliveries = createRequestDeliveries(hall)
  const presence = createPresenceKeeper(hall)
  const replacements = createStoreReplacements(hall, self.subject)
  const watcher = createWatcher(hall, replacements.hear)
  const { review, intercept } = createReview(hall, recorder)
  const wait = createWait(hall)
  const claims = createClaimVerbs(hall, deadlines.expireOne)
  const reads = createReadVerbs(hall)
  const decide = createDecide(hall, deadlines.expireOne)
  const decideAll = createDecideAll(hall, deadlines.expireOne, decide)
  const allowed = createAllowedHolds(hall, recorder.flush)
  const { flush: flushReports, ...guarding } = createGuard(
    hall,
    { review, wait, claims, allowed, recorded: recorder.flush },
    self,
  )
  const forecasts = createForecasts(hall, recorder)

  const tokens = createTokenVerbs(hall, namespace)
  const validity = createTokenValidity(hall, watcher, tokens.isValid)

  await hall.store.journal.append(
    hall.entry('chain.opened', { after: await newestChains(hall), by: self.subject }),
  )
  await watcher.start()
  deadlines.start()
  deliveries.start()
  presence.start()

  return {
    self,
    namespace,
    tokens: { ...tokens, follow: validity.follow },
    history: createHistoryVerbs(hall),
    turns: createTurnLogVerbs(hall),
    leases: createLeaseVerbs(hall),
    async explain(call, actor, { policy = hall.policy(), mode } = {}) {
      person(actor, 'have the policy explained')
      const prepared = prepareCall(call)
      const source = { remote: false, lookups: policy.lookups }
      const facts = await hall.gatherFacts?.(prepared, source)
      const session = await hall.store.sessions.get(prepared.session)
      const member = session ?? { id: prepared.session, parent: prepared.parentSession }
      const steering = policy.steering(prepared, facts)
      return policy.explain(prepared, facts, await evaluationContextFor(hall, member, mode, steering))
    },
    knownTool: (call) => hall.policy().knownTool(call),
    replay: createReplay(hall),
    review,
    intercept,
    wait,
    ...claims,
    ...reads,
    suggestions: createSuggestions(hall, reads),
    view: createView(hall, reads),
    previewEdit: createPreviewEdit(hall, reads),
    decide,
    decideAll,
    waiting: createPendingInSession(hall, reads),
    resume: createResume(hall, { ...reads, expireOne: deadlines.expireOne, decideAll }),
    cancel: createCancel(hall),
    expire: deadlines.expire,
    watch: watcher.watch,
    ...guarding,
    judge: (call, { as: actor = self } = {}) => forecasts.judge(call, actor),
    async endSession(id, input, actor) {
      person(actor, 'end a session')
      await sessionOf(id)
      await endSessions(hall, { session: id, by: actor.subject, ...input })
    },
    async session(id, actor) {
      const session = await sessionOf(id)
      if (actor.role === 'agent' && session.owner !== actor.subject) throw unknownSession(id)
      return session
    },
    sessions: createSessionList(hall),
    async setMode(id, mode, actor) {
      person(actor, 'set a mode')
      if (!(MODES as readonly string[]).includes(mode)) {
        throw new BanksmanError(
          'invalid',
          `mode must be one of ${MODES.join(', ')}; found ${JSON.stringify(mode)}`,
        )
      }
      const entry = hall.entry('session.mode', { session: id, mode, by: actor.subject })
      if (!(await hall.store.sessions.setMode(id, mode, entry))) throw unknownSession(id)
      // What a session has started follows it: a child is no way out of its parent's mode.
      for (const child of await hall.store.sessions.family(id)) {
        if (child.id === id) continue
        const entryOfChild = hall.entry('session.mode', { session: child.id, mode, by: actor.subject })
        await hall.store.sessions.setMode(child.id, mode, entryOfChild)
      }
    },
    async grants(query, actor) {
      person(actor, 'read the grants')
      return hall.store.grants.list(query)
    },
    async revokeGrant(id, actor) {
      person(actor, 'revoke a grant')
      const entry = hall.entry('grant.revoked', { grant: id, by: actor.subject })
      if (await hall.store.grants.revoke(id, actor.subject, entry)) return
      if ((await hall.store.grants.get(id)) === undefined) {
        throw new BanksmanError('unknown_id', `there is no grant ${JSON.stringify(id)}`)
      }
    },
    arrive: presence.arrive,
    async notePolicy({ configuration, trust, policy = hall.policy().version }, actor) {
      person(actor, 'put a policy into force')
      await hall.store.journal.append(
        hall.entry('policy.applied', { policy, configuration, trust, by: actor.subject }),
      )
    },
    flush,
    async close() {
      if (closed) return
      // First of all: from here on no verdict is given, so that none is missed by the last records.
      closed = true
      await flush().catch((error) => hall.report({ doing: 'writing the last records', error }))
      deadlines.stop()
      presence.stop()
      validity.stop()
      watcher.stop()
      await deliveries.stop()
      hall.waiters.close(
        new BanksmanError('closed', 'the gateway was closed while waiting; the request goes on'),
      )
      await hall.store.journal
        .append(hall.entry('chain.closed', { by: self.subject }))
        .catch((error) => hall.report({ doing: 'closing the journal', error }))
      for (const channel of hall.channels) await channel.close?.()
    },
  }

  async function flush(): Promise<void> {
    await flushReports()
    await recorder.flush()
    await forecasts.flush()
  }

  async function sessionOf(id: string): Promise<Session> {
    const session = await hall.store.sessions.get(id)
    if (session === undefined) throw unknownSession(id)
    return session
  }
}

function person(actor: Actor, what: string): void {
  if (actor.role === 'agent') throw new BanksmanError('forbidden', `an agent's credential can't ${what}`)
}
