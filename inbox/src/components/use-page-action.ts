/** Something that a person has the page do: under way, done, or why it failed. One at a time; what is left behind is given up. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ClientError, isClientError } from '../../../src/client/transport/client-error.ts'
import { useInbox } from '../context/context.ts'

export interface PageAction {
  readonly isBusy: boolean
  /** Why the last one failed. */
  readonly error: ClientError | undefined
  /** False where it failed, was stopped, or another one is under way. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<boolean>
  stop(): void
}

export function usePageAction(): PageAction {
  const { leave } = useInbox()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ClientError>()
  const underWay = useRef<AbortController>(undefined)
  useEffect(() => () => underWay.current?.abort(), [])
  return {
    isBusy,
    error,
    async run(work) {
      if (underWay.current !== undefined) return false
      const mine = new AbortController()
      const { signal } = mine
      underWay.current = mine
      setBusy(true)
      setError(undefined)
      try {
        await work(signal)
        return !signal.aborted
      } catch (caught) {
        if (signal.aborted) return false
        if (!(caught instanceof ClientError)) throw caught
        if (isClientError(caught, 'unauthenticated')) leave(caught)
        else setError(caught)
        return false
      } finally {
        underWay.current = undefined
        setBusy(false)
      }
    },
    stop: () => underWay.current?.abort(),
  }
}
