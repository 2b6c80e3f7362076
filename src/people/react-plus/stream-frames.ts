/**
 * One stream: what happens in a turn, until it ends. Each text is one frame. What waits for a person is shown as it is when
 * it is shown, and is told when it is over, whoever decided it. A stream that breaks off withdraws nothing (P8).
 */
import type { TurnEvent } from '../../core/conversation.ts'
import { isFinalEvent, translate } from './protocol/event-frames.ts'
import { type FramePlace, frameId, frameText } from './protocol/frame.ts'
import { createShownRequests, type ShownRequests, type ShownRequestsParts } from './shown-requests.ts'
import { createWakeSignal, type WakeSignal } from './wake-signal.ts'

export interface StreamFramesOptions extends Omit<ShownRequestsParts, 'turn'> {
  place: FramePlace
  /** Some of the turn was told before: what waits is shown again. */
  wasTold: boolean
  keepAliveMs: number
  /** Aborts when the stream is over, however it ends. */
  signal: AbortSignal
}

/** How soon to come back when the stream broke off. */
const RETRY_MS = 1000

export async function* streamFrames(following: StreamFramesOptions): AsyncGenerator<string, void> {
  const { ports, actor, session, place, signal } = following
  if (signal.aborted) return
  const bell = createWakeSignal()
  const board = createShownRequests({ ...following, turn: place.turn }, bell.ring)
  const stop = new AbortController()
  const options = { after: place.after, signal: stop.signal }
  const events = createPuller(ports.conversing.events(session, options, actor), bell)
  let isKeepAliveDue = false
  let timer = { cancel() {} }
  const keepAliveLater = () => {
    timer = ports.clock.after(following.keepAliveMs, () => {
      isKeepAliveDue = true
      bell.ring()
      keepAliveLater()
    })
  }
  const end = () => {
    timer.cancel()
    board.close()
    stop.abort()
    bell.ring()
  }
  signal.addEventListener('abort', end, { once: true })

  try {
    keepAliveLater()
    yield `retry: ${RETRY_MS}\n\n`
    if (following.wasTold) await board.bringUpAll()
    while (!signal.aborted) {
      for (const text of await board.told()) yield text
      if (isKeepAliveDue) {
        isKeepAliveDue = false
        yield ': keep-alive\n\n'
      }
      const came = events.take()
      if (came === undefined) {
        await bell.rung()
        continue
      }
      if (came.kind === 'failed' && !signal.aborted) {
        ports.report({ doing: 'following a turn for react-plus', error: came.error })
      }
      if (came.kind !== 'event') return
      yield* tell(came.event, following, board)
      if (isFinalEvent(came.event, session, place.turn)) return
    }
  } finally {
    signal.removeEventListener('abort', end)
    end()
    events.close()
  }
}

async function* tell(
  event: TurnEvent,
  following: StreamFramesOptions,
  board: ShownRequests,
): AsyncGenerator<string, void> {
  const { place, session, ports } = following
  const isFinal = isFinalEvent(event, session, place.turn)
  if (place.endOnly === true && !isFinal) return
  if (event.kind === 'call_waiting') {
    const text = await board.show(event.request, event.id)
    if (text !== undefined) yield text
    return
  }
  const request = await board.settle(event)
  if (event.kind === 'call_answered' && request !== undefined) yield board.settledText(request)
  if (isFinal) for (const text of await board.clear()) yield text
  const frames = translate(event, following, { knownTool: ports.deciding.knownTool, request })
  const skip = place.partly?.event === event.id ? place.partly.frames : 0
  for (const [index, frame] of frames.entries()) {
    if (index >= skip) yield frameText(frame, frameId(event.id, index, frames.length))
  }
}

type Came = { kind: 'event'; event: TurnEvent } | { kind: 'failed'; error: unknown } | { kind: 'over' }

interface Puller {
  /** What came; undefined while nothing has, and the bell rings when it does. */
  take(): Came | undefined
  close(): void
}

function createPuller(events: AsyncIterable<TurnEvent>, bell: WakeSignal): Puller {
  const iterator = events[Symbol.asyncIterator]()
  let isAsked = false
  let came: Came | undefined
  const hear = (what: Came) => {
    came = what
    bell.ring()
  }
  return {
    take() {
      if (!isAsked) {
        isAsked = true
        iterator.next().then(
          ({ done, value }) => hear(done === true ? { kind: 'over' } : { kind: 'event', event: value }),
          (error) => hear({ kind: 'failed', error }),
        )
      }
      const taken = came
      if (taken === undefined) return undefined
      came = undefined
      isAsked = false
      return taken
    },
    close() {
      // Not waited for: it may be at rest in a read that only the signal ends.
      iterator.return?.().then(undefined, () => {})
    },
  }
}
