import type { WireView } from '../../../src/client/index.ts'
import { ServerText } from '../components/text/spans.tsx'
import { useOwnWords, useWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import { REQUEST_WORDS } from './words/words.ts'

/** What somebody must know before they read on: hidden characters, masks, changes since it was asked. */
export function RequestNotes({ view: { request, judgement } }: { view: WireView }) {
  const shared = useWords()
  const words = useOwnWords(REQUEST_WORDS).notes
  const { rendering, edited, erased, state } = request
  const isPending = state === 'pending'
  const changes = isPending
    ? [
        ...(judgement?.policyChanged ? [words.policyChanged] : []),
        ...(judgement?.policyChanged && judgement.verdict === 'allow' ? [words.nowAllowed] : []),
        ...(judgement?.factsChanged ? [words.factsChanged] : []),
      ]
    : []
  const all = [
    ...(edited === undefined ? [] : [words.edited(visible(edited.by))]),
    ...rendering.warnings,
    ...changes,
  ]
  return (
    <>
      {isPending && judgement?.verdict === 'deny' ? <p class="note failure">{words.nowDenied}</p> : null}
      {all.length === 0 ? null : (
        <div class="note warning">
          <strong>{shared.call.warnings}</strong>
          <ul>
            {all.map((each) => (
              <li key={each}>
                <ServerText text={each} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {erased ? <p class="note">{words.erased}</p> : null}
    </>
  )
}
