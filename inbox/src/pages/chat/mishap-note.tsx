import { visible } from '../../model/visible-line.ts'
import { useOwnWords } from '../../shell/context.ts'
import type { Conversation, Mishap } from './conversation.ts'
import { CHAT_WORDS } from './words.ts'

/** What was tried and failed, where it was tried. */
export function MishapNote({
  conversation,
  of,
}: {
  conversation: Conversation
  of: readonly Mishap['what'][]
}) {
  const own = useOwnWords(CHAT_WORDS)
  const mishap = conversation.mishap.value
  if (mishap === undefined || !of.includes(mishap.what)) return null
  const { what, error } = mishap
  const isOpen = what === 'say' && (error.code === 'unreachable' || error.code === 'unexpected_answer')
  return (
    <div class="note failure" role="alert">
      {isOpen ? (
        <strong>{own.perhapsHeard}</strong>
      ) : (
        <>
          <strong>{own.mishap[what]}</strong> <span>{visible(error.detail)}</span>
        </>
      )}
    </div>
  )
}
