import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { visible } from '../../../model/text/visible-line.ts'
import type { TranscriptMedia } from '../model/transcript-items.ts'

/** What was shown besides text, by name: nothing from outside is drawn here. */
export function MediaList({ media = [] }: { media?: readonly TranscriptMedia[] | undefined }) {
  if (media.length === 0) return null
  return (
    <ul class="media">
      {media.map(({ id, type, name }) => (
        <li key={id}>
          {name === undefined ? null : <strong>{isolateRightToLeft(visible(name))}</strong>}{' '}
          <span class="hint">{isolateRightToLeft(visible(type))}</span>
        </li>
      ))}
    </ul>
  )
}
