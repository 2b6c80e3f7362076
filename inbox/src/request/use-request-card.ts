/**
 * The part that shows a request is larger than the list, and is not needed before one is opened: it is fetched then, at the
 * same time as the request itself.
 */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadWithin } from '../model/browser/load-within.ts'
import type { RequestCardProps } from './request-card.tsx'

let loaded: ComponentType<RequestCardProps> | undefined

export type LoadedCard =
  | { kind: 'loading' }
  | { kind: 'failed'; again(): void }
  | { kind: 'here'; Card: ComponentType<RequestCardProps> }

export function useRequestCard(): LoadedCard {
  const [tries, setTries] = useState(0)
  const [, look] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (loaded !== undefined) return
    setFailed(false)
    loadWithin(() => import('./request-card.tsx')).then(
      ({ RequestCard }) => {
        loaded = RequestCard
        look((count) => count + 1)
      },
      () => setFailed(true),
    )
  }, [tries])
  if (loaded !== undefined) return { kind: 'here', Card: loaded }
  return hasFailed ? { kind: 'failed', again: () => setTries(tries + 1) } : { kind: 'loading' }
}
