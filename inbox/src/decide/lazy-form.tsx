import type { ComponentChildren, FunctionComponent } from 'preact'
import { createLatePart, useLatePart } from '../components/late-part.ts'
import { useOwnWords, useWords } from '../context/context.ts'
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
  const form = createLatePart(load)
  return {
    fetch: () => void form.fetch(),
    Part({ part, way }) {
      const words = useWords()
      const own = useOwnWords(DECIDE_WORDS)
      const shown = useLatePart(form)
      if (shown.kind === 'here') return <shown.part {...part} />
      return (
        <div class="chips">
          <p class="hint" role="status">
            {shown.kind === 'failed' ? own.notLoaded : words.loading}
          </p>
          {shown.kind === 'failed' ? (
            <button type="button" class="chip" onClick={shown.again}>
              {own.again}
            </button>
          ) : null}
          {way}
        </div>
      )
    },
  }
}
