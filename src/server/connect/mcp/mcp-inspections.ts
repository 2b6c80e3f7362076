/**
 * Whether the MCP servers of clients on this machine are behind us, for the inbox. A client's file may have megabytes, and nobody else is
 * served while it is parsed: so the look is taken in a thread of its own, within a time, and what it found is kept for a while.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Environment } from '../../configuration/store-configuration.ts'
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
const TASK = 'look at the files of MCP clients'

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
  const thread = new Worker(import.meta.filename, { workerData: { task: TASK, place } })
  thread.unref()
  const late = setTimeout(() => void thread.terminate(), WITHIN_MS)
  late.unref()
  try {
    return await new Promise<InspectedEntry[]>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('it took too long')))
    })
  } finally {
    clearTimeout(late)
    void thread.terminate()
  }
}

interface ThreadData {
  task?: unknown
  place: McpInspectionPlace
}

const given = workerData as ThreadData | null
if (!isMainThread && given?.task === TASK)
  parentPort!.postMessage(inspectMcp(given.place.environment, given.place.project).entries)
