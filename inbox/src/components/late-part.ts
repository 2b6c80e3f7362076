/**
 * Parts of the page that the first page does without: they are fetched when they are needed, or a little before. What could
 * not be fetched is tried again when somebody asks for it, and when the connection is back.
 */
import { useEffect, useState } from 'preact/hooks'
import { useInbox } from '../context/context.ts'
import { loadWithin } from '../model/browser/load-within.ts'

export interface LatePart<T> {
  /** Undefined until it was fetched. */
  now(): T | undefined
  /** Resolves with whether it is here. */
  fetch(): Promise<boolean>
}

export type LoadedPart<T> =
  | { kind: 'loading' }
  | { kind: 'failed'; again(): void }
  | { kind: 'here'; part: T }

export function createLatePart<T>(load: () => Promise<T>): LatePart<T> {
  let loaded: T | undefined
  let underWay: Promise<boolean> | undefined
  return {
    now: () => loaded,
    fetch() {
      underWay ??= loadWithin(load).then(
        (part) => {
          loaded = part
          return true
        },
        () => {
          underWay = undefined
          return false
        },
      )
      return underWay
    },
  }
}

export function useLatePart<T>(late: LatePart<T>): LoadedPart<T> {
  const isLive = useInbox().live.connection.value.kind === 'live'
  const [tries, setTries] = useState(0)
  const [, look] = useState(0)
  const [failed, setFailed] = useState<LatePart<T>>()
  useEffect(() => {
    if (late.now() !== undefined) return
    let isWanted = true
    setFailed(undefined)
    void late.fetch().then((isHere) => {
      if (!isWanted) return
      if (isHere) look((count) => count + 1)
      else setFailed(late)
    })
    return () => {
      isWanted = false
    }
  }, [late, tries, isLive])
  const part = late.now()
  if (part !== undefined) return { kind: 'here', part }
  return failed === late ? { kind: 'failed', again: () => setTries(tries + 1) } : { kind: 'loading' }
}
