import { useState } from 'preact/hooks'
import type { DiffBlock, DiffRow } from '../../../../src/client/index.ts'
import { Spans } from '../../components/text/spans.tsx'
import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import '../call-blocks.css'

const ROWS_AT_A_TIME = 200

/** A change line by line, with the numbers that the lines have before and after. */
export function DiffView({ block }: { block: DiffBlock }) {
  const words = useOwnWords(REQUEST_WORDS)
  const [shown, setShown] = useState(ROWS_AT_A_TIME)
  const { rows, added, removed, isComplete } = block
  const left = rows.length - shown
  // Both gutters are as wide as the largest number needs.
  const digits = String(Math.max(1, ...rows.map(lastNumber))).length
  return (
    <div class="diff-box">
      <p class="hint">
        {words.diff.count(added, removed)}
        {isComplete ? null : ` · ${words.diff.incomplete}`}
      </p>
      <ul class={`diff digits-${Math.min(digits, 6)}`} dir="ltr">
        {rows.slice(0, shown).map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </ul>
      {left > 0 ? (
        <button type="button" class="fold" onClick={() => setShown(shown + ROWS_AT_A_TIME)}>
          <span aria-hidden="true">⋯ </span>
          {words.call.moreRows(Math.min(left, ROWS_AT_A_TIME), left)}
        </button>
      ) : null}
    </div>
  )
}

/** Numbers and signs are drawn beside the text and not in it, so that copying takes only the text. */
function Row({ row }: { row: DiffRow }) {
  const words = useOwnWords(REQUEST_WORDS).diff
  if ('count' in row) {
    return (
      <li class={`diff-gap is-${row.kind}`}>
        {row.kind === 'unchanged' ? words.unchanged(row.count) : words.leftOut(row.count)}
      </li>
    )
  }
  return (
    <li class={`diff-row is-${row.kind}`}>
      <span class="gutter" data-line={row.oldLine} aria-hidden="true" />
      <span class="gutter" data-line={row.newLine} aria-hidden="true" />
      <span class="diff-sign" aria-hidden="true" />
      <code>
        {row.kind === 'same' ? null : <span class="unseen">{words[row.kind]}: </span>}
        <Spans spans={row.value.spans} />
        {row.isUnterminated ? <span class="unterminated">{words.unterminated}</span> : null}
      </code>
    </li>
  )
}

function lastNumber(row: DiffRow): number {
  return 'value' in row ? Math.max(row.oldLine ?? 0, row.newLine ?? 0) : 0
}
