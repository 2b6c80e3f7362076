/**
 * A conversation as it is shown, made of what was kept of it and of what is told while it goes on.
 *
 * What has a name (a turn, a step, a call) is found again by it, so a turn that is told once more, as happens after a break or
 * a restart, changes nothing that is here already. Pieces of words have no name: they belong to the step that the model was
 * last asked for, and when that step is asked for again they begin again. A turn that is told again from what was kept has
 * no pieces at all; then the beginning of the answer under way is missing until it is whole.
 */

import type { ReadonlySignal } from '@preact/signals'
import type { WireTurnEntry, WireTurnEvent } from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import type { ScheduleFrame } from '../../../model/requests/request-cache.ts'
import { visibleBlock } from '../../../model/text/visible-line.ts'
import {
  addPiece,
  beginAnswer,
  isUnderWay,
  putWholeAnswer,
  restartAnswer,
  retryAnswer,
  type WholeAnswer,
} from './answer-progress.ts'
import { applyCallEvent, finishCall, isOver, putCall, putLoggedCall } from './call-progress.ts'
import { createFrameValues, type FrameValue } from './frame-values.ts'
import type {
  NoteBody,
  TranscriptItem,
  TranscriptTurn,
  TranscriptTurnEnd,
  TranscriptTurnStatus,
} from './transcript-items.ts'
import { changeItem, createWorkingLane, type WorkingLane } from './working-lane.ts'

export interface Transcript {
  readonly turns: ReadonlySignal<readonly TranscriptTurn[]>
  /** The turn that runs. */
  readonly running: ReadonlySignal<string | undefined>
  /** The last answer that came to its end while somebody listened, for those who can't see it. */
  readonly finished: ReadonlySignal<{ readonly text: string } | undefined>
  /** Whether something was erased after its time. */
  readonly hasErased: ReadonlySignal<boolean>
  /** Counts the times that something was drawn anew. */
  readonly draws: ReadonlySignal<number>
  takeEntry(entry: WireTurnEntry): void
  takeEvent(event: WireTurnEvent): void
  /** Answers of these entries are no news when they are told. */
  hush(entries: readonly WireTurnEntry[]): void
  /** Sessions of agents that were perhaps started, and of which nothing was heard yet. */
  maybeStarted(): string[]
  /** Says that what an agent below did is being read, is not there, or may be read another time. */
  markWork(child: string, work: 'reading' | 'gone' | 'unread'): void
  /** What was kept of an agent below. */
  takeWork(child: string, entries: readonly WireTurnEntry[]): void
}

interface WorkingTurn {
  readonly turn: TranscriptTurn
  readonly lane: WorkingLane
  readonly end: FrameValue<TranscriptTurnEnd | undefined>
  /** The lanes of the agents below. */
  readonly below: WorkingLane[]
  begunAt: string | undefined
}

interface StartedSubAgent {
  readonly item: TranscriptItem
  readonly lane: WorkingLane
}

const UNSEEN = ['opened', 'interrupted', 'resumed', 'note'] as const

type UnseenEntry = TurnEntryOf<(typeof UNSEEN)[number]>

function isUnseen(entry: WireTurnEntry): entry is UnseenEntry {
  return (UNSEEN as readonly string[]).includes(entry.kind)
}

type TurnEntryOf<Kind extends WireTurnEntry['kind']> = Extract<WireTurnEntry, { kind: Kind }>
type EventOf<Kind extends WireTurnEvent['kind']> = Extract<WireTurnEvent, { kind: Kind }>

/** The tool by which an agent starts another. */
const STARTS_AGENTS = 'spawn'

export function createTranscript({ session, soon }: { session: string; soon: ScheduleFrame }): Transcript {
  const sheet = createFrameValues(soon)
  const turns = sheet.value<readonly TranscriptTurn[]>([])
  const running = sheet.value<string | undefined>(undefined)
  const finished = sheet.value<{ readonly text: string } | undefined>(undefined)
  const hasErased = sheet.value(false)
  const byId = new Map<string, WorkingTurn>()
  const helpers = new Map<string, StartedSubAgent>()
  /** Which call may have started the agent with this session. */
  const starters = new Map<string, { lane: WorkingLane; item: TranscriptItem }>()
  const hushed = new Set<string>()

  function turnOf(id: string): WorkingTurn {
    const known = byId.get(id)
    if (known !== undefined) return known
    const lane = createWorkingLane(sheet, session, id)
    const end = sheet.value<TranscriptTurnEnd | undefined>(undefined)
    const turn: TranscriptTurn = { id, lane: lane.lane, end: end.shown }
    const made: WorkingTurn = { turn, lane, end, below: [], begunAt: undefined }
    byId.set(id, made)
    turns.set([...turns.get(), turn])
    running.set(id)
    return made
  }

  function helperOf(child: string, turnId: string): StartedSubAgent {
    const known = helpers.get(child)
    if (known !== undefined) return known
    const starter = starters.get(child)
    const lane = createWorkingLane(sheet, child, turnId)
    turnOf(turnId).below.push(lane)
    const above = starter?.lane ?? turnOf(turnId).lane
    const first = { kind: 'helper', child, lane: lane.lane, work: 'here' } as const
    const item = above.put(`helper ${child}`, () => first, starter?.item)
    const made = { item, lane }
    helpers.set(child, made)
    return made
  }

  /** What an agent below did may have been kept, too. */
  function expectWork(item: TranscriptItem, { turn }: WorkingLane): void {
    const body = item.body.get()
    if (body.kind !== 'call' || body.tool !== STARTS_AGENTS || body.stage === 'refused') return
    const child = `${body.session}.${body.call}`
    if (helpers.has(child)) return
    changeItem(helperOf(child, turn).item, 'helper', (helper) => ({ ...helper, work: 'unread' }))
  }

  function remember(lane: WorkingLane, item: TranscriptItem): void {
    const body = item.body.get()
    if (body.kind === 'call') starters.set(`${body.session}.${body.call}`, { lane, item })
  }

  function begin({ id, turn: name, text, by, at, resumed }: EventOf<'turn_begun'>): void {
    const turn = turnOf(name)
    const isRetold = isToldFromLog(id)
    putBegun(turn, text, by, at)
    if (resumed === true) turn.lane.put(`resumed ${id}`, () => ({ kind: 'resumed' }))
    else turn.lane.steered.clear()
    for (const lane of [turn.lane, ...turn.below]) restartAnswer(lane, isRetold)
  }

  function putBegun(turn: WorkingTurn, text: string, by: string, at: string): void {
    turn.begunAt ??= at
    turn.lane.put('begun', () => ({ kind: 'said', text, by, at, isSteering: false }))
  }

  function steer(lane: WorkingLane, text: string, by: string, at: string): void {
    const count = (lane.steered.get(text) ?? 0) + 1
    lane.steered.set(text, count)
    lane.put(`steered ${count} ${text}`, () => ({ kind: 'said', text, by, at, isSteering: true }))
  }

  function answer(lane: WorkingLane, whole: WholeAnswer): void {
    const isNews = putWholeAnswer(lane, whole) && lane.session === session
    const { step, text } = whole
    if (isNews && text.trim() !== '' && !hushed.has(`${lane.turn} ${step}`)) finished.set({ text })
  }

  function finish(turn: WorkingTurn, end: TranscriptTurnEnd, at: string): void {
    const measured = turn.begunAt === undefined ? 0 : Date.parse(at) - Date.parse(turn.begunAt)
    const durationMs = end.durationMs || measured
    const { durationMs: _, ...rest } = end
    turn.end.set(durationMs > 0 ? { ...rest, durationMs } : rest)
    for (const lane of [turn.lane, ...turn.below]) leaveUnfinished(lane, end.status)
    if (running.get() === turn.turn.id) running.set(undefined)
  }

  function note(lane: WorkingLane, { id }: WireTurnEvent, body: NoteBody): void {
    lane.put(`${body.kind} ${id}`, () => body)
  }

  function takeEvent(event: WireTurnEvent): void {
    if (event.kind === 'turn_begun') {
      begin(event)
      return
    }
    if (event.kind === 'turn_ended') {
      const { turn, status, reason, usage, steps, durationMs, at } = event
      const why = reason === undefined ? {} : { reason }
      finish(turnOf(turn), { status, ...why, usage, steps, durationMs }, at)
      return
    }
    const lane =
      event.session === session ? turnOf(event.turn).lane : helperOf(event.session, event.turn).lane
    switch (event.kind) {
      case 'model_called':
        beginAnswer(lane, event.step)
        break
      case 'thinking':
      case 'text':
        addPiece(lane, event.kind, event.delta)
        break
      case 'model_retried':
        retryAnswer(lane, event)
        break
      case 'model_answered':
        answer(lane, event)
        break
      case 'call_proposed':
      case 'call_waiting':
      case 'call_started':
      case 'call_finished':
      case 'call_refused':
      case 'call_answered': {
        const item = putCall(lane, event.call, event.tool)
        remember(lane, item)
        const isRetold = isToldFromLog(event.id)
        applyCallEvent(item, event, isRetold)
        if (isRetold && event.kind === 'call_finished') expectWork(item, lane)
        break
      }
      case 'steered':
        steer(lane, event.text, event.by, event.at)
        break
      case 'interrupted': {
        const { how, by, reason } = event
        const why = reason === undefined ? {} : { reason }
        note(lane, event, { kind: 'interrupted', how, by, ...why })
        break
      }
      case 'failed':
        note(lane, event, { kind: 'failed', stage: event.stage, message: event.message })
        break
      case 'shown': {
        const { tool, text, media } = event
        const what = { ...defined({ text, media }) }
        note(lane, event, { kind: 'shown', tool, ...what })
        break
      }
      case 'sub_began': {
        const { item } = helperOf(event.child, event.turn)
        changeItem(item, 'helper', (body) => ({ ...body, task: event.task }))
        break
      }
      case 'sub_ended': {
        const { item } = helperOf(event.child, event.turn)
        changeItem(item, 'helper', (body) => ({ ...body, status: event.status }))
        break
      }
    }
  }

  /** What is kept in the same form for every agent. */
  function takeKept(
    lane: WorkingLane,
    entry: TurnEntryOf<'answered' | 'result' | 'steered' | 'barred'>,
  ): void {
    switch (entry.kind) {
      case 'answered':
        hushed.add(`${lane.turn} ${entry.step}`)
        answer(lane, entry)
        for (const logged of entry.calls) remember(lane, putLoggedCall(lane, logged))
        break
      case 'result': {
        const item = putCall(lane, entry.call, entry.tool)
        finishCall(item, entry)
        expectWork(item, lane)
        break
      }
      case 'steered':
        steer(lane, entry.text, entry.by, entry.at)
        break
      case 'barred': {
        const { shape, by } = entry
        lane.put(`barred ${shape}`, () => ({ kind: 'barred', shape, by }))
      }
    }
  }

  return {
    turns: turns.shown,
    running: running.shown,
    finished: finished.shown,
    hasErased: hasErased.shown,
    draws: sheet.draws,
    takeEvent,
    takeEntry(entry) {
      if (entry.kind === 'erased') return hasErased.set(true)
      // It is of no turn.
      if (entry.kind === 'opened') return
      const turn = turnOf(entry.turn)
      if (entry.kind === 'begun') {
        turn.lane.steered.clear()
        return putBegun(turn, entry.text, entry.by, entry.at)
      }
      // How it ended says as much.
      if (isUnseen(entry)) return
      if (entry.kind !== 'ended') return takeKept(turn.lane, entry)
      const { status, reason, usage, steps, at } = entry
      finish(turn, { status, ...defined({ reason }), usage, steps }, at)
    },
    hush(entries) {
      for (const entry of entries) if (entry.kind === 'answered') hushed.add(`${entry.turn} ${entry.step}`)
    },
    maybeStarted() {
      const items = byId.get(running.get() ?? '')?.lane.all() ?? []
      return items.flatMap((item) => {
        const body = item.body.get()
        if (body.kind !== 'call' || body.tool !== STARTS_AGENTS || isOver(body.stage)) return []
        const child = `${body.session}.${body.call}`
        return helpers.has(child) ? [] : [child]
      })
    },
    markWork(child, work) {
      const item = helpers.get(child)?.item
      if (item !== undefined) changeItem(item, 'helper', (body) => ({ ...body, work }))
    },
    takeWork(child, entries) {
      const { item, lane } = helperOf(child, starters.get(child)?.lane.turn ?? running.get() ?? '')
      changeItem(item, 'helper', (body) => ({ ...body, work: 'here' }))
      for (const entry of entries) {
        if (entry.kind === 'erased' || isUnseen(entry)) continue
        if (entry.kind === 'begun')
          changeItem(item, 'helper', (body) => ({ ...body, task: body.task ?? visibleBlock(entry.text) }))
        else if (entry.kind === 'ended')
          changeItem(item, 'helper', (body) => ({ ...body, status: entry.status }))
        else takeKept(lane, entry)
      }
    },
  }
}

/** The ids of what is told again from what was kept lead nowhere, and look like `t1-r3`. */
export function isToldFromLog(id: string): boolean {
  return id.startsWith('r', id.lastIndexOf('-') + 1)
}

/** The turn is over: what is still open in it stays so. */
function leaveUnfinished(lane: WorkingLane, status: TranscriptTurnStatus): void {
  lane.answer = undefined
  for (const item of lane.all()) {
    changeItem(item, 'answer', (body) => (isUnderWay(body) ? { ...body, state: 'cut' } : body))
    changeItem(item, 'call', (body) => (isOver(body.stage) ? body : { ...body, stage: 'left' }))
    changeItem(item, 'helper', (body) =>
      body.status === undefined && body.work === 'here' ? { ...body, status } : body,
    )
  }
}
