/** Deciding several requests: each is sent by itself and has a result of its own; one that fails holds up no other. */

import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  type DecisionInput,
  isClientError,
  type WireRequest,
} from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { isHighRisk } from '../../../../src/core/verdict.ts'
import type { InboxModel } from '../inbox.ts'

export type BatchItem =
  | { kind: 'loading'; id: string; request: WireRequest }
  /** Whole, as it will be decided. */
  | { kind: 'ready'; id: string; request: WireRequest }
  | { kind: 'sending'; id: string; request: WireRequest }
  | { kind: 'decided'; id: string; request: WireRequest }
  | { kind: 'failed'; id: string; request: WireRequest; error: ClientError }

export interface Batch {
  readonly items: ReadonlySignal<readonly BatchItem[]>
  leaveOut(id: string): void
  /** Those that can't be decided so are passed over. */
  decide(decision: 'approve' | 'reject', reason?: string): Promise<void>
  close(): void
}

/** As many as a person can be said to have looked at. */
export const MOST_TOGETHER = 50
const AT_ONCE = 6

/** Dangerous ones are approved alone, after a second look, and so is what has to be uncovered or is too long to be shown whole here. */
export function canDecideInBatch(request: WireRequest, decision: 'approve' | 'reject'): boolean {
  const { allowedDecisions, severity, yours, kind } = request
  if (!yours || kind !== 'approval' || !allowedDecisions.includes(decision)) return false
  return decision === 'reject' || (!isHighRisk(severity) && !mustUncover(request) && !isTooLong(request))
}

/** A value is hidden because of its name, and is read on the request's own page before it is approved. */
export function mustUncover({ covered }: Pick<WireRequest, 'covered'>): boolean {
  return covered !== undefined && covered.uncover.length > 0
}

/** A part of it is left out here, and can be opened on the request's own page. */
export function isTooLong({ rendering }: Pick<WireRequest, 'rendering'>): boolean {
  return rendering.isShortened === true
}

export function createBatch(
  { client, live }: Pick<InboxModel, 'client' | 'live'>,
  chosen: readonly WireRequest[],
): Batch {
  const items = signal<readonly BatchItem[]>(
    chosen.slice(0, MOST_TOGETHER).map((request) => ({ kind: 'loading', id: request.id, request })),
  )
  const closing = new AbortController()
  const { signal: closed } = closing

  function set(next: BatchItem): void {
    items.value = items.value.map((item) => (item.id === next.id ? next : item))
  }

  /** What goes wrong with one is said of that one. */
  async function attempt({ id, request }: BatchItem, work: () => Promise<BatchItem>): Promise<void> {
    try {
      const next = await work()
      live.put(next.request)
      set(next)
    } catch (error) {
      if (closed.aborted) return
      if (!(error instanceof ClientError)) throw error
      set({ kind: 'failed', id, request, error })
    }
  }

  /** An answer of which nothing was heard may have been recorded: what counts is what the server has. */
  async function send(id: string, input: DecisionInput): Promise<WireRequest> {
    try {
      return (await client.decide(id, input)).request
    } catch (error) {
      if (!isClientError(error, 'unreachable')) throw error
      const now = await client.get(id, { signal: closed }).catch(() => undefined)
      if (now?.decision?.kind !== input.decision) throw error
      return now
    }
  }

  void forEach(items.value, (item) =>
    attempt(item, async () => {
      const request = await client.get(item.id, { signal: closed })
      return { kind: 'ready', id: item.id, request }
    }),
  )

  return {
    items,
    leaveOut(id) {
      items.value = items.value.filter((item) => item.id !== id)
    },
    async decide(decision, reason) {
      const wanted = items.value.filter(
        (item) => item.kind === 'ready' && canDecideInBatch(item.request, decision),
      )
      for (const item of wanted) set({ ...item, kind: 'sending' } as BatchItem)
      await forEach(wanted, (item) =>
        attempt(item, async () => {
          const input: DecisionInput = {
            decision,
            digest: item.request.digest,
            ...defined({ reason }),
          }
          return { kind: 'decided', id: item.id, request: await send(item.id, input) }
        }),
      )
    },
    close: () => closing.abort(),
  }
}

async function forEach<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, worker))
}
