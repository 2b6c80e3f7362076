/** An entry of the journal for reading: its time and its body laid out. The text that was hashed is what it is made of. */

import type { WireJournalEntry } from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import { parseJson } from '../../../../../src/core/json/parse-json.ts'
import { visibleBlock } from '../../../model/text/visible-line.ts'

export interface ReadEntry {
  n: number
  type: string
  at?: string
  request?: string
  /** The body, one member a line, with what can't be seen written out. */
  text: string
}

export function readEntry({ n, type, request, body }: WireJournalEntry): ReadEntry {
  const value = parsed(body)
  const at = typeof value === 'object' && value !== null ? (value as { at?: unknown }).at : undefined
  const moment = typeof at === 'number' ? new Date(at) : undefined
  return {
    n,
    type,
    ...(moment === undefined || Number.isNaN(moment.getTime()) ? {} : { at: moment.toISOString() }),
    ...defined({ request }),
    text: visibleBlock(value === undefined ? body : JSON.stringify(value, null, 2)),
  }
}

/** Which entries a page of a chain holds, the newest on it being `to`. */
export function entriesUpTo(
  last: number,
  to: number | undefined,
  size: number,
): { after: number; to: number } {
  const end = Math.min(last, to === undefined || !Number.isSafeInteger(to) || to < 1 ? last : to)
  return { after: Math.max(0, end - size), to: end }
}

function parsed(body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}
