import type { ComponentChildren } from 'preact'
import { directionRuns, hasRightToLeft } from '../../../../src/display/text/right-to-left.ts'

/**
 * Text that was made visible, in the order in which it is written (P9). Each word from right to left has an element of its
 * own, so that it can't turn round the words, digits and signs beside it. All text from outside comes through here, but for
 * the prose of a conversation.
 */
export function isolateRightToLeft(text: string): ComponentChildren {
  if (!hasRightToLeft(text)) return text
  const runs = directionRuns(text)
  // The order still holds, letter by letter; the page would be busy for seconds with so many elements.
  if (runs.length > MOST_RUNS) return <bdo dir="ltr">{text}</bdo>
  return runs.map((run, index) =>
    run.isRightToLeft ? (
      <bdi key={index} dir="rtl">
        {run.text}
      </bdi>
    ) : (
      run.text
    ),
  )
}

const MOST_RUNS = 8000
