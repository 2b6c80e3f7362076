import { visible } from '../../model/visible-line.ts'
import { useInbox, useOwnWords, useSpeech } from '../../shell/context.ts'
import type { SaidBody } from './items.ts'
import { Prose } from './prose.tsx'
import { CHAT_WORDS } from './words.ts'

/** Words of a person. */
export function SaidItem({ body: { text, by, at, isSteering } }: { body: SaidBody }) {
  const { identity } = useInbox()
  const own = useOwnWords(CHAT_WORDS)
  const { time } = useSpeech()
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
