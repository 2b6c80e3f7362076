/** What a session did just before it asked: often that tells more of a call than the call itself. */
import type { Request } from '../../core/request.ts'
import type { PastCall, Store } from '../../stores/store.ts'

export type CallBefore = Pick<PastCall, 'callId' | 'tool' | 'bytes' | 'verdict' | 'request' | 'createdAt'>

export interface CallsBefore {
  /** To be told of calls of the past, the newest first. */
  see(call: PastCall): void
  list(): Promise<CallBefore[]>
}

const MOST_SHOWN = 5
const MOST_READ = 50

export function gatherCallsBefore(store: Pick<Store, 'get' | 'calls'>, request: Request): CallsBefore {
  const found = new Map<string, CallBefore>()

  function add(
    call: Omit<CallBefore, 'request'> & { session: string; request?: CallBefore['request'] },
  ): void {
    if (call.session !== request.session || call.callId === request.callId) return
    if (call.createdAt > request.createdAt || found.has(call.callId)) return
    const { callId, tool, bytes, verdict, createdAt, request: asked } = call
    const before = { callId, tool, bytes, verdict, createdAt }
    found.set(callId, asked === undefined ? before : { ...before, request: asked })
    // Calls that nobody was asked about are written down a little late, so the order is made anew each time.
    if (found.size > MOST_SHOWN) found.delete(newestFirst().at(-1)!.callId)
  }

  function newestFirst(): CallBefore[] {
    return [...found.values()].sort((one, other) => other.createdAt - one.createdAt)
  }

  /** A person may have changed it before it ran. */
  async function asItRan(call: CallBefore): Promise<CallBefore> {
    if (call.request === undefined) return call
    const asked = await store.get(call.request.id)
    const bytes = asked?.progress.approved?.bytes ?? asked?.progress.edit?.bytes
    return bytes === undefined ? call : { ...call, bytes }
  }

  return {
    see: add,
    async list() {
      // Others may have been so busy that the look back ended before this session was met.
      if (found.size < MOST_SHOWN) {
        const page = await store.calls.list({ session: request.session, limit: MOST_READ })
        for (const call of page.items) add(call)
      }
      return Promise.all(newestFirst().map(asItRan))
    },
  }
}
