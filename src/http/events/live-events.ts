/**
 * What changes, as one caller may see it. Agents see their own requests; people see every request of the namespace and
 * what else is written down (P6).
 *
 * A request comes whole, as it is now. So when it has changed again since an entry was written, that entry is passed
 * over, and the later one tells: nothing is told twice, and a reader who is slow hears less often, never less.
 *
 * The text of a request is written once for all who read it in one language and to one extent. What the reader may see
 * and do is looked up for each reader, and written behind it.
 */

import { defined } from '../../core/defined.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { SharedRead } from '../../gateway/live/shared-reads.ts'
import type { WatchEvent } from '../../gateway/live/watch.ts'
import type { WireEvent } from '../../wire/types/answers.ts'
import type { WireRequest } from '../../wire/types/request.ts'
import type { Caller } from '../access/authentication.ts'
import { entriesToWire } from '../to-wire/records-to-wire.ts'
import { type Extent, type RenderedRequest, renderRequest } from '../to-wire/render-request.ts'
import { partOfReader, type Viewer } from '../to-wire/request-to-wire.ts'
import type { StreamedEvent } from './event-stream.ts'

export interface LiveOptions {
  /** The cursor of the last event that was seen. */
  after: string | undefined
  signal: AbortSignal
  /** How much of a request is told; `cut` without it. */
  extent?: Extent
}

type WatchedEntry = Extract<WatchEvent, { kind: 'change' }>['entry']
type EventType = WireEvent['type']

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
): AsyncGenerator<StreamedEvent, void> {
  let told = after ?? FROM_NOW
  for await (const change of gateway.watch({ after: told, signal })) {
    const { cursor } = change
    if (change.kind === 'reset') yield { cursor, event: eventOf('reset', cursor) }
    else {
      const { entry } = change
      if (revokes(entry, reader.token)) return
      const type: EventType = entry.request === undefined ? 'entry' : 'request'
      const texts =
        type === 'entry' ? entryTexts(entry, reader) : await requestTexts(gateway, entry, reader, extent)
      // Several events of one entry: whoever is cut off among them hears them all again rather than only some.
      for (const text of texts.slice(0, -1)) yield { cursor: told, event: eventOf(type, told, text) }
      const last = texts.at(-1)
      yield last === undefined ? { cursor } : { cursor, event: eventOf(type, cursor, last) }
    }
    told = cursor
  }
}

function revokes({ type, body }: WatchedEntry, token: string): boolean {
  return type === 'token.revoked' && parseJson<{ token: string }>(body).token === token
}

/** A `WireEvent` as text: what it tells of is the member that has the name of its type. */
function eventOf(type: EventType, cursor: string, text?: string): NonNullable<StreamedEvent['event']> {
  const head = JSON.stringify({ type, cursor } satisfies Pick<WireEvent, 'type' | 'cursor'>)
  return { name: type, data: text === undefined ? head : `${head.slice(0, -1)},"${type}":${text}}` }
}

/** Everybody who watches is handed the same entry, and all people are told the same of it. */
const written = new WeakMap<WatchedEntry, readonly string[]>()

function entryTexts(entry: WatchedEntry, { actor }: Viewer): readonly string[] {
  if (actor.role === 'agent') return []
  let texts = written.get(entry)
  if (texts === undefined) {
    texts = entriesToWire(entry).map((each) => JSON.stringify(each))
    written.set(entry, texts)
  }
  return texts
}

interface SharedText extends Pick<RenderedRequest, 'covered'> {
  /** The request as JSON, without the members of one reader and without the last brace. */
  text: string
}

async function requestTexts(
  gateway: Gateway,
  entry: WatchedEntry,
  reader: Viewer,
  extent: Extent,
): Promise<readonly string[]> {
  const read = await gateway.readChanged(entry, reader.actor)
  if (read === undefined) return []
  const { actor, locale } = reader
  const shared = await read.once(`${locale} ${extent}`, () => sharedText(gateway, read, locale, extent))
  // From here to the connection nothing waits: what this reader may do is what they may do now.
  const own: Pick<WireRequest, 'covered' | 'yours'> = {
    ...partOfReader(shared, read.request, actor),
    yours: read.isDecidableBy(actor),
  }
  return [`${shared.text},${JSON.stringify(own).slice(1)}`]
}

async function sharedText(
  gateway: Gateway,
  { request }: SharedRead,
  locale: Viewer['locale'],
  extent: Extent,
): Promise<SharedText> {
  const { request: same, covered } = await renderRequest(gateway, request, { locale, extent })
  return { text: JSON.stringify(same).slice(0, -1), ...defined({ covered }) }
}
