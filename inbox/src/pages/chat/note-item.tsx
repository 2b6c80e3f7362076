import { visible } from '../../model/visible-line.ts'
import { inOrder } from '../../parts/in-order.tsx'
import { Told } from '../../parts/spans.tsx'
import { useInbox, useOwnWords } from '../../shell/context.ts'
import type { NoteBody } from './items.ts'
import { MediaList } from './media-list.tsx'
import { CHAT_WORDS } from './words.ts'

/** Something that happened and is neither words nor a call. */
export function NoteItem({ body }: { body: NoteBody }) {
  const own = useOwnWords(CHAT_WORDS)
  const { identity } = useInbox()
  const name = (by: string) => (by === identity.subject ? own.you : visible(by))
  switch (body.kind) {
    case 'resumed':
      return <p class="item happened">{own.resumed}</p>
    case 'interrupted':
      return (
        <p class="item happened">
          {own.interrupted(name(body.by), body.how)}{' '}
          {body.reason === undefined ? null : <Told text={body.reason} />}
        </p>
      )
    case 'barred':
      return (
        <p class="item happened">
          {own.barred(name(body.by))} <Told text={body.shape} />
        </p>
      )
    case 'failed':
      return (
        <div class="item note failure">
          <strong>{own.failed(visible(body.stage))}</strong>{' '}
          <span class="as-it-is">
            <Told text={body.message} isBlock />
          </span>
        </div>
      )
    case 'shown':
      return (
        <div class="item note">
          <strong>{inOrder(own.shownBy(visible(body.tool)))}</strong>
          {body.text === undefined ? null : (
            <p class="as-it-is">
              <Told text={body.text} isBlock />
            </p>
          )}
          <MediaList media={body.media} />
        </div>
      )
  }
}
