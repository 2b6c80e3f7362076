/** What the filters show, as JSON lines for a file: page after page, within a bound. */

import type { HistoryQuery, ServerCalls } from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'

/** More than that is a matter for the command line and the journal. */
export const MOST_EXPORTED = 10_000
const PAGE = 200
/** A filter that hardly ever matches is looked through in many short pages. */
const MOST_PAGES = 500

export interface ExportedHistory {
  lines: string[]
  count: number
  /** There is more than that. */
  isCut: boolean
}

export async function exportHistory(
  client: Pick<ServerCalls, 'history'>,
  query: HistoryQuery,
  { signal, told }: { signal: AbortSignal; told(count: number): void },
): Promise<ExportedHistory> {
  const lines: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const limit = Math.min(PAGE, MOST_EXPORTED - lines.length)
    const answer = await client.history({ ...query, limit, ...defined({ cursor }) }, { signal })
    for (const item of answer.items) lines.push(`${JSON.stringify(item)}\n`)
    told(lines.length)
    cursor = answer.cursor
    if (cursor === undefined || lines.length >= MOST_EXPORTED) break
  }
  return { lines, count: lines.length, isCut: cursor !== undefined }
}
