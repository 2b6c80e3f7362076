/**
 * Changes of other nodes, heard on a connection of its own. A message that was missed is made up for: whenever the
 * connection was away, the listeners are told that anything may have changed.
 */
import { parseJson } from '../../../core/json/parse-json.ts'
import { type Redact, shownUrl } from './errors.ts'
import type { Hints } from './hints.ts'
import type { RedisLink } from './link.ts'
import { openReconnectingLink, type ReconnectingLink } from './reconnecting-link.ts'

export interface WakeUpOptions {
  url: string
  /** Any key of the namespace: what is published where it lives is heard there, whatever the nodes of a cluster hear of each other. */
  key: string
  redact: Redact
  channel: string
  /** Messages of this store object are none of another's. */
  isOwn(origin: string): boolean
  hints: Hints
  report(fault: { doing: string; error: unknown }): void
}

/** A message names so many requests at most; above that any may have changed. */
const MOST_NAMED = 100
/** A subscription that died in silence is found within this and the time of a reply. */
const PING_EVERY_MS = 5000

/** Undefined: any request may have changed. */
export function wakeMessage(origin: string, requests: readonly string[] | undefined): string {
  const named = requests !== undefined && requests.length <= MOST_NAMED ? requests : null
  return JSON.stringify([origin, named])
}

export async function subscribeToWakeUps(options: WakeUpOptions): Promise<Omit<ReconnectingLink, 'link'>> {
  const { url, key, redact, channel, isOwn, hints, report } = options

  function hear(message: string): void {
    const told = readMessage(message)
    if (told !== undefined && isOwn(told.origin)) return
    hints.tell(told?.requests === undefined ? { local: false } : { local: false, requests: told.requests })
  }

  function keepAwake(link: RedisLink): void {
    const timer = setInterval(() => {
      // A reply that does not come ends the link, and that is all that is wanted of it.
      link.send(['PING']).catch(() => {})
    }, PING_EVERY_MS)
    void link.ended.then(() => clearInterval(timer))
  }

  const kept: ReconnectingLink = await openReconnectingLink({
    url,
    key,
    redact,
    opening: `hearing of changes from Redis at ${shownUrl(url)}`,
    keeping: 'hearing of changes from Redis',
    async prepare(link) {
      await link.subscribe(channel, hear)
      keepAwake(link)
    },
    reopened: () => hints.tell({ local: false }),
    report,
  })
  return kept
}

/** Undefined for what no store wrote: then anything may have changed. */
function readMessage(message: string): { origin: string; requests?: string[] } | undefined {
  try {
    const read: unknown = parseJson(message)
    if (!Array.isArray(read) || typeof read[0] !== 'string') return undefined
    const requests: unknown = read[1]
    const isNamed = Array.isArray(requests) && requests.every((id) => typeof id === 'string')
    return isNamed ? { origin: read[0], requests } : { origin: read[0] }
  } catch {
    return undefined
  }
}
