import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { useInbox, useOwnWords } from '../context/context.ts'
import type { RequestGroup } from './arrange-requests.ts'
import { useOriginName } from './use-origin-name.ts'
import { PENDING_WORDS } from './words.ts'

/** Who asks what follows: the agent with its parents, and the session. */
export function GroupRow({ group: { requests } }: { group: RequestGroup }) {
  const { selection } = useInbox()
  const words = useOwnWords(PENDING_WORDS)
  const mine = requests.filter(({ yours }) => yours).map(({ id }) => id)
  const name = useOriginName(requests[0]!)
  return (
    <li class="group" data-kind="group">
      {mine.length === 0 ? null : (
        <label class="mark">
          <input
            type="checkbox"
            aria-label={words.selectGroup(name)}
            checked={mine.every((id) => selection.has(id))}
            onChange={() => selection.toggleAll(mine)}
          />
        </label>
      )}
      <h3>{isolateRightToLeft(name)}</h3>
      <span class="hint">{requests.length}</span>
    </li>
  )
}
