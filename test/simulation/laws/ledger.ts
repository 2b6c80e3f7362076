/**
 * What is true: every commit of the shared store, seen in the moment in which it is made. It keeps all versions of all
 * requests and all entries, and holds every commit against the laws.
 */
import type { Grant } from '../../../src/core/grants/grant.ts'
import { isFinal, type Request, type RequestState } from '../../../src/core/request.ts'
import { factsDigest } from '../../../src/gateway/judging/judged-call.ts'
import type { Entry } from '../../../src/journal/entry.ts'
import { isStep } from '../../../src/journal/read-body.ts'
import type {
  Change,
  Ending,
  HoldChange,
  HoldResult,
  Opening,
  OpenResult,
  RecordBatch,
  Recording,
  RecordResult,
  TakenDelivery,
  TransitionResult,
} from '../../../src/stores/store.ts'
import { LIVE, servedBy } from '../world/channels.ts'
import type { Life } from '../world/machine.ts'
import { isRead } from '../world/shared-store.ts'
import type { World } from '../world/world.ts'
import { isAllowed } from '../world/world-policy.ts'
import { type CallHistory, createCallHistory } from './call-history.ts'
import { checkOpened, checkStep, type LawContext } from './request-laws.ts'

export interface Ledger {
  /** Does a verb for a node, and looks at what it has changed. */
  watchOver(life: Life, path: string, args: readonly unknown[]): Promise<unknown>
  at(request: string, version: number): Request | undefined
  latest(request: string): Request | undefined
  states(request: string): RequestState[]
  requests(): Request[]
  /** In the order in which they were committed. */
  readonly entries: readonly Entry[]
  readonly deliveries: readonly { request: string; channel: string }[]
  isGranted(session: string, callId: string): boolean
  /** What has become of each call id. */
  readonly calls: CallHistory
  isRevoked(grant: string): boolean
  /** Until when somebody is present in the live channel, in the world's time. */
  presentUntil(): number
  /** Somebody sends a decision: only what was sent may be recorded. */
  sends(request: string, by: string, kind: string, digest: string): void
  /** Somebody wants it cancelled. */
  stops(request: string): void
}

export function createLedger(world: World): Ledger {
  const { shared } = world
  const histories = new Map<string, Request[]>()
  const entries: Entry[] = []
  const chains = new Map<string, number>()
  const calls = createCallHistory(world)
  const granted = new Set<string>()
  /** When the newest version of a request was committed, in the world's time. */
  const changedAt = new Map<string, number>()
  const grants = new Map<string, { grant: Grant; uses: number; revoked: boolean }>()
  const deliveries: { request: string; channel: string }[] = []
  const sent = new Set<string>()
  const stopped = new Set<string>()
  let presentUntil = 0

  const latest = (id: string) => histories.get(id)?.at(-1)
  const book = (life: Life): LawContext => ({
    now: shared.now(),
    wasSent: (request, by, kind, digest) => sent.has(`${request} ${by} ${kind} ${digest}`),
    wasStopped: (request) => stopped.has(request),
    approvedUntil: (id) =>
      histories.get(id)?.find(({ state }) => state === 'approved')?.deadline ?? undefined,
    hasLookedAgain: (request) => hasLookedAgain(life, request),
    broken: world.broken,
  })

  async function watchOver(life: Life, path: string, args: readonly unknown[]): Promise<unknown> {
    if (isRead(path)) return shared.apply(path, args)
    const named = namedIn(path, args)
    const result = await shared.apply(path, args)
    world.tally.commits++
    const written = await readEntries(life)
    const changed = await readRequests(life, named, written)
    checkEntries(path, written, changed)
    await checkVerb(path, args, result)
    await checkGrants(path, args, result)
    tellOthers(life, written, changed)
    return result
  }

  async function readEntries(life: Life): Promise<Entry[]> {
    const { events } = await shared.memory.journal.feed(String(entries.length), 1000)
    for (const { entry } of events) {
      entries.push(entry)
      const expected = (chains.get(entry.chain) ?? 0) + 1
      if (entry.n !== expected)
        world.broken('P10', `chain ${entry.chain} has ${entry.n} where ${expected} should be`)
      if (entry.chain !== life.chain) world.broken('P10', `${life.chain} wrote into chain ${entry.chain}`)
      chains.set(entry.chain, entry.n)
    }
    return events.map(({ entry }) => entry)
  }

  /** A person's yes was given on facts, and whoever claims must have looked whether they still are so. */
  function hasLookedAgain(life: Life, { id, tool, factsDigest: asked, progress }: Request): boolean {
    if (tool !== 'deploy') return true
    const judgedOn = progress.approved?.bytes === undefined ? asked : progress.edit?.factsDigest
    return life.lookedUp.some(
      ({ at, folder }) =>
        at >= changedAt.get(id)! && (judgedOn === undefined || factsDigest({ folder }) === judgedOn),
    )
  }

  async function readRequests(
    life: Life,
    named: readonly string[],
    written: readonly Entry[],
  ): Promise<Request[]> {
    const ids = new Set(named)
    for (const entry of written) if (entry.request !== undefined) ids.add(entry.request)
    const changed: Request[] = []
    for (const id of ids) {
      const after = await shared.memory.get(id)
      const before = latest(id)
      if (after === undefined) {
        if (before !== undefined) world.broken('P7', `${id} has gone`)
        continue
      }
      if (before !== undefined && before.version === after.version) {
        if (before !== after) world.broken('P10', `${id} changed without a new version`)
        continue
      }
      changed.push(after)
      const history = histories.get(id)
      if (history === undefined) histories.set(id, [after])
      else history.push(after)
      world.scheduler.note(`${id} v${after.version} ${after.state}`)
      if (before === undefined) checkOpened(after, book(life))
      else checkStep(before, after, book(life))
      if ((after.progress.released?.length ?? 0) > (before?.progress.released?.length ?? 0))
        world.tally.released++
      changedAt.set(id, world.scheduler.now())
    }
    return changed
  }

  /** Each change has its entry, and each entry its change, in the same commit (P10). */
  function checkEntries(path: string, written: readonly Entry[], changed: readonly Request[]): void {
    const steps = written.filter((entry) => isStep(entry.type))
    for (const request of changed) {
      const own = steps.filter((entry) => entry.request === request.id)
      if (own.length !== 1 || own[0]!.version !== request.version)
        world.broken(
          'P10',
          `${path} made version ${request.version} of ${request.id} with ${own.length} entries`,
        )
      else if (!own[0]!.body.includes(`"state":"${request.state}"`))
        world.broken(
          'P10',
          `the entry on version ${request.version} of ${request.id} does not say ${request.state}`,
        )
    }
    if (steps.length !== changed.length)
      world.broken('P10', `${path} wrote ${steps.length} entries on requests and changed ${changed.length}`)
  }

  async function checkVerb(path: string, args: readonly unknown[], result: unknown): Promise<void> {
    switch (path) {
      case 'open':
        checkOpening(args[0] as Opening, result as OpenResult)
        return
      case 'record': {
        const { call, consume = [] } = args[0] as Recording
        if ((result as RecordResult).kind !== 'recorded') return
        calls.recorded(args[0] as Recording)
        if (call.verdict === 'allow' && consume.length === 0 && !isAllowed(call.tool))
          world.broken('P5', `${call.tool} was let through, which nothing allows`)
        if (call.verdict === 'allow' && consume.length > 0) granted.add(`${call.session} ${call.callId}`)
        return
      }
      case 'recordAll':
        for (const [index, { call }] of (args[0] as RecordBatch).calls.entries()) {
          if ((result as RecordResult[])[index]?.kind !== 'recorded') continue
          calls.recorded({ call })
          if (call.verdict === 'allow' && !isAllowed(call.tool))
            world.broken('P5', `${call.tool} was let through, which nothing allows`)
        }
        return
      case 'calls.changeHold':
        await calls.holdChanged(args[0] as HoldChange, result as HoldResult)
        return
      case 'transition': {
        const [before, after] = histories.get((args[0] as Change).id)?.slice(-2) ?? []
        if ((result as TransitionResult).won) calls.resultLeft(before!, after!, args[0] as Change)
        return
      }
      case 'endSessions':
        if ((result as { won: boolean }).won) checkEnding(args[0] as Ending)
        return
      case 'presence.renew':
        presentUntil = Math.max(presentUntil, world.scheduler.now() + (args[1] as number))
        return
      case 'deliveries.shown': {
        const { request, channel } = args[0] as TakenDelivery
        const shown = world.hearing.shown(channel, request)
        // What is over need not be shown to whoever comes to a live channel later.
        if (channel === LIVE && isFinal(latest(request)!.state)) return
        if (result === true && shown < (args[1] as number))
          world.broken(
            'P1',
            `${request} counts as shown in ${channel} in version ${args[1]}; there it is ${shown}`,
          )
      }
    }
  }

  function checkOpening(opening: Opening, result: OpenResult): void {
    if (result.kind !== 'opened') return
    const { request } = result
    calls.opened(opening, request)
    const origin = request.origin?.channel
    for (const { channel } of opening.deliveries) {
      deliveries.push({ request: request.id, channel })
      if (!servedBy(channel, origin))
        world.broken('P8', `${request.id} of ${origin ?? 'no origin'} is to be shown in ${channel}`)
    }
    const isServed = origin === undefined || origin === 'live'
    const isAskable = request.tool !== 'launch'
    if (request.state === 'pending' && !(isServed && isAskable))
      world.broken('P8', `${request.id} waits for people, and none can ever answer`)
    if (request.state === 'unreachable' && origin === undefined && isAskable)
      world.broken('P8', `${request.id} is unreachable, though people look into the inbox`)
  }

  function checkEnding({ sessions }: Ending): void {
    calls.ends(sessions)
    for (const history of histories.values()) {
      const { id, session, state } = history.at(-1)!
      if (sessions.includes(session) && (state === 'pending' || state === 'approved'))
        world.broken('P5', `session ${session} has ended, and ${id} in it is still ${state}`)
    }
  }

  async function checkGrants(path: string, args: readonly unknown[], result: unknown): Promise<void> {
    for (const { id, grant } of changesIn(path, args)) {
      if (grant === undefined || (await shared.memory.grants.get(grant.id)) === undefined) continue
      const by = latest(id)
      if (by?.progress.approved === undefined) world.broken('P5', `${id} left a grant and was not approved`)
      if (!grants.has(grant.id)) grants.set(grant.id, { grant, uses: 0, revoked: false })
    }
    if (path === 'grants.revoke' && result === true) grants.get(args[0] as string)!.revoked = true
    if (path !== 'record' || (result as RecordResult).kind !== 'recorded') return
    for (const id of (args[0] as Recording).consume ?? []) {
      const known = grants.get(id)
      if (known === undefined) {
        world.broken('P5', `a call was let through by grant ${id}, which nobody gave`)
        continue
      }
      known.uses++
      const { grant, uses, revoked } = known
      if (revoked) world.broken('P5', `grant ${id} was used after it was revoked`)
      if (grant.expiresAt !== undefined && grant.expiresAt <= shared.now())
        world.broken('P5', `grant ${id} was used after it had expired`)
      if (grant.usesLeft !== undefined && uses > grant.usesLeft)
        world.broken('P5', `grant ${id} was used ${uses} times; it was given for ${grant.usesLeft}`)
      const kept = await shared.memory.grants.get(id)
      if (kept?.uses !== uses)
        world.broken('P5', `grant ${id} was used ${uses} times; the store counts ${kept?.uses}`)
    }
  }

  function tellOthers(life: Life, written: readonly Entry[], changed: readonly Request[]): void {
    if (written.length === 0 && !world.random.chance(0.1)) return
    const isNamed = world.random.chance(world.theme.naming)
    const requests = isNamed ? { requests: changed.map(({ id }) => id) } : {}
    for (const machine of world.machines) {
      machine.life?.link.hint({ local: machine.life === life, ...requests })
    }
  }

  return {
    watchOver,
    at: (id, version) => histories.get(id)?.find((request) => request.version === version),
    latest,
    states: (id) => (histories.get(id) ?? []).map(({ state }) => state),
    requests: () => [...histories.values()].map((history) => history.at(-1)!),
    entries,
    deliveries,
    isGranted: (session, callId) => granted.has(`${session} ${callId}`),
    calls,
    isRevoked: (grant) => grants.get(grant)?.revoked === true,
    presentUntil: () => presentUntil,
    sends: (request, by, kind, digest) => void sent.add(`${request} ${by} ${kind} ${digest}`),
    stops: (request) => void stopped.add(request),
  }
}

function changesIn(path: string, args: readonly unknown[]): readonly Change[] {
  if (path === 'transition') return [args[0] as Change]
  if (path === 'transitionAll') return args[0] as Change[]
  return path === 'endSessions' ? (args[0] as Ending).changes : []
}

function namedIn(path: string, args: readonly unknown[]): string[] {
  return path === 'open' ? [(args[0] as Opening).request.id] : changesIn(path, args).map(({ id }) => id)
}
