import { useEffect, useRef } from 'preact/hooks'
import type { WireRequest } from '../../../../src/client/index.ts'
import { valueAt } from '../../../../src/display/masks/json-pointer.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { isolateRightToLeft } from '../../components/text/isolate-right-to-left.tsx'
import { InPieces } from '../../components/text/long-text.tsx'
import { useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { useReveal } from './use-reveal.ts'

/**
 * Values that are hidden because of their names and may be more than secrets: they are read here before the request can be
 * approved, and who reads them is put on the record (P9).
 */
export function UncoverValues({ request }: { request: WireRequest }) {
  const words = useOwnWords(REQUEST_WORDS).uncover
  const { bare, error, isAsking, reveal } = useReveal(request)
  const values = useRef<HTMLDListElement>(null)
  // The button is gone, and what somebody wanted to read is here.
  useEffect(() => values.current?.focus({ preventScroll: true }), [bare])
  const { covered } = request
  if (covered === undefined || covered.uncover.length === 0) return null
  return (
    <section class="note warning uncover" aria-labelledby="uncover-title">
      <strong id="uncover-title">{words.title(covered.uncover.length)}</strong>
      <p>{covered.uncovered ? words.done : words.why}</p>
      {bare === undefined ? (
        <button type="button" class="primary" data-key="u" disabled={isAsking} onClick={reveal}>
          {covered.uncovered ? words.again : words.button}
        </button>
      ) : (
        <dl class="fields uncovered" ref={values} tabIndex={-1} aria-label={words.shown}>
          {covered.uncover.map((pointer) => (
            <div key={pointer}>
              <dt class="is-argument">{isolateRightToLeft(visible(pointer.slice(1)))}</dt>
              <dd dir="ltr">
                <pre class="call">
                  <InPieces text={String(valueAt(bare, pointer) ?? '')} />
                </pre>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {error === undefined ? null : <FailureNote error={error} />}
    </section>
  )
}
