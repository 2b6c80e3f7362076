import { PlainSentence } from '../../../components/text/with-code.tsx'
import { useOwnWords } from '../../../context/context.ts'
import type { FailedAction, SessionControls } from '../model/session-controls.ts'
import { CHAT_WORDS } from '../words/words.ts'

/** What was tried and failed, where it was tried. */
export function FailedActionNote({
  controls,
  of,
}: {
  controls: SessionControls
  of: readonly FailedAction['what'][]
}) {
  const own = useOwnWords(CHAT_WORDS)
  const mishap = controls.mishap.value
  if (mishap === undefined || !of.includes(mishap.what)) return null
  const { what, error } = mishap
  const isOpen = what === 'say' && (error.code === 'unreachable' || error.code === 'unexpected_answer')
  return (
    <div class="note failure" role="alert">
      {isOpen ? (
        <strong>{own.maybeSent}</strong>
      ) : (
        <>
          <strong>{own.mishap[what]}</strong>{' '}
          <PlainSentence text={error.detail} reason={error.problem?.reason} />
        </>
      )}
    </div>
  )
}
