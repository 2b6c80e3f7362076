import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox, useOwnWords, useWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import type { VoteStatus } from './vote-status.ts'
import { DECIDE_WORDS } from './words/words.ts'

/** Where several must approve: who has said yes, and what one's own approval comes to. */
export function VoteStatusNote({ standing, request }: { standing: VoteStatus; request: WireRequest }) {
  const { identity } = useInbox()
  const { you, list } = useWords()
  const words = useOwnWords(DECIDE_WORDS).votes
  const { isShared, voters, hasVoted, missing, missingAfter, isEdited } = standing
  if (!isShared || !request.allowedDecisions.includes('approve')) return null
  const names = voters.map((name) => (name === identity.subject ? you : visible(name)))
  const by = request.edited?.by ?? ''
  return (
    <div class="standing" role="status">
      {isEdited ? <p>{words.fell(by === identity.subject ? you : visible(by))}</p> : null}
      {names.length === 0 ? null : <p>{words.yes(list(names))}</p>}
      <p>{hasVoted ? words.given(missing) : missingAfter === 0 ? words.last : words.needed(missingAfter)}</p>
    </div>
  )
}
