import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox, useOwnWords } from '../context/context.ts'
import { visibleBlock } from '../model/text/visible-line.ts'
import { decisionDraftsOf } from './drafts/decision-drafts.ts'
import type { EditDraft } from './edit/draft/edit-draft.ts'
import { NextButton } from './next/next-button.tsx'
import { DECIDE_WORDS } from './words/words.ts'

/** Below a request that is answered: what one had written when somebody else was first, and the way on. */
export function AfterDeciding({ request }: { request: WireRequest }) {
  const { identity } = useInbox()
  const words = useOwnWords(DECIDE_WORDS)
  const { reason, text, edit } = decisionDraftsOf(identity.subject).of(request.id).value
  const written = [reason, text, edit === undefined ? '' : writtenIn(edit)]
  const unsent = written.filter((each) => each.trim() !== '')
  return (
    <div class="after-deciding">
      {unsent.length === 0 ? null : (
        <details>
          <summary>{words.unsent}</summary>
          {unsent.map((each) => (
            <pre key={each} dir="auto">
              {visibleBlock(each)}
            </pre>
          ))}
        </details>
      )}
      <NextButton request={request} tone="primary" />
    </div>
  )
}

function writtenIn({ mode, json, value, before }: EditDraft): string {
  if (mode === 'json') return json
  const [written, asked] = [value, before].map((each) => JSON.stringify(each, null, 2))
  return written === undefined || written === asked ? '' : written
}
