import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { sayTurnStatus } from '../../../../../src/display/words/turn-statuses.ts'
import { ServerText } from '../../../components/text/spans.tsx'
import { useLocale, useOwnWords, useWords } from '../../../context/context.ts'
import type { SubAgentBody } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { useConversation } from './conversation-context.ts'

/** Another agent's work, below the call that started it. Open while it goes on. Closed, the children aren't drawn. */
export function SubAgentItem({ body, children }: { body: SubAgentBody; children: ComponentChildren }) {
  const own = useOwnWords(CHAT_WORDS)
  const words = useWords()
  const locale = useLocale()
  const conversation = useConversation()
  const { child, task, status, work } = body
  const isGoingOn = work === 'here' && status === undefined
  const [isOpen, setOpen] = useState(isGoingOn)
  useEffect(() => {
    if (isOpen && work === 'unread') void conversation.readWork(child)
  }, [isOpen, work])
  return (
    <details class="item helper" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {isGoingOn ? own.helper : own.helperWork}
        {status === undefined ? null : ` · ${sayTurnStatus(status, locale)}`}
      </summary>
      {task === undefined ? null : (
        <p class="task">
          <ServerText text={task} isBlock />
        </p>
      )}
      {work === 'reading' ? (
        <p class="hint" role="status">
          {words.loading}
        </p>
      ) : null}
      {work === 'gone' ? <p class="hint">{own.helperGone}</p> : null}
      {isOpen ? children : null}
    </details>
  )
}
