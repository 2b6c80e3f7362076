/**
 * What is needed to decide the request that is open: fetched when it is opened, when the request has changed, and,
 * where that failed, when the connection is back. Nothing can be decided before it is here: who decides has seen the
 * whole call.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ServerCalls, WireView } from '../../../../src/client/index.ts'
import { ClientError, isClientError } from '../../../../src/client/transport/client-error.ts'
import type { LiveRequests } from './live-requests.ts'

export type OpenedView =
  | { kind: 'nothing' }
  | { kind: 'loading' }
  | { kind: 'missing' }
  | { kind: 'failed'; error: ClientError }
  /** `isCurrent`: it shows the request as it is known to be now. */
  | { kind: 'view'; view: WireView; isCurrent: boolean }

export interface RequestViews {
  readonly opened: ReadonlySignal<OpenedView>
  /** Fetches it again. */
  again(): void
  close(): void
}

export interface RequestViewsParts {
  client: Pick<ServerCalls, 'view'>
  live: Pick<LiveRequests, 'board' | 'connection' | 'put'>
  /** Which request is open. */
  id: () => string | undefined
  onRefused: (error: ClientError) => void
}

export function createRequestViews({ client, live, id: openId, onRefused }: RequestViewsParts): RequestViews {
  const opened = signal<OpenedView>({ kind: 'nothing' })
  const tries = signal(0)
  let underWay = new AbortController()
  let wanted = ''

  async function load(id: string, signal: AbortSignal): Promise<void> {
    try {
      const view = await client.view(id, { signal })
      if (signal.aborted) return
      live.put(view.request)
      opened.value = { kind: 'view', view, isCurrent: isCurrent(view) }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) return onRefused(error)
      wanted = ''
      opened.value = isClientError(error, 'unknown_id') ? { kind: 'missing' } : { kind: 'failed', error }
    }
  }

  const isCurrent = ({ request }: WireView) => (live.board.get(request.id)?.version ?? 0) <= request.version

  const followed = computed(() => {
    const id = openId()
    return id === undefined ? undefined : live.board.follow(id)
  })
  const stop = effect(() => {
    const id = openId()
    const round = tries.value
    followed.value?.value
    if (id === undefined) {
      underWay.abort()
      wanted = ''
      opened.value = { kind: 'nothing' }
      return
    }
    const now = opened.peek()
    const isOfAnother = now.kind !== 'view' || now.view.request.id !== id
    if (!isOfAnother) {
      const { view } = now
      if (isCurrent(view)) return
      if (now.isCurrent) opened.value = { kind: 'view', view, isCurrent: false }
    }
    const want = `${id} ${live.board.get(id)?.version ?? ''} ${round}`
    if (want === wanted) return
    wanted = want
    underWay.abort()
    underWay = new AbortController()
    if (isOfAnother) opened.value = { kind: 'loading' }
    void load(id, underWay.signal)
  })

  const again = () => tries.value++
  const stopWaiting = effect(() => {
    if (live.connection.value.kind === 'live' && opened.peek().kind === 'failed') again()
  })

  return {
    opened,
    again,
    close() {
      underWay.abort()
      stopWaiting()
      stop()
    },
  }
}
