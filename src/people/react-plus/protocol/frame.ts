/**
 * One frame of the stream. There are clients that take what one read gives them for whole frames, so a frame goes out in
 * one write, and for those clients it is kept short enough not to be cut on the way.
 */
import type { JsonObject } from '../../../core/json/json.ts'

export type FrameType =
  | 'THINKING'
  | 'ACTING'
  | 'TOOL_APPROVAL'
  | 'TOOL'
  | 'OBSERVING'
  | 'COMPLETED'
  | 'ERROR'
  | 'PROGRESS'

export interface Frame {
  type: FrameType
  message: string | null
  data: JsonObject
  meta: JsonObject
  /** As the client calls it. */
  sessionId: string
  turnId: string
  messageId: string
  agentId: string
  startTime: string
  endTime: string | null
}

/** How much of a text fits a frame. Longer ones are told in several, or shortened with a mark. */
export const LIMITS = {
  /** Of what the model says: three times as many bytes at most. */
  text: 4000,
  /** Of a tool's result, which the history has whole. */
  result: 2000,
  /** Of arguments that somebody is asked about, as JSON. */
  asked: 8000,
  /** Of arguments that are only told. */
  told: 2000,
} as const

/** Without an id it is an aside, and nothing goes on from it. */
export function frameText(frame: Frame, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}

/**
 * The id of an event's frame. An event that takes several frames has its own id on the last of them, so that a stream that
 * broke off between two of them goes on with the next.
 */
export function frameId(event: string, index: number, of: number): string {
  return index === of - 1 ? event : `${event}.${index + 1}`
}

/** Where a stream begins. */
export interface FramePlace {
  turn: string
  /** The id of the last event that was told whole. */
  after: string
  /** The event after it, when some of its frames were told, and how many. */
  partly?: { event: string; frames: number }
  /** All of it was told: only the end is told again. */
  endOnly?: true
}

/**
 * Where a client stands that has seen the frame with this id; undefined for what can't be an id of ours. What follows the
 * turn in it is the agent's: a number in the book of a process, or what leads nowhere and has the turn told again.
 */
export function placeOf(id: string): FramePlace | undefined {
  const found = FRAME_ID.exec(id)
  if (found === null) return undefined
  const [, turn = '', name = '', part] = found
  const event = `${turn}-${name}`
  if (part === undefined) return { turn, after: event }
  const [, book = '', number] = EVENT_NUMBER.exec(name) ?? []
  if (number === undefined) return { turn, after: beginningOf(turn) }
  return { turn, after: `${turn}-${book}${Number(number) - 1}`, partly: { event, frames: Number(part) } }
}

/** The place before the first event of a turn. */
export function beginningOf(turn: string): string {
  return `${turn}-0`
}

/** A number in the book of one process, or one that leads nowhere. */
const EVENT_NUMBER = /^(n\w{1,40}_)?(\d+)$/
const FRAME_ID = /^([\w.:-]{1,200})-(\w{1,100})(?:\.([1-9]\d{0,3}))?$/

export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
