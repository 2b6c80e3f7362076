/**
 * What one stream has shown and is still open. A request is shown as it is at that moment and with the id that stands for
 * it (P3); what is over is told; what could not be read is shown later, since nobody may wait for an answer to what was
 * never shown.
 */
import type { TurnEvent } from '../../core/conversation.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { type Request, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { ConversingPorts } from '../driver.ts'
import { pendingInConversation } from './conversation-requests.ts'
import type { OpenStreams } from './open-streams.ts'
import { type FrameTranslation, frameOf, settledParts } from './protocol/event-frames.ts'
import { frameText } from './protocol/frame.ts'
import { interactionOf } from './protocol/interaction.ts'

export interface ShownRequests {
  /** The frame that shows the request; undefined when it is over, or shown as it is. */
  show(request: string, event: string): Promise<string | undefined>
  /** Takes down what an event says is over, and gives it where the frames of the event tell of it. */
  settle(event: TurnEvent): Promise<Request | undefined>
  settledText(request: Request): string
  /** All that was to be shown again, as frames without an id. */
  told(): Promise<string[]>
  /** Has everything shown that waits in the conversation. */
  bringUpAll(): Promise<void>
  /** The turn is over: what became of all that is still up. */
  clear(): Promise<string[]>
  close(): void
}

export interface ShownRequestsParts extends FrameTranslation {
  ports: ConversingPorts
  streams: OpenStreams
  actor: Actor
  turn: string
  /** The client keeps the beginning of a frame that was cut, and what it was asked before. */
  isBuffered: boolean
}

/** After a failure to read a request. */
const READ_AGAIN_MS = 1000
/**
 * A client that isn't buffered shows one request at a time, and closes it when its POST is answered, whatever came up
 * meanwhile and whatever the answer says. So it is told what is pending after every answer: a second later, when nearly every
 * POST was answered, and once more for slow connections.
 */
const TELL_AGAIN_MS = [1000, 10_000] as const

/** Events whose frames tell what became of the request. */
const TELLING: ReadonlySet<TurnEvent['kind']> = new Set(['call_started', 'call_answered', 'call_refused'])

export function createShownRequests(parts: ShownRequestsParts, ring: () => void): ShownRequests {
  const { ports, actor, session, streams, turn } = parts
  /** The digest that was shown, by request. */
  const up = new Map<string, string>()
  const again = new Set<string>()
  const timers = new Set<{ cancel(): void }>()
  let isClosed = false
  const bringUp = (id: string) => {
    again.add(id)
    ring()
  }
  const registration = streams.add(session, { look: bringUp, answered: tellAgain })

  function later(delayMs: number, callback: () => void): void {
    if (isClosed) return
    const timer = ports.clock.after(delayMs, () => {
      timers.delete(timer)
      callback()
    })
    timers.add(timer)
  }

  async function read(id: string): Promise<Request | undefined> {
    try {
      return await ports.deciding.get(id, actor)
    } catch (error) {
      ports.report({ doing: `showing ${id} in react-plus`, error })
      if (!isBanksmanError(error, 'unknown_id')) later(READ_AGAIN_MS, () => bringUp(id))
      return undefined
    }
  }

  async function bringUpAll(): Promise<void> {
    try {
      for (const request of await pendingInConversation(ports, session, actor)) bringUp(request.id)
    } catch (error) {
      ports.report({ doing: 'looking for what waits in a conversation of react-plus', error })
      later(READ_AGAIN_MS, () => void bringUpAll())
    }
  }

  /** In the order in which they were told: a page that shows the last one goes on showing it. */
  function tellAgain(): void {
    if (parts.isBuffered) return
    for (const delayMs of TELL_AGAIN_MS) later(delayMs, () => [...up.keys()].forEach(bringUp))
  }

  /** False when it was not up. */
  function takeDown(id: string): boolean {
    if (!up.delete(id)) return false
    tellAgain()
    return true
  }

  /** This person has approved it, and others must: they aren't asked again. */
  function isAnswered(request: Request): boolean {
    const voted = (request.progress.votes ?? []).some(({ by }) => by === actor.subject)
    return voted && up.get(request.id) === shownDigest(request)
  }

  const about = (request: Request) => ({
    turn,
    agent: request.agent ?? { name: 'agent' },
    session: request.session,
    at: request.createdAt,
  })

  function shownText(request: Request, event?: string): string {
    up.delete(request.id)
    up.set(request.id, shownDigest(request))
    const { label, words, isBuffered } = parts
    const { data, meta } = interactionOf(request, {
      label,
      words,
      now: ports.clock.now(),
      whole: isBuffered,
      knownTool: ports.deciding.knownTool,
    })
    const message = data.message as string
    return frameText(frameOf(about(request), parts, { type: 'TOOL_APPROVAL', message, data, meta }), event)
  }

  function settledText(request: Request): string {
    return frameText(frameOf(about(request), parts, settledParts(request, parts.words)))
  }

  return {
    settledText,
    async show(id, event) {
      const request = await read(id)
      if (request?.state !== 'pending' || up.get(id) === shownDigest(request)) return undefined
      return shownText(request, event)
    },
    async settle(event) {
      const id = 'request' in event && event.kind !== 'call_waiting' ? event.request : undefined
      if (id === undefined) return undefined
      takeDown(id)
      if (!TELLING.has(event.kind)) return undefined
      return ports.deciding.get(id, actor).catch(() => undefined)
    },
    async told() {
      const texts: string[] = []
      for (const id of [...again]) {
        again.delete(id)
        const request = await read(id)
        if (request === undefined) continue
        if (request.state !== 'pending') {
          if (takeDown(id)) texts.push(settledText(request))
        } else if (!isAnswered(request)) texts.push(shownText(request))
      }
      return texts
    },
    bringUpAll,
    async clear() {
      const texts: string[] = []
      for (const id of up.keys()) {
        const request = await ports.deciding.get(id, actor).catch(() => undefined)
        if (request !== undefined && request.state !== 'pending') texts.push(settledText(request))
      }
      up.clear()
      return texts
    },
    close() {
      isClosed = true
      registration.remove()
      for (const timer of timers) timer.cancel()
    },
  }
}
