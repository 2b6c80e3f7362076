/**
 * A request for a stream. With a message, something is said: that begins a turn, or steers the one that runs. Without
 * one it follows a turn: from the frame after `Last-Event-ID`, or, where that is not given, from the beginning of the turn
 * that runs.
 */
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import type { CallerRequest, DoorAnswer } from '../door.ts'
import type { ConversingPorts } from '../driver.ts'
import { CHANNEL } from './channel.ts'
import type { OpenStreams } from './open-streams.ts'
import { isFinalEvent, sessionEndedFrame } from './protocol/event-frames.ts'
import { beginningOf, type FramePlace, frameText, placeOf } from './protocol/frame.ts'
import { readObject, textField } from './protocol/request-body.ts'
import { type ReactPlusWords, wordsOf } from './protocol/words.ts'
import { sessionIdOf } from './session-id.ts'
import { streamFrames } from './stream-frames.ts'

export interface StreamSettings {
  keepAliveMs: number
}

export async function openStream(
  ports: ConversingPorts,
  streams: OpenStreams,
  { keepAliveMs }: StreamSettings,
  request: CallerRequest,
): Promise<DoorAnswer> {
  const { caller } = request
  const words = wordsOf(request)
  const asked = await read(request, words)
  const label = asked.label ?? `session-${ports.randomId()}`
  const session = sessionIdOf(caller, label)
  const { actor } = caller
  const attached =
    asked.message === undefined ? await placeToFollow(ports, session, actor, request, words) : undefined
  const presence = await ports.arrive({
    channel: CHANNEL,
    connection: ports.randomId(),
    subject: actor.subject,
    conversation: session,
  })
  request.signal.addEventListener('abort', presence.leave, { once: true })
  if (request.signal.aborted) presence.leave()
  let start = attached
  const to = { session, label, words, deltas: asked.isBuffered }
  try {
    start ??= await say(ports, session, asked.message ?? '', actor)
  } catch (error) {
    presence.leave()
    if (!isBanksmanError(error, 'session_ended')) throw error
    // Pages look for events and not at the status.
    return streamAnswer(only(frameText(sessionEndedFrame(to, ports.clock.now()))))
  }
  return streamAnswer(
    streamFrames({
      ...to,
      ports,
      streams,
      actor,
      ...start,
      isBuffered: asked.isBuffered,
      keepAliveMs,
      signal: request.signal,
    }),
  )
}

function streamAnswer(body: AsyncIterable<string>): DoorAnswer {
  return {
    kind: 'stream',
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    body,
  }
}

async function* only(text: string): AsyncGenerator<string, void> {
  yield text
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

async function read(request: CallerRequest, words: ReactPlusWords): Promise<StreamInput> {
  const body = readObject(await request.text())
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

async function say(ports: ConversingPorts, session: string, text: string, actor: Actor): Promise<Start> {
  const origin = { channel: CHANNEL, conversation: session }
  const { turn, kind, after } = await ports.conversing.say({ session, text, origin }, actor)
  return { place: { turn, after }, wasTold: kind === 'steered' }
}

async function placeToFollow(
  ports: ConversingPorts,
  session: string,
  actor: Actor,
  request: CallerRequest,
  words: ReactPlusWords,
): Promise<Start> {
  const running = await ports.conversing.running(session, actor)
  const last = request.header('last-event-id')?.trim() ?? ''
  if (last === '') {
    if (running === undefined) throw new BanksmanError('invalid', words.stream.nothingRuns)
    return { place: { turn: running, after: beginningOf(running) }, wasTold: false }
  }
  const place = placeOf(last)
  if (place === undefined) throw new BanksmanError('invalid', words.stream.badPlace)
  if (place.turn === running) return { place, wasTold: true }
  const state = await stateOf(ports, session, place.turn, actor)
  if (state === 'unknown') throw new BanksmanError('unknown_id', words.stream.unknownTurn)
  if (state === 'begun') return { place, wasTold: true }
  // Whoever has heard everything is told the end again, rather than nothing for ever.
  const end = await endOf(ports, session, place.turn, actor, request.signal)
  const isAtEnd = end === place.after && place.partly === undefined
  if (!isAtEnd) return { place, wasTold: false }
  return { place: { turn: place.turn, after: beginningOf(place.turn), endOnly: true }, wasTold: false }
}

const PAGE = 200

async function stateOf(
  ports: ConversingPorts,
  session: string,
  turn: string,
  actor: Actor,
): Promise<'unknown' | 'begun' | 'ended'> {
  let state: 'unknown' | 'begun' = 'unknown'
  for (let after = 0; ; ) {
    const { entries, more } = await ports.conversing.entries(session, { after, limit: PAGE }, actor)
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
  ports: ConversingPorts,
  session: string,
  turn: string,
  actor: Actor,
  signal: AbortSignal,
): Promise<string | undefined> {
  for await (const event of ports.conversing.events(session, { after: beginningOf(turn), signal }, actor)) {
    if (isFinalEvent(event, session, turn)) return event.id
  }
  return undefined
}
