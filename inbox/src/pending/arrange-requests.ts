/**
 * The pending requests as a list with headings: what one agent asks in one session stands together, the most urgent
 * request decides where its group stands, and inside a group the most urgent comes first.
 */
import type { WireRequest } from '../../../src/client/index.ts'
import { requestTitle } from '../model/requests/request-title.ts'

export type PendingListItem =
  | { readonly kind: 'group'; readonly key: string; readonly group: RequestGroup }
  | {
      readonly kind: 'request'
      readonly key: string
      readonly request: WireRequest
      readonly isGrouped: boolean
    }

export interface RequestGroup {
  /** Of one agent in one session. */
  readonly requests: readonly WireRequest[]
}

/** `pending` is in the order of deadlines. A request that is alone needs no heading. */
export function arrangeRequests(pending: readonly WireRequest[]): PendingListItem[] {
  const groups = new Map<string, WireRequest[]>()
  for (const request of pending) {
    const key = groupKey(request)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [request])
    else group.push(request)
  }
  const items: PendingListItem[] = []
  for (const [key, requests] of groups) {
    const isGrouped = requests.length > 1
    if (isGrouped) {
      items.push({
        kind: 'group',
        key,
        group: { requests },
      })
    }
    for (const request of requests) items.push({ kind: 'request', key: request.id, request, isGrouped })
  }
  return items
}

/** The agent with its parents before it; empty where the call named none. */
export function lineageOf({ agent }: WireRequest): readonly string[] {
  return agent === undefined ? [] : [...(agent.parents ?? []), agent.name]
}

/** Whether all of the words stand in what the list shows of it. */
export function matchesSearch(request: WireRequest, text: string, title?: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const shown = [
    request.tool,
    requestTitle(request),
    request.session,
    title ?? '',
    ...lineageOf(request),
    request.because,
  ]
  const all = shown.join(' ').toLowerCase()
  return words.every((word) => all.includes(word))
}

/** Arranged again at every change, ten thousand at a time: a request doesn't change, and its key is made once. */
const keys = new WeakMap<WireRequest, string>()

function groupKey(request: WireRequest): string {
  let key = keys.get(request)
  if (key === undefined) {
    key = JSON.stringify([request.session, lineageOf(request)])
    keys.set(request, key)
  }
  return key
}
