import type { WireRequest } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { useInbox, useOwnWords, useWords } from '../shell/context.ts'
import type { Standing } from './standing.ts'
import { DECIDE_WORDS } from './words.ts'

/** Where several must approve: who has said yes, and what one's own approval comes to. */
export function StandingNote({ standing, request }: { standing: Standing; request: WireRequest }) {
  const { identity } = useInbox()
  const you = useWords().result.you
  const words = useOwnWords(DECIDE_WORDS).votes
  const { isShared, voters, hasVoted, missing, missingAfter, isEdited } = standing
  if (!isShared || !request.allowedDecisions.includes('approve')) return null
  const names = voters.map((name) => (name === identity.subject ? you : visible(name)))
  const by = request.edited?.by ?? ''
  return (
    <div class="standing" role="status">
      {isEdited ? <p>{words.fell(by === identity.subject ? you : visible(by))}</p> : null}
      {names.length === 0 ? null : <p>{words.yes(names.join(', '))}</p>}
      <p>{hasVoted ? words.given(missing) : missingAfter === 0 ? words.last : words.needed(missingAfter)}</p>
    </div>
  )
}
