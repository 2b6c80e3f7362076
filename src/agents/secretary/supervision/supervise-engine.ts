/**
 * Puts what limits a coding session around its engine, whichever that is: the folder is checked when the session is opened, people have
 * so long to answer, a call that is made again joins its request, and the owner is asked before more than the limit is used.
 */
import type { TurnEvent } from '../../../core/conversation.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { GuardResult, HoldOptions, NotRun, Refused } from '../../../guard/contract.ts'
import type { Engine, EngineSession, EngineTurn, OpenEngine } from '../../sessions/engine.ts'
import { modelWords } from '../model-words.ts'
import type { SecretarySettings } from '../secretary-settings.ts'
import type { PlaceOf } from '../session-places.ts'
import type { SessionRecords } from '../session-records.ts'
import { type CheckLimits, createSessionLimits } from './session-limits.ts'
import { startUseMeter, type UseMeter } from './use-meter.ts'

export interface SupervisionParts {
  records: SessionRecords
  placeOf: PlaceOf
  settings: SecretarySettings
  /** Of an engine that stays open: it is put to sleep after so long without a turn. */
  idleMs: number
  /** Why a person said no, in their own words. */
  reasonOf(request: string): Promise<string | undefined>
  /** Told of what happens in a session. It must return at once, and not throw. */
  observe(event: TurnEvent): void
  /** Nobody answered in time. */
  expired(session: string, request: string): void
  clock: Pick<Clock, 'now'>
  report(fault: { doing: string; error: unknown }): void
}

export function superviseEngine(engine: Engine, parts: SupervisionParts): Engine {
  const { placeOf, idleMs } = parts
  const roots: Roots = new Map()
  return {
    ...engine,
    idleMs,
    whenBusy: 'interrupt',
    async open(session) {
      const inherited = session.parent === undefined ? undefined : roots.get(session.parent)
      const root = inherited ?? { id: session.id, meter: startUseMeter(parts, session.id) }
      if (session.parent === undefined) await placeOf(session)
      const opened = await engine.open(session)
      roots.set(session.id, root)
      return superviseOpened(opened, parts, session, roots)
    },
    observe(event, about) {
      engine.observe?.(event, about)
      parts.observe(event)
    },
  }
}

/** The coding session that a session belongs to, itself or the one that started it, and what it uses. */
interface Root {
  id: string
  meter: UseMeter
}

/** Of the sessions that are open. */
type Roots = Map<string, Root>

function superviseOpened(
  opened: OpenEngine,
  parts: SupervisionParts,
  session: EngineSession,
  roots: Roots,
): OpenEngine {
  const { records, clock, report } = parts
  const root = roots.get(session.id)!
  const { meter } = root
  const isRoot = session.parent === undefined
  /** The host asks again with the same turn; an engine knows it by its identity. */
  let current: { given: EngineTurn; turn: EngineTurn; check: CheckLimits } | undefined

  async function begin(given: EngineTurn): Promise<NonNullable<typeof current>> {
    if (current?.given === given) return current
    if (isRoot)
      await records.change(root.id, ({ used, countedTurn }) => ({
        // Whoever said something in a closed session has opened it again.
        closedAt: undefined,
        lastAt: clock.now(),
        countedTurn: given.id,
        used: countedTurn === given.id ? used : { ...used, turns: used.turns + 1 },
      }))
    const check = createSessionLimits(parts, root.id, given, meter)
    current = { given, turn: superviseTurn(given, parts, root, check), check }
    return current
  }

  return {
    async runTurn(given) {
      const { turn, check } = await begin(given)
      // What a session starts is a part of its own work.
      const stop = isRoot ? meter.start() : () => {}
      try {
        await check()
        const outcome = await opened.runTurn(turn)
        if (outcome.costUsd !== undefined) meter.addCost(outcome.costUsd)
        return outcome
      } finally {
        stop()
        await meter
          .flush()
          .catch((error) => report({ doing: `counting what session ${root.id} used`, error }))
      }
    },
    async close(reason) {
      roots.delete(session.id)
      await opened.close(reason)
    },
  }
}

function superviseTurn(
  turn: EngineTurn,
  parts: SupervisionParts,
  { id: root, meter }: Root,
  check: CheckLimits,
): EngineTurn {
  const { settings, reasonOf, report } = parts
  const { approvalTimeoutMs: expiresInMs } = settings
  const words = modelWords(settings.language)

  /** Waiting for a person isn't working. */
  function asking<Options extends Pick<HoldOptions, 'onAsked'>>(options: Options) {
    let over: (() => void) | undefined
    const asked: Options = {
      expiresInMs,
      join: true,
      ...options,
      onAsked(told) {
        options.onAsked?.(told)
        if (told.state === 'pending') over ??= meter.waiting()
      },
    }
    return { asked, over: () => over?.() }
  }

  async function inWords<R extends { kind: string }>(result: R | NotRun): Promise<R | NotRun> {
    if (!isRefused(result)) return result
    const { state, requestId } = result
    if (state === 'expired') {
      if (requestId !== undefined) parts.expired(root, requestId)
      return { ...result, because: words.expired }
    }
    if (state !== 'rejected') return result
    // What can't be looked up is left out: the model is told the no all the same.
    const reason = requestId === undefined ? undefined : await reasonOf(requestId).catch(() => undefined)
    return { ...result, because: words.rejected(reason) }
  }

  return {
    ...turn,
    async append(entry) {
      await turn.append(entry)
      if (entry.kind !== 'answered') return
      if (entry.usage.costUsd !== undefined) meter.addCost(entry.usage.costUsd)
      await meter
        .flushSometimes()
        .catch((error) => report({ doing: `counting what session ${root} used`, error }))
    },
    async hold(call, options = {}) {
      await check()
      const { asked, over } = asking(options)
      return (await inWords(await turn.hold(call, asked).finally(over))) as Awaited<
        ReturnType<EngineTurn['hold']>
      >
    },
    async guard<T>(...[call, run, options = {}]: Parameters<typeof turn.guard<T>>) {
      await check()
      const { asked, over } = asking(options)
      const result = await turn
        .guard<T>(
          call,
          (args, context) => {
            over()
            return run(args, context)
          },
          asked,
        )
        .finally(over)
      return (await inWords(result)) as GuardResult<T>
    },
  }
}

function isRefused(result: { kind: string }): result is Refused {
  return result.kind === 'refused'
}
