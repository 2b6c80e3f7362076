import type { WireRequest } from '../../../src/client/index.ts'
import { gistOf } from '../model/gist.ts'
import { visible } from '../model/visible-line.ts'
import { useInbox, useWords } from './context.ts'
import { SeverityTag } from './severity-tag.tsx'
import { TimeLeft } from './time-left.tsx'
import { useArmed } from './use-armed.ts'

/** One pending request in the list. */
export function RequestRow({ request }: { request: WireRequest }) {
  const { open, openId, live } = useInbox()
  const words = useWords()
  const isArmed = useArmed(request.id, !live.isListed.peek())
  const { id, tool, severity, agent, session, expiresAt } = request
  return (
    <li>
      <button
        type="button"
        class={`row severity-${severity}`}
        data-row
        aria-current={openId.value === id}
        onClick={() => isArmed && open(id)}
      >
        <span class="row-head">
          <strong>{request.kind === 'question' ? words.question : visible(tool)}</strong>
          <TimeLeft expiresAt={expiresAt} />
        </span>
        <span class="gist">{gistOf(request)}</span>
        <span class="row-foot">
          <SeverityTag severity={severity} />
          <span class="who">
            {agent === undefined ? visible(session) : `${agent.name} · ${visible(session)}`}
          </span>
        </span>
      </button>
    </li>
  )
}
