import { useInbox, useLanguage, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import type { MessageBody } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { Prose } from './prose.tsx'

/** Words of a person. */
export function MessageItem({ body: { text, by, at, isSteering } }: { body: MessageBody }) {
  const { identity } = useInbox()
  const own = useOwnWords(CHAT_WORDS)
  const { time } = useLanguage()
  const who = by === identity.subject ? own.you : visible(by)
  return (
    <div class={isSteering ? 'item said is-steering' : 'item said'}>
      <p class="item-head">
        <strong>{who}</strong>
        {isSteering ? <span>{own.steering}</span> : null}
        <time dateTime={at}>{time(at)}</time>
      </p>
      <Prose text={text} />
    </div>
  )
}
