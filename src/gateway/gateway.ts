/**
 * The gateway: all verbs on one store. It is the only writer of state, and it keeps none: what matters is in the
 * store, so a gateway can be killed at any moment.
 */
import { prepareCall } from '../core/call.ts'
import { BanksmanError } from '../core/errors.ts'
import { type Actor, MODES, type Session } from '../core/session.ts'
import { createAccountLinks } from './access/account-links.ts'
import { createFindPerson } from './access/find-person.ts'
import { createTokenValidity } from './access/token-validity.ts'
import { createTokenVerbs } from './access/tokens.ts'
import { createDecide } from './deciding/decide.ts'
import { createDecideAll } from './deciding/decide-all.ts'
import { createPendingInSession } from './deciding/pending-in-session.ts'
import { createResume } from './deciding/resume.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { Gateway } from './gateway-verbs.ts'
import { createSuggestions } from './grants/suggestions.ts'
import { createAllowedHolds } from './guarding/allowed-holds.ts'
import { createForecasts } from './guarding/forecast.ts'
import { createGuard } from './guarding/guard.ts'
import { createCancel } from './lifecycle/cancel.ts'
import { createClaimVerbs } from './lifecycle/claim.ts'
import { createDeadlines } from './lifecycle/expire.ts'
import { createReview } from './lifecycle/review.ts'
import { createWait } from './lifecycle/wait.ts'
import { createRequestDeliveries } from './live/deliver.ts'
import { createLeaseVerbs } from './live/leases.ts'
import { createPresenceKeeper } from './live/presence.ts'
import { createSharedReads } from './live/shared-reads.ts'
import { createWatcher } from './live/watch.ts'
import { createHistoryVerbs } from './reading/history.ts'
import { createPreviewEdit } from './reading/preview-edit.ts'
import { createReplay } from './reading/replay.ts'
import { createView } from './reading/view.ts'
import { createRecorder } from './record/recorder.ts'
import { createStoreReplacements, newestChains } from './record/store-replaced.ts'
import { createGatewayContext, unknownSession } from './requests/change-request.ts'
import { createReadVerbs } from './requests/read-requests.ts'
import { endSessions } from './sessions/end-sessions.ts'
import { createSessionList } from './sessions/session-list.ts'
import { evaluationContextFor } from './sessions/session-steering.ts'
import { createTurnLogVerbs } from './sessions/turn-log.ts'

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
  const sharedReads = createSharedReads(hall)
  const watcher = createWatcher(hall, sharedReads, replacements.hear)
  const { review, intercept } = createReview(hall, recorder)
  const wait = createWait(hall)
  const claims = createClaimVerbs(hall, deadlines.expireOne)
  const reads = createReadVerbs(hall)
  const accounts = createAccountLinks({ records: hall.store.records, entry: hall.entry })
  const findPerson = createFindPerson({
    links: accounts,
    directory: hall.directory,
    now: hall.store.now,
    noteAttempt: (members) =>
      hall.store.journal
        .append(hall.entry('attempt.refused', members))
        .catch((error) => hall.report({ doing: 'writing down an attempt', error })),
  })
  const decide = createDecide(hall, deadlines.expireOne, findPerson)
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
    findPerson,
    accounts,
    decide,
    decideAll,
    waiting: createPendingInSession(hall, reads),
    resume: createResume(hall, { ...reads, expireOne: deadlines.expireOne, decideAll }),
    cancel: createCancel(hall),
    expire: deadlines.expire,
    watch: watcher.watch,
    readChanged: sharedReads.read,
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
