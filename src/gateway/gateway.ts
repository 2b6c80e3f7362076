/**
 * The gateway: all verbs on one store. It is the only writer of state, and it keeps none: what matters is in the
 * store, so a gateway can be killed at any moment.
 *
 * This file is the only one that sees everything. It reads from top to bottom: the ports that verbs share, the verbs, who
 * hears of which change, and then the start. Nobody is handed more than the ports that it uses.
 */
import { BanksmanError } from '../core/errors.ts'
import type { Actor } from '../core/session.ts'
import { createAccountLinks } from './access/account-links.ts'
import { createAccountNews } from './access/account-news.ts'
import { createRecordWaits } from './access/await-record.ts'
import { createFindPerson } from './access/find-person.ts'
import { createHookSightings } from './access/hook-sightings.ts'
import { createLinking } from './access/linking.ts'
import { createMcpPins } from './access/mcp-pins.ts'
import { createMcpStates } from './access/mcp-states.ts'
import { createOwnAccounts } from './access/own-accounts.ts'
import { createQuietHours } from './access/quiet-hours.ts'
import { createRecordCounts } from './access/record-counts.ts'
import { createRevokeTokens } from './access/revoke-tokens.ts'
import { createTestCards } from './access/test-cards.ts'
import { createTokenValidity } from './access/token-validity.ts'
import { createTokenVerbs } from './access/tokens.ts'
import { createDecide } from './deciding/decide.ts'
import { createDecideAll } from './deciding/decide-all.ts'
import { createPendingInSession } from './deciding/pending-in-session.ts'
import { createPrepareDecision } from './deciding/prepare-decision.ts'
import { createResume } from './deciding/resume.ts'
import { checkedSettings, DEFAULT_SETTINGS, type GatewayParts } from './gateway-parts.ts'
import type { Gateway } from './gateway-verbs.ts'
import { createGrantVerbs } from './grants/grant-verbs.ts'
import { createSuggestions } from './grants/suggestions.ts'
import { createGrantUses } from './grants/use-grants.ts'
import { createAllowedHolds } from './guarding/allowed-holds.ts'
import { createAwaitDecision } from './guarding/await-decision.ts'
import { createBeginCall } from './guarding/begin-call.ts'
import { createConcludeCall } from './guarding/conclude-call.ts'
import { createForecasts } from './guarding/forecast.ts'
import { createGuard } from './guarding/guard.ts'
import { createHandOver } from './guarding/hand-over.ts'
import { createHandedOverVerbs } from './guarding/handed-over-calls.ts'
import { createLiveHolds } from './guarding/live-holds.ts'
import { createHost } from './host.ts'
import { createJudge } from './judging/judge.ts'
import { createPolicyVerbs } from './judging/policy-verbs.ts'
import { createCancel } from './lifecycle/cancel.ts'
import { createClaimVerbs } from './lifecycle/claim.ts'
import { createEndRequests } from './lifecycle/end-requests.ts'
import { createDeadlines } from './lifecycle/expire.ts'
import { createJoins } from './lifecycle/join-request.ts'
import { createOpenRequest } from './lifecycle/open-request.ts'
import { createReview } from './lifecycle/review.ts'
import { createStartAfresh } from './lifecycle/start-afresh.ts'
import { createWait } from './lifecycle/wait.ts'
import { createConnections } from './live/connections.ts'
import { createRequestDeliveries } from './live/deliver.ts'
import { createLeaseVerbs } from './live/leases.ts'
import { createReachability } from './live/reach.ts'
import { createSharedReads } from './live/shared-reads.ts'
import { createUnreachableCheck } from './live/unreachable-check.ts'
import { createWatcher } from './live/watch.ts'
import { createHistoryVerbs } from './reading/history.ts'
import { createPreviewEdit } from './reading/preview-edit.ts'
import { createReplay } from './reading/replay.ts'
import { createView } from './reading/view.ts'
import { createJournalWriter } from './record/journal-writer.ts'
import { createRecorder } from './record/recorder.ts'
import { createStoreReplacements, newestChains } from './record/store-replaced.ts'
import { createAuthority } from './requests/authority.ts'
import { createChangeNews } from './requests/change-news.ts'
import { createRequestChanges } from './requests/change-request.ts'
import { createReadVerbs } from './requests/read-requests.ts'
import { createRunningCalls } from './requests/running-calls.ts'
import { createUncovering } from './requests/uncover.ts'
import { createWaiters } from './requests/waiters.ts'
import { createEndSessions } from './sessions/end-sessions.ts'
import { createSessionModes } from './sessions/session-modes.ts'
import { createSessionSightings } from './sessions/session-sightings.ts'
import { createSessionSteering } from './sessions/session-steering.ts'
import { createSessionVerbs } from './sessions/session-verbs.ts'
import { createTurnLogVerbs } from './sessions/turn-log.ts'

export async function createGateway(
  parts: GatewayParts,
  self: Actor,
  namespace = 'default',
): Promise<Gateway> {
  let closed = false
  const { store, chain, policy, gatherFacts, directory, refreshDirectory, channels, readText } = parts
  const settings = checkedSettings({ ...DEFAULT_SETTINGS, ...parts.settings })
  const { presenceMs } = settings

  // Ports: what several verbs share.
  const host = createHost(parts, () => closed)
  const replacements = createStoreReplacements({ store, chain, host, by: self.subject })
  const journal = createJournalWriter({ store, chain, policy, noticeLoss: replacements.noticeLoss })
  const news = createChangeNews()
  const waiters = createWaiters()
  const running = createRunningCalls()
  const changes = createRequestChanges({ store, journal, news, host })
  const { recent } = changes
  const authority = createAuthority({ directory, refreshDirectory, store, journal, host })
  const steering = createSessionSteering({ store, host })
  const modes = createSessionModes(parts.modes)
  const judge = createJudge({ policy, gatherFacts, channels, store, steering, modes })
  const uncovering = createUncovering({ policy, channels, store, journal, changes })
  const connections = createConnections({ store, host, presenceMs })
  const reachability = createReachability({ channels, authority, connections, store })
  const recorder = createRecorder({ store, journal, host })
  const recorded = recorder.flush
  const joins = createJoins({ store, host })
  const grants = createGrantUses({ policy, store, journal, host })

  // What runs by itself.
  const deadlines = createDeadlines({ store, changes, host })
  const { expireOne } = deadlines
  const deliveries = createRequestDeliveries({ channels, connections, policy, store, host })
  const unreachable = createUnreachableCheck({
    store,
    changes,
    reachability,
    connections,
    channels,
    host,
    presenceMs,
  })
  const sharedReads = createSharedReads({ store, recent, directory, policy })
  const watcher = createWatcher({
    store,
    journal,
    waiters,
    running,
    recent,
    sharedReads,
    host,
    onForeign: deliveries.lookSoon,
    onReplaced: replacements.hear,
  })

  // Verbs, from a call to its outcome.
  const openRequest = createOpenRequest({
    policy,
    store,
    journal,
    changes,
    reachability,
    joins,
    channels,
    host,
    settings,
  })
  const { review, intercept } = createReview({
    policy,
    store,
    judge,
    journal,
    recorder,
    grants,
    joins,
    openRequest,
    host,
  })
  const wait = createWait({ store, waiters, recent, host })
  const claims = createClaimVerbs({
    store,
    changes,
    running,
    judge,
    authority,
    host,
    settings,
    expireOne,
    beforeClaim: parts.beforeClaim,
  })
  const cancel = createCancel({ store, changes, running, waiters, authority, host })
  const reads = createReadVerbs({ store, recent, authority, uncovering })
  const endSessions = createEndSessions({ store, changes, journal })
  const prepare = createPrepareDecision({ judge, store, host, authority, uncovering, settings })
  const accountNews = createAccountNews(channels, host)
  const accounts = createAccountLinks({ records: store.records, entry: journal.entry, news: accountNews })
  const findPerson = createFindPerson({
    links: accounts,
    directory,
    refresh: refreshDirectory,
    now: store.now,
    noteAttempt: (members) =>
      store.journal
        .append(journal.entry('attempt.refused', members))
        .catch((error) => host.report({ doing: 'writing down an attempt', error })),
  })
  const counts = createRecordCounts(store)
  const waits = createRecordWaits(host.clock)
  const linking = createLinking({
    store,
    host,
    links: accounts,
    counts,
    waits,
    news: accountNews,
    directory,
    refresh: refreshDirectory,
  })
  const decide = createDecide({ store, changes, findPerson, prepare, endSessions, expireOne, host })
  const decideAll = createDecideAll({ store, changes, prepare, decide, expireOne, host })
  const allowed = createAllowedHolds({ store, journal, recorded, host })
  const begin = createBeginCall({ judge, grants, store, directory, review, joins, allowed, recorded, host })
  const conclude = createConcludeCall({ store, claims, wait, host })
  const settled = createAwaitDecision({ wait, conclude, joins, host })
  const holds = createLiveHolds({ store, claims, allowed, joins, running, host, settings })
  const { takeClaim, ...guarding } = createGuard({ begin, settled, holds, allowed, host, self })
  const forecasts = createForecasts({ judge, grants, store, journal, recorder, host })
  const endRequests = createEndRequests(store, changes)
  const tokens = createTokenVerbs({ store, journal, host, namespace })
  const sessionSightings = createSessionSightings({ store, host })
  const validity = createTokenValidity({ store, host, watcher, isValid: tokens.isValid })

  // Who hears what a request has become, in this order: nobody waits longer than they must (P7).
  news.subscribe(waiters.wake)
  news.subscribe(running.stopIfAsked)
  news.subscribe(({ deadline }) => deadline !== null && deadlines.schedule(deadline))
  news.subscribe((_, isToShow) => isToShow && deliveries.look())

  // Start
  const opened = { after: await newestChains(store), by: self.subject }
  await store.journal.append(journal.entry('chain.opened', opened))
  await watcher.start()
  deadlines.start()
  deliveries.start()
  unreachable.start()

  return {
    self,
    namespace,
    tokens: { ...tokens, ...createRevokeTokens(tokens, store, endRequests), follow: validity.follow },
    hookSightings: createHookSightings({ store, host }),
    sessionSightings,
    mcpPins: createMcpPins({ store, journal }),
    mcpStates: createMcpStates({ store, host }),
    history: createHistoryVerbs({ policy, store, journal, host }),
    turns: createTurnLogVerbs({ store, journal }),
    leases: createLeaseVerbs({ store, host, own: chain.chain }),
    ...createPolicyVerbs({ judge, store, journal }),
    ...createGrantVerbs({ store, journal }),
    ...createSessionVerbs({ store, journal, modes, endSessions, sightings: sessionSightings }),
    replay: createReplay({ judge, store, host }),
    review,
    intercept,
    wait,
    ...claims,
    ...reads,
    suggestions: createSuggestions({ judge, store, host, authority, reads }),
    view: createView({ reads, authority, judge, store, host, readText }),
    previewEdit: createPreviewEdit({ reads, authority, judge, store, host, readText }),
    findPerson,
    accounts: {
      ...accounts,
      own: createOwnAccounts({ links: accounts, directory }),
      linking,
      tests: createTestCards({ store, host, counts, waits, findPerson }),
    },
    quietHours: createQuietHours({ records: store.records, directory }),
    decide,
    decideAll,
    waiting: createPendingInSession(store, reads),
    resume: createResume({ store, authority, reads, expireOne, decideAll }),
    cancel,
    startAfresh: createStartAfresh({
      store,
      requests: endRequests,
      journal,
      tokens,
      grants: createGrantVerbs({ store, journal }),
      accounts,
    }),
    expire: deadlines.expire,
    watch: watcher.watch,
    readChanged: sharedReads.read,
    ...guarding,
    handOver: createHandOver({
      store,
      guarding: { takeClaim, releaseHeld: guarding.releaseHeld },
      directory,
      host,
    }),
    ...createHandedOverVerbs({ store, claims, holds, changes, host }),
    judge: (call, { as: actor = self } = {}) => forecasts.judge(call, actor),
    async arrive(presence) {
      const connection = await connections.arrive(presence)
      // What was opened while nobody was connected here waits for whoever comes.
      deliveries.look()
      return connection
    },
    flush,
    async close() {
      if (closed) return
      // First of all: from here on no verdict is given, so that none is missed by the last records.
      closed = true
      await flush().catch((error) => host.report({ doing: 'writing the last records', error }))
      deadlines.stop()
      connections.stop()
      unreachable.stop()
      validity.stop()
      watcher.stop()
      await deliveries.stop()
      waiters.close(new BanksmanError('closed', 'the gateway was closed while waiting; the request goes on'))
      await store.journal
        .append(journal.entry('chain.closed', { by: self.subject }))
        .catch((error) => host.report({ doing: 'closing the journal', error }))
      for (const channel of channels) await channel.close?.()
    },
  }

  async function flush(): Promise<void> {
    await holds.flush()
    await recorder.flush()
    await forecasts.flush()
  }
}
