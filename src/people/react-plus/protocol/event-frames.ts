/**
 * The agent's events in the words of this protocol. One event gives no frame, one, or several where a text is long; always
 * the same ones, so that a stream can go on after any of them.
 *
 * Clients of the original print THINKING, ACTING and OBSERVING as lines and say "completed" at COMPLETED, whatever else is
 * in it. So there is one THINKING for each answer of the model, whole and not in pieces, and COMPLETED is said only of a
 * turn that was completed; any other end is an ERROR with `data.final` (P5). What is on its way between is PROGRESS, which
 * they pass over; pieces of text only go to clients that ask for them.
 */

import type { MediaItem, SessionEnder, TurnEvent } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import type { Request } from '../../../core/request.ts'
import { commandLineOf } from '../../../display/arguments/command-line-of.ts'
import { sayReason } from '../../../display/reasons/say-reason.ts'
import { makeVisibleWithin } from '../../../display/text/shorten.ts'
import { makeVisible } from '../../../display/text/visible.ts'
import { sayDeciders } from '../../../display/words/deciders.ts'
import type { Deciding } from '../../driver.ts'
import { type Frame, type FrameType, LIMITS, timeText } from './frame.ts'
import { visibleArguments, visibleLine } from './visible-arguments.ts'
import type { ReactPlusWords } from './words.ts'

export interface FrameTranslation {
  /** The session that is listened to. */
  session: string
  /** As the client calls it. */
  label: string
  words: ReactPlusWords
  /** The client wants pieces of text as they come. */
  deltas: boolean
}

/** What is known of what an event tells. */
export interface EventKnowledge {
  knownTool: Deciding['knownTool']
  /** The one that the event names, as it is now. */
  request?: Request | undefined
}

export function translate(event: TurnEvent, to: FrameTranslation, knowledge: EventKnowledge): Frame[] {
  return draftsOf(event, to, knowledge).map(({ type, message, data = {}, durationMs }) =>
    frameOf(event, to, {
      type,
      message,
      data,
      startTime: timeText(event.at - (durationMs ?? 0)),
      endTime: durationMs === undefined ? null : timeText(event.at),
    }),
  )
}

type FrameParts = Pick<Frame, 'type' | 'message' | 'data'> & Partial<Frame>

/** A frame about something that happened in the turn. */
export function frameOf(
  { turn, agent, session, at }: Pick<TurnEvent, 'turn' | 'agent' | 'session' | 'at'>,
  to: FrameTranslation,
  parts: FrameParts,
): Frame {
  const { type, message, data, meta = {}, startTime = timeText(at), endTime = null } = parts
  return {
    type,
    message,
    data,
    meta: { ...meta, ...(session === to.session ? {} : { subAgent: true, parents: agent.parents ?? [] }) },
    sessionId: to.label,
    turnId: turn,
    messageId: turn,
    agentId: visibleLine(agent.name),
    startTime,
    endTime,
  }
}

/** A request that is over, for who still shows it. */
export function settledParts(request: Request, words: ReactPlusWords): FrameParts {
  const { decision, cancelled } = request.progress
  const by = decision?.by ?? cancelled?.by
  const names =
    sayDeciders(request.progress, words.locale) ?? (by === undefined ? undefined : visibleLine(by))
  const state = SETTLED_AS[request.state] ?? request.state
  return {
    type: 'PROGRESS',
    message: words.settled(state, names),
    data: {
      stage: 'request_settled',
      requestId: request.id,
      toolName: visibleLine(request.tool),
      state,
      by: by === undefined ? null : visibleLine(by),
      decision: decision?.kind ?? null,
      votes: (request.progress.votes ?? []).map((vote) => ({
        ...{ by: visibleLine(vote.by), at: timeText(vote.at), via: vote.via },
        ...(vote.reason === undefined ? {} : { reason: cut(vote.reason) }),
      })),
    },
  }
}

/** What became of the question, not of the call. */
const SETTLED_AS: Readonly<Partial<Record<Request['state'], Request['state']>>> = {
  running: 'approved',
  done: 'approved',
  unknown: 'approved',
  lapsed: 'approved',
}

export function isFinalEvent(event: TurnEvent, session: string, turn: string): boolean {
  return event.kind === 'turn_ended' && event.session === session && event.turn === turn
}

interface FrameDraft {
  type: FrameType
  message: string | null
  data?: JsonObject
  /** It has ended, and took this long. */
  durationMs?: number
}

function draftsOf(
  event: TurnEvent,
  to: FrameTranslation,
  { knownTool, request }: EventKnowledge,
): FrameDraft[] {
  const { words } = to
  switch (event.kind) {
    case 'turn_begun':
      return [progress(event.resumed === true ? 'resumed' : 'begun', null, { by: visibleLine(event.by) })]
    case 'model_called':
      return [progress('model_called', null, { step: event.step, model: visibleLine(event.model) })]
    case 'thinking':
      return to.deltas ? [progress('reasoning', null, { delta: event.delta.toWellFormed() })] : []
    case 'text':
      return to.deltas ? [progress('text', null, { delta: event.delta.toWellFormed() })] : []
    case 'model_answered':
      return thoughts(event, words)
    case 'model_retried':
      return [
        progress('model_retried', words.retried(event.attempt, event.of), {
          attempt: event.attempt,
          of: event.of,
          because: visibleLine(event.because),
        }),
      ]
    case 'call_proposed': {
      const known = knownTool(event)
      const { value, shortened } = visibleArguments(event.arguments, LIMITS.told, known)
      const tool = visibleLine(event.tool)
      const { call: callId, step, index, of } = event
      const line = commandLineOf(event.arguments, { limit: LIMITS.told, known })
      const data = {
        ...{ callId, toolName: tool, toolArgs: value },
        ...defined({ commandLine: line }),
        ...{ shortened, step, index, of },
      }
      return [{ type: 'ACTING', message: words.acting(tool), data }]
    }
    // The stream shows it as it is when it is shown.
    case 'call_waiting':
      return []
    case 'call_started':
      return [started(event, words, request)]
    case 'call_finished':
      return [finished(event)]
    case 'call_answered': {
      const shown = result(event.text)
      const about = {
        ...toolData(event),
        ok: true,
        answeredBy: visibleLine(event.by),
        requestId: event.request,
      }
      return [{ type: 'TOOL', message: shown.text, data: { ...about, ...shown.data } }]
    }
    case 'call_refused':
      return [refused(event, words, request)]
    case 'shown': {
      const text =
        event.text === undefined
          ? (event.media ?? []).map(mediaText).join('\n')
          : makeVisible(event.text, { lines: 'keep' }).text
      const about = { stage: 'shown', toolName: visibleLine(event.tool), ...mediaData(event.media) }
      return split(text).map((part) => ({ type: 'OBSERVING', message: part, data: about }))
    }
    case 'observing': {
      const { step, results } = event
      return [{ type: 'OBSERVING', message: words.observing(results), data: { step, results } }]
    }
    case 'steered':
      return [progress('steered', cut(event.text), { by: visibleLine(event.by) })]
    case 'interrupted': {
      const by = visibleLine(event.by)
      const about = { how: event.how, by, reason: cut(event.reason ?? '') }
      return [progress('interrupted', words.interrupted(by), about)]
    }
    case 'sub_began':
      return [progress('sub_began', cut(event.task), { child: visibleLine(event.child) })]
    case 'sub_ended':
      return [progress('sub_ended', null, { child: visibleLine(event.child), status: event.status })]
    case 'failed':
      return [
        {
          type: 'ERROR',
          message: cut(event.message),
          data: { stage: visibleLine(event.stage), final: false },
        },
      ]
    case 'turn_ended':
      return [ended(event, to)]
  }
}

function progress(stage: string, message: string | null, about: JsonObject = {}): FrameDraft {
  return { type: 'PROGRESS', message, data: { stage, ...about } }
}

function thoughts(
  event: Extract<TurnEvent, { kind: 'model_answered' }>,
  words: ReactPlusWords,
): FrameDraft[] {
  const { text, reasoning = '', step, calls, usage } = event
  const said = text.trim() === '' ? reasoning : text
  const about = { step, calls, final: calls === 0, usage: { ...usage } }
  const parts = said.trim() === '' ? (calls === 0 ? [] : [words.noWords(calls)]) : split(said)
  return parts.map((part, index) => ({
    type: 'THINKING',
    message: part,
    data: {
      ...about,
      part: index + 1,
      parts: parts.length,
      ...(text.trim() === '' || reasoning === '' || index > 0 ? {} : { reasoning: cut(reasoning) }),
    },
  }))
}

function started(
  event: Extract<TurnEvent, { kind: 'call_started' }>,
  words: ReactPlusWords,
  request: Request | undefined,
): FrameDraft {
  const settled = request === undefined ? {} : { ...settledParts(request, words).data, state: 'approved' }
  const tool = visibleLine(event.tool)
  return progress('call_started', words.started(tool), {
    ...settled,
    stage: 'call_started',
    callId: event.call,
    toolName: tool,
  })
}

function finished(event: Extract<TurnEvent, { kind: 'call_finished' }>): FrameDraft {
  const { ok, durationMs, request, media, replacedBy } = event
  const shown = result(event.text)
  return {
    type: 'TOOL',
    message: shown.text,
    durationMs,
    data: {
      ...toolData(event),
      ok,
      durationMs,
      ...shown.data,
      ...defined({ requestId: request }),
      ...(replacedBy === undefined ? {} : { replacedBy: visibleLine(replacedBy) }),
      ...mediaData(media),
    },
  }
}

function refused(
  event: Extract<TurnEvent, { kind: 'call_refused' }>,
  words: ReactPlusWords,
  asked: Request | undefined,
): FrameDraft {
  const { state, by, mayRetry, request } = event
  const because = cut(sayReason(event, words.locale))
  const tool = visibleLine(event.tool)
  const message =
    state !== 'rejected'
      ? words.refused(tool, state, because)
      : request === undefined
        ? words.rejectedBefore(tool)
        : words.rejectedByPerson(cut(asked?.progress.decision?.reason ?? ''))
  return progress('call_refused', message, {
    callId: event.call,
    toolName: tool,
    state,
    because,
    by: by === undefined ? null : visibleLine(by),
    mayRetry,
    ...defined({ requestId: request }),
  })
}

function ended(event: Extract<TurnEvent, { kind: 'turn_ended' }>, to: FrameTranslation): FrameDraft {
  const { status, usage, steps, durationMs } = event
  const reason = cut(endReason(event))
  if (event.session !== to.session) return progress('sub_turn_ended', null, { status, reason })
  const data = { final: true, status, reason, usage: { ...usage }, steps, durationMs }
  // Its words were told when they were said.
  if (status === 'completed') return { type: 'COMPLETED', message: cut(event.text), data, durationMs }
  const message = status === 'terminated' ? to.words.terminated(reason) : to.words.ended(status, reason)
  return { type: 'ERROR', message, data, durationMs }
}

/** Of a session that a person has ended, what they said. Logs of earlier versions have our own sentence alone. */
export function endReason({ endedBy, reason }: { endedBy?: SessionEnder; reason?: string }): string {
  return (endedBy === undefined ? reason : endedBy.reason) ?? ''
}

/** What somebody is told who says something in a session that was ended. */
export function sessionEndedFrame(to: FrameTranslation, at: number): Frame {
  const data = { final: true, status: 'terminated', code: 'session_ended' }
  const about = { turn: '', agent: { name: 'agent' }, session: to.session, at }
  return frameOf(about, to, { type: 'ERROR', message: to.words.stream.sessionEnded, data })
}

function toolData({ call, tool }: { call: string; tool: string }): JsonObject {
  return { id: call, name: visibleLine(tool) }
}

function result(full: string): { text: string; data: JsonObject } {
  const { value, shortened } = makeVisibleWithin(full, LIMITS.result, { lines: 'keep' })
  return { text: value.text, data: { responseData: value.text, shortened: shortened !== undefined } }
}

function mediaData(media: MediaItem[] | undefined): JsonObject {
  if (media === undefined || media.length === 0) return {}
  return { media: media.map(({ id, type, name }) => ({ id, type, ...defined({ name }) })) }
}

function mediaText({ type, name }: MediaItem): string {
  return `[${visibleLine(name ?? type)}]`
}

function cut(text: string): string {
  return makeVisibleWithin(text, LIMITS.result, { lines: 'keep' }).value.text
}

/** In parts that fit a frame, cut where a line ends if one does in the second half. Together they are the text. */
export function split(text: string, limit: number = LIMITS.text): string[] {
  const parts: string[] = []
  let rest = text.toWellFormed()
  while (rest.length > limit) {
    const line = rest.lastIndexOf('\n', limit - 1) + 1
    const at = line > limit / 2 ? line : isPair(rest, limit) ? limit - 1 : limit
    parts.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return [...parts, rest]
}

function isPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff
}
