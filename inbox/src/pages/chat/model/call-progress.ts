/**
 * The life of one call: proposed, waiting for a person, running, over. What is told again never leads back: a call that is
 * over stays over, and what was kept of it knows less than what was told when it happened.
 */

import type {
  ShownCall,
  WireLoggedCall,
  WireTurnEntry,
  WireTurnEvent,
} from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import type { CallBody, CallStage, TranscriptItem } from './transcript-items.ts'
import { changeItem, type WorkingLane } from './working-lane.ts'

type CallEvent = Extract<WireTurnEvent, { call: string }>
type ResultEntry = Extract<WireTurnEntry, { kind: 'result' }>

const OVER: ReadonlySet<CallStage> = new Set(['finished', 'failed', 'refused', 'answered'])

export function isOver(stage: CallStage): boolean {
  return OVER.has(stage)
}

export function putCall(lane: WorkingLane, call: string, tool: string): TranscriptItem {
  return lane.put(`call ${call}`, () => ({
    kind: 'call',
    session: lane.session,
    call,
    tool,
    stage: 'proposed',
  }))
}

export function putLoggedCall(lane: WorkingLane, logged: WireLoggedCall): TranscriptItem {
  const item = putCall(lane, logged.id, logged.tool)
  const more =
    'unreadable' in logged
      ? { unreadable: logged.unreadable }
      : { summary: logged.summary, arguments: logged.arguments }
  changeItem(item, 'call', (body) => ({ ...body, ...more }))
  return item
}

export function applyCallEvent(item: TranscriptItem, event: CallEvent, isRetold: boolean): void {
  changeItem(item, 'call', (body) => {
    const wasOver = isOver(body.stage)
    switch (event.kind) {
      case 'call_proposed':
        return body.summary === undefined
          ? { ...body, summary: event.summary, arguments: event.arguments }
          : body
      case 'call_waiting':
        if (wasOver || body.stage === 'running') return body
        return { ...body, ...shownOf(event), stage: 'waiting', request: event.request }
      case 'call_started': {
        // What runs may be an edit of what was proposed.
        const asked = event.request === undefined ? {} : { request: event.request }
        const started = { ...body, ...shownOf(event), ...asked }
        return wasOver ? started : { ...started, stage: 'running' }
      }
      case 'call_finished':
        if (wasOver && isRetold) return body
        return {
          ...body,
          stage: event.ok ? 'finished' : 'failed',
          text: event.text,
          ...(event.durationMs > 0 ? { durationMs: event.durationMs } : {}),
          ...defined({ request: event.request, media: event.media, replacedBy: event.replacedBy }),
        }
      case 'call_refused': {
        if (wasOver && isRetold) return body
        const { state, because, reason, by, request } = event
        return {
          ...body,
          stage: 'refused',
          refusal: { state, because, ...defined({ reason, by }) },
          ...defined({ request }),
        }
      }
      case 'call_answered':
        return { ...body, stage: 'answered', text: event.text, by: event.by, request: event.request }
      default:
        return body
    }
  })
}

const STAGES: Readonly<Record<ResultEntry['outcome'], CallStage>> = {
  ran: 'finished',
  replaced: 'finished',
  failed: 'failed',
  refused: 'refused',
  answered: 'answered',
}

/** What was kept of how it ended. */
export function finishCall(item: TranscriptItem, { outcome, text, refusal, media }: ResultEntry): void {
  changeItem(item, 'call', (body): CallBody => {
    if (isOver(body.stage)) return body
    if (refusal !== undefined) {
      const { state, because, reason, by, request } = refusal
      return {
        ...body,
        stage: 'refused',
        refusal: { state, because, ...defined({ reason, by }) },
        ...defined({ request }),
      }
    }
    return { ...body, stage: STAGES[outcome], text, ...defined({ media }) }
  })
}

function shownOf({ summary, arguments: shown }: ShownCall): Pick<CallBody, 'summary' | 'arguments'> {
  return { summary, arguments: shown }
}
