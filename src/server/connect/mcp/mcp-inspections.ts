/**
 * Whether the MCP servers of clients on this machine are behind us, for the inbox. A client's file may have megabytes, and nobody else is
 * served while it is parsed: so the look is taken in a thread of its own, within a time, and what it found is kept for a while.
 */
import type { Environment } from '../../configuration/store-configuration.ts'
import { inThread } from '../../host/run-in-thread.ts'
import { type InspectedEntry, inspectMcp } from './inspect-mcp.ts'
import { readMcpRecord } from './mcp-record.ts'

export interface McpInspectionPlace {
  environment: Environment
  /** Beside the folders that clients were connected in. */
  project: string
}

/** Somebody has just mended it, and looks again. */
const KEPT_MS = 30_000
const WITHIN_MS = 20_000

/** Throws where it can't be known. Whoever asks meanwhile gets the same answer. */
export function createMcpInspections(
  place: McpInspectionPlace,
  now: () => number,
): () => Promise<InspectedEntry[]> {
  let last: { found: Promise<InspectedEntry[]>; until: number } | undefined
  return async () => {
    if (last === undefined || now() >= last.until) {
      const mine = { found: inspect(place), until: Number.POSITIVE_INFINITY }
      last = mine
      const keep = () => {
        mine.until = now() + KEPT_MS
      }
      mine.found.then(keep, keep)
    }
    return last.found
  }
}

async function inspect(place: McpInspectionPlace): Promise<InspectedEntry[]> {
  // Mostly there is none, and a thread costs more than this look.
  if (readMcpRecord(place.environment).entries.length === 0) return []
  return look(place, WITHIN_MS)
}

const look = inThread(
  import.meta.filename,
  'look at the files of MCP clients',
  ({ environment, project }: McpInspectionPlace) => inspectMcp(environment, project).entries,
)
