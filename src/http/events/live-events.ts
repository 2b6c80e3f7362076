/**
 * What changes, as one caller may see it. Agents see their own requests; people see every request of the namespace and
 * what else is written down (P6).
 *
 * A request comes whole, as it is now. So when it has changed again since an entry was written, that entry is passed
 * over, and the later one tells: nothing is told twice, and a reader who is slow hears less often, never less.
 */
import { isBanksmanError } from '../../core/errors.ts'
import { parseCanonical } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WatchEvent } from '../../gateway/live/watch.ts'
import type { WireEvent } from '../../wire/types/request.ts'
import type { Caller } from '../access/authentication.ts'
import { entriesToWire } from '../to-wire/records-to-wire.ts'
import type { Extent } from '../to-wire/render-request.ts'
import { requestToWire, type Viewer } from '../to-wire/request-to-wire.ts'
import type { StreamedEvent } from './event-stream.ts'

export type LiveEvent = StreamedEvent<WireEvent>

export interface LiveOptions {
  /** The cursor of the last event that was seen. */
  after: string | undefined
  signal: AbortSignal
  /** How much of a request is told; `cut` without it. */
  extent?: Extent
}

type WatchedChange = Extract<WatchEvent, { kind: 'change' }>

/** No store gives out such a cursor, so watching from it begins with `reset` and the newest one. */
const FROM_NOW = 'from-now'

/**
 * Without a cursor it begins with `reset`: list then, and nothing falls between the list and the stream. It ends where the
 * reader's own token is revoked: what was written after that is never told, however soon.
 */
export async function* liveEvents(
  gateway: Gateway,
  reader: Viewer & Pick<Caller, 'token'>,
  { after, signal, extent = 'cut' }: LiveOptions,
): AsyncGenerator<LiveEvent, void> {
  let told = after ?? FROM_NOW
  for await (const change of gateway.watch({ after: told, signal })) {
    const { cursor } = change
    if (change.kind === 'change' && revokes(change.entry, reader.token)) return
    const events =
      change.kind === 'reset'
        ? [{ type: 'reset', cursor } as const]
        : await tell(gateway, reader, extent, change)
    // Several events of one entry: whoever is cut off among them hears them all again rather than only some.
    for (const event of events.slice(0, -1)) yield { cursor: told, event: { ...event, cursor: told } }
    const last = events.at(-1)
    yield last === undefined ? { cursor } : { cursor, event: last }
    told = cursor
  }
}

function revokes({ type, body }: WatchedChange['entry'], token: string): boolean {
  return type === 'token.revoked' && parseCanonical<{ token: string }>(body).token === token
}

async function tell(
  gateway: Gateway,
  reader: Viewer,
  extent: Extent,
  { cursor, entry }: WatchedChange,
): Promise<WireEvent[]> {
  if (entry.request === undefined) {
    if (reader.actor.role === 'agent') return []
    return entriesToWire(entry).map((each) => ({ type: 'entry', cursor, entry: each }))
  }
  const request = await find(gateway, entry.request, reader)
  if (request === undefined || request.version > (entry.version ?? 0)) return []
  return [{ type: 'request', cursor, request: await requestToWire(gateway, request, reader, extent) }]
}

async function find(gateway: Gateway, id: string, reader: Viewer): Promise<Request | undefined> {
  try {
    return await gateway.get(id, reader.actor)
  } catch (error) {
    if (isBanksmanError(error, 'unknown_id')) return undefined
    throw error
  }
}
