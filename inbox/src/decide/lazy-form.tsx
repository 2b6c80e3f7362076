import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useOwnWords, useWords } from '../context/context.ts'
import { loadWithin } from '../model/browser/load-within.ts'
import { DECIDE_WORDS } from './words/words.ts'

export interface LazyForm<Props> {
  /** Shows it once it is here. */
  Part: FunctionComponent<{ part: Props; way?: ComponentChildren }>
  /** Fetches it before somebody wants it, so that it is there when the connection is not. */
  fetch(): void
}

/** A part that most decisions do without: it is not in the first page, but comes as soon as a request is open. */
export function createLazyForm<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): LazyForm<Props> {
  let Loaded: FunctionComponent<Props> | undefined
  let underWay: Promise<boolean> | undefined
  const fetch = () => {
    underWay ??= loadWithin(load).then(
      (part) => {
        Loaded = part
        return true
      },
      () => {
        underWay = undefined
        return false
      },
    )
    return underWay
  }
  return {
    fetch: () => void fetch(),
    Part({ part, way }) {
      const words = useWords()
      const own = useOwnWords(DECIDE_WORDS)
      const [tries, setTries] = useState(0)
      const [hasFailed, setFailed] = useState(false)
      useEffect(() => {
        if (Loaded !== undefined) return
        let isWanted = true
        void fetch().then((isHere) => {
          if (!isWanted) return
          setFailed(!isHere)
          if (isHere) setTries((count) => count + 1)
        })
        return () => {
          isWanted = false
        }
      }, [tries])
      if (Loaded !== undefined) return <Loaded {...part} />
      return (
        <div class="chips">
          <p class="hint" role="status">
            {hasFailed ? own.notLoaded : words.loading}
          </p>
          {hasFailed ? (
            <button type="button" class="chip" onClick={() => setTries(tries + 1)}>
              {own.again}
            </button>
          ) : null}
          {way}
        </div>
      )
    },
  }
}
