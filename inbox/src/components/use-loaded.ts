/** Something that a page asks the server for: on the way, there, or why it did not come. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ClientError, isClientError } from '../../../src/client/index.ts'
import { useInbox } from '../context/context.ts'

export interface Loaded<T> {
  /** What came last, also while it is asked for again. */
  value: T | undefined
  /** Why the last try failed. */
  error: ClientError | undefined
  isLoading: boolean
  again(): void
  /** In place of what came, where something newer is known. */
  put(value: T): void
}

/**
 * Asked for again whenever `key` changes and, where the last try failed, when the connection is back; what was there for another key
 * is forgotten unless it is to be kept.
 */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { keep = false }: { keep?: boolean } = {},
): Loaded<T> {
  const { leave, live } = useInbox()
  const isLive = live.connection.value.kind === 'live'
  const [round, setRound] = useState(0)
  const [held, hold] = useState<{ key: string; value?: T; error?: ClientError; round: number }>()
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    latest.current(signal).then(
      (value) => {
        if (!signal.aborted) hold({ key, value, round })
      },
      (error) => {
        if (signal.aborted) return
        if (!(error instanceof ClientError)) throw error
        if (isClientError(error, 'unauthenticated')) return leave(error)
        hold((before) => ({ ...(before?.key === key || keep ? before : {}), key, error, round }))
      },
    )
    return () => stop.abort()
  }, [key, round])
  useEffect(() => {
    if (isLive && held?.error !== undefined) setRound((before) => before + 1)
  }, [isLive])
  const isOfKey = held?.key === key
  const isLoading = !isOfKey || held.round !== round
  return {
    value: isOfKey || keep ? held?.value : undefined,
    error: isOfKey && !isLoading ? held.error : undefined,
    isLoading,
    again: () => setRound((before) => before + 1),
    put: (value) => hold({ key, value, round }),
  }
}
