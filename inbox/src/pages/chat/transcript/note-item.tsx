import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../../components/text/spans.tsx'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import type { NoteBody } from '../model/transcript-items.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { MediaList } from './media-list.tsx'

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
          {body.reason === undefined ? null : <ServerText text={body.reason} />}
        </p>
      )
    case 'barred':
      return (
        <p class="item happened">
          {own.barred(name(body.by))} <ServerText text={body.shape} />
        </p>
      )
    case 'failed':
      return (
        <div class="item note failure">
          <strong>{own.failed(visible(body.stage))}</strong>{' '}
          <span class="as-it-is">
            <ServerText text={body.message} isBlock />
          </span>
        </div>
      )
    case 'shown':
      return (
        <div class="item note">
          <strong>{isolateRightToLeft(own.shownBy(visible(body.tool)))}</strong>
          {body.text === undefined ? null : (
            <p class="as-it-is">
              <ServerText text={body.text} isBlock />
            </p>
          )}
          <MediaList media={body.media} />
        </div>
      )
  }
}
