import { useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { EDIT_WORDS } from '../../words/edit-words.ts'
import type { ChangeRow } from './change-row.ts'
import type { Changes } from './changes.ts'

const SIGNS = { same: ' ', removed: '−', added: '+', gap: '⋯' } as const

/** What changes: old and new, line by line. Told apart by signs, not by colour alone. */
export function ChangeList({ changes: { list, more } }: { changes: Changes }) {
  const words = useOwnWords(EDIT_WORDS)
  return (
    <div class="changes">
      {list.map(({ pointer, kind, rows, leftOut, notCompared, isOnlyEnd }) => (
        <section key={pointer} class="change">
          <h4>
            <code dir="ltr">{visible(nameOf(pointer))}</code> <span class="tag">{words.kind[kind]}</span>
          </h4>
          <pre dir="ltr">
            {rows.map((row, index) => (
              <ChangeRowView key={index} row={row} />
            ))}
          </pre>
          {leftOut === 0 ? null : <p class="hint">{words.leftOut(leftOut)}</p>}
          {notCompared.before + notCompared.after === 0 ? null : (
            <p class="note warning">{words.notCompared(notCompared.before, notCompared.after)}</p>
          )}
          {isOnlyEnd ? <p class="hint">{words.onlyEnd}</p> : null}
        </section>
      ))}
      {more === 0 ? null : <p class="note warning">{words.moreChanges(more)}</p>}
    </div>
  )
}

function ChangeRowView({ row: { kind, head, changed, tail } }: { row: ChangeRow }) {
  const text = [head, changed === '' ? null : <mark>{changed}</mark>, tail]
  return (
    <span class={`change-row ${kind}`}>
      <span class="sign">{SIGNS[kind]}</span>
      {kind === 'removed' ? <del>{text}</del> : kind === 'added' ? <ins>{text}</ins> : <span>{text}</span>}
      {'\n'}
    </span>
  )
}

/** `/target/host` as `target › host`. */
function nameOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ')
}
