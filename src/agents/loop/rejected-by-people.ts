/**
 * What a person has said no to, read from the log. A model that makes the same call again in the same turn gets the same
 * answer at once, and nobody is asked twice. One that keeps making calls of the same kind wears people down: after three in
 * a session the person is offered to be done with that kind.
 */

import type { TurnEntry } from '../../core/conversation.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { type Because, toldOf } from '../../core/reasons/reason.ts'

export interface Rejections {
  /** Why the very same call was rejected before in this turn, and by whom. */
  of(digest: string): (Because & { by?: string }) | undefined
  /** Who wants no more of this kind. */
  barred(shape: string): string | undefined
  /** Whether the person should now be offered to be done with this kind. */
  isWearing(shape: string): boolean
}

/** So many rejections of one kind, and the person is offered to be done with it. */
const NEAR_VARIANTS = 3

export function rejectionsIn(entries: readonly TurnEntry[], turn: string): Rejections {
  const byDigest = new Map<string, Because & { by?: string }>()
  const counts = new Map<string, number>()
  const barred = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind === 'barred') barred.set(entry.shape, entry.by)
    // Without a request it was a repetition, about which nobody was asked.
    if (entry.kind !== 'result' || entry.refusal?.state !== 'rejected' || entry.refusal.request === undefined)
      continue
    const { by } = entry.refusal
    // Who says something new may want it now: only within a turn is it the model that does not take no for an answer.
    if (entry.digest !== undefined && entry.turn === turn)
      byDigest.set(entry.digest, { ...toldOf(entry.refusal), ...defined({ by }) })
    if (entry.shape !== undefined) counts.set(entry.shape, (counts.get(entry.shape) ?? 0) + 1)
  }
  return {
    of: (digest) => byDigest.get(digest),
    barred: (shape) => barred.get(shape),
    isWearing(shape) {
      const count = counts.get(shape) ?? 0
      return count > 0 && count % NEAR_VARIANTS === 0 && !barred.has(shape)
    },
  }
}

/** What makes two calls variants of one another: the tool, and the program, the host or the file that it is about. */
export function shapeOf(tool: string, args: JsonObject): string {
  const { command, url, path, file_path: filePath } = args
  if (typeof command === 'string') return `${tool}: ${programOf(command)}`
  if (typeof url === 'string') return `${tool}: ${hostOf(url)}`
  const file = typeof path === 'string' ? path : filePath
  return typeof file === 'string' ? `${tool}: ${file}` : tool
}

function programOf(command: string): string {
  const first = command.trim().split(/\s/, 1)[0] ?? ''
  return first.slice(first.lastIndexOf('/') + 1).slice(0, 100)
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url.slice(0, 100)
}
