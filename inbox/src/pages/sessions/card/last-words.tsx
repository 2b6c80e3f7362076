import { useMemo } from 'preact/hooks'
import { useOwnWords } from '../../../context/context.ts'
import { visibleBlock } from '../../../model/text/visible-line.ts'
import { lastLines } from '../model/last-lines.ts'
import type { SeenProgress } from '../model/session-board.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

/** The last lines of what the session said, marked as its words: plain text, made visible, and nothing to press in it. */
export function LastWords({ seen }: { seen: SeenProgress | undefined }) {
  const own = useOwnWords(SESSIONS_WORDS)
  const turn = seen?.progress.turn
  const said = useMemo(() => lastLines([...(turn?.said ?? []), turn?.ended?.text ?? '']), [turn])
  const text = useMemo(() => (said === undefined ? '' : visibleBlock(said.text)), [said])
  if (said === undefined) return null
  return (
    <figure class="session-said">
      <figcaption class="hint">
        {own.said} {said.isCut ? own.saidCut : ''}
      </figcaption>
      <blockquote class="quote">
        {text.split('\n').map((line, index) => (
          // Each line goes as its own writing does.
          <p key={index} dir="auto">
            {line}
          </p>
        ))}
      </blockquote>
    </figure>
  )
}
