/**
 * A visit that wants a stream. With a message, something is said: that begins a turn, or steers the one that runs. Without
 * one it follows a turn: from the frame after `Last-Event-ID`, or, where that is not given, from the beginning of the turn
 * that runs.
 */
import { BanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import type { ChannelContext, DoorAnswer, DoorCaller, DoorRequest } from '../door.ts'
import { CHANNEL } from './channel.ts'
import type { OpenStreams } from './open-streams.ts'
import { isFinalEvent } from './protocol/event-frames.ts'
import { beginningOf, type FramePlace, placeOf } from './protocol/frame.ts'
import { readObject, textField } from './protocol/request-body.ts'
import { type ReactPlusWords, wordsOf } from './protocol/words.ts'
import { sessionIdOf } from './session-id.ts'
import { streamFrames } from './stream-frames.ts'

export interface StreamSettings {
  keepAliveMs: number
}

export async function openStream(
  desk: ChannelContext,
  streams: OpenStreams,
  { keepAliveMs }: StreamSettings,
  visit: DoorRequest,
  caller: DoorCaller,
): Promise<DoorAnswer> {
  const words = wordsOf(visit)
  const asked = await read(visit, words)
  const label = asked.label ?? `session-${desk.randomId()}`
  const session = sessionIdOf(caller, label)
  const actor = { ...caller.actor, via: CHANNEL }
  const attached =
    asked.message === undefined ? await placeToFollow(desk, session, actor, visit, words) : undefined
  const presence = await desk.arrive({
    channel: CHANNEL,
    connection: desk.randomId(),
    subject: actor.subject,
    conversation: session,
  })
  visit.signal.addEventListener('abort', presence.leave, { once: true })
  if (visit.signal.aborted) presence.leave()
  let start = attached
  try {
    start ??= await say(desk, session, asked.message ?? '', actor)
  } catch (error) {
    presence.leave()
    throw error
  }
  return {
    kind: 'stream',
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    body: streamFrames({
      desk,
      streams,
      actor,
      session,
      label,
      words,
      ...start,
      deltas: asked.isBuffered,
      isBuffered: asked.isBuffered,
      keepAliveMs,
      signal: visit.signal,
    }),
  }
}

interface StreamInput {
  label: string | undefined
  message: string | undefined
  isBuffered: boolean
}

interface Start {
  place: FramePlace
  wasTold: boolean
}

async function read(visit: DoorRequest, words: ReactPlusWords): Promise<StreamInput> {
  const body = readObject(await visit.text())
  const text = (name: string): string | undefined => {
    const field = textField(body, name)
    if (field.kind === 'wrong') throw new BanksmanError('invalid', words.responses.notText(name))
    return field.kind === 'text' ? field.text : undefined
  }
  const label = text('sessionId')
  const message = text('message')
  if (message === undefined && label === undefined) {
    throw new BanksmanError('invalid', words.responses.missing('message'))
  }
  return { label, message, isBuffered: body.buffered === true }
}

async function say(desk: ChannelContext, session: string, text: string, actor: Actor): Promise<Start> {
  const origin = { channel: CHANNEL, conversation: session }
  const { turn, kind, after } = await desk.conversations.say({ session, text, origin }, actor)
  return { place: { turn, after }, wasTold: kind === 'steered' }
}

async function placeToFollow(
  desk: ChannelContext,
  session: string,
  actor: Actor,
  visit: DoorRequest,
  words: ReactPlusWords,
): Promise<Start> {
  const running = await desk.conversations.running(session, actor)
  const last = visit.header('last-event-id')?.trim() ?? ''
  if (last === '') {
    if (running === undefined) throw new BanksmanError('invalid', words.stream.nothingRuns)
    return { place: { turn: running, after: beginningOf(running) }, wasTold: false }
  }
  const place = placeOf(last)
  if (place === undefined) throw new BanksmanError('invalid', words.stream.badPlace)
  if (place.turn === running) return { place, wasTold: true }
  const state = await stateOf(desk, session, place.turn, actor)
  if (state === 'unknown') throw new BanksmanError('unknown_id', words.stream.unknownTurn)
  if (state === 'begun') return { place, wasTold: true }
  // Whoever has heard everything is told the end again, rather than nothing for ever.
  const end = await endOf(desk, session, place.turn, actor, visit.signal)
  const isAtEnd = end === place.after && place.partly === undefined
  if (!isAtEnd) return { place, wasTold: false }
  return { place: { turn: place.turn, after: beginningOf(place.turn), endOnly: true }, wasTold: false }
}

const PAGE = 200

async function stateOf(
  desk: ChannelContext,
  session: string,
  turn: string,
  actor: Actor,
): Promise<'unknown' | 'begun' | 'ended'> {
  let state: 'unknown' | 'begun' = 'unknown'
  for (let after = 0; ; ) {
    const { entries, more } = await desk.conversations.entries(session, { after, limit: PAGE }, actor)
    for (const entry of entries) {
      if (entry.kind === 'erased' || entry.turn !== turn) continue
      if (entry.kind === 'ended') return 'ended'
      state = 'begun'
    }
    if (!more || entries.length === 0) return state
    after += entries.length
  }
}

/** The id of the last event of a turn that has ended. */
async function endOf(
  desk: ChannelContext,
  session: string,
  turn: string,
  actor: Actor,
  signal: AbortSignal,
): Promise<string | undefined> {
  for await (const event of desk.conversations.events(session, { after: beginningOf(turn), signal }, actor)) {
    if (isFinalEvent(event, session, turn)) return event.id
  }
  return undefined
}
