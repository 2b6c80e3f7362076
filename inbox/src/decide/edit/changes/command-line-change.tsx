import type { WireCommandLine } from '../../../../../src/client/index.ts'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { Spans } from '../../../components/text/spans.tsx'
import { useOwnWords } from '../../../context/context.ts'
import { EDIT_WORDS } from '../../words/edit-words.ts'

/** The line that would run, and the one that will: where a program and a list of its words are edited. */
export function CommandLineChange({
  before,
  after,
}: Record<'before' | 'after', WireCommandLine | undefined>) {
  const words = useOwnWords(EDIT_WORDS)
  if (after === undefined || (before?.pointers ?? after.pointers) === undefined) return null
  return (
    <section class="change">
      <h4>{isolateRightToLeft(words.line)}</h4>
      <pre dir="ltr">
        {before === undefined ? null : (
          <span class="change-row removed">
            <span class="sign">−</span>
            <del>
              <Spans spans={before.pieces} />
            </del>
            {'\n'}
          </span>
        )}
        <span class="change-row added">
          <span class="sign">+</span>
          <ins>
            <Spans spans={after.pieces} />
          </ins>
          {'\n'}
        </span>
      </pre>
    </section>
  )
}
