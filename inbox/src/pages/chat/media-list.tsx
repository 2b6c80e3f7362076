import { visible } from '../../model/visible-line.ts'
import { inOrder } from '../../parts/in-order.tsx'
import type { Media } from './items.ts'

/** What was shown besides text, by name: nothing from outside is drawn here. */
export function MediaList({ media = [] }: { media?: readonly Media[] | undefined }) {
  if (media.length === 0) return null
  return (
    <ul class="media">
      {media.map(({ id, type, name }) => (
        <li key={id}>
          {name === undefined ? null : <strong>{inOrder(visible(name))}</strong>}{' '}
          <span class="hint">{inOrder(visible(type))}</span>
        </li>
      ))}
    </ul>
  )
}
