import type { WireCommandLine } from '../../../../src/client/index.ts'
import { hasValue, isSameReason } from '../../../../src/core/reasons/reason.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'

/** More than this nobody reads; all of them are marked in the line. */
const MOST = 20

/** What in the line can't be vouched for, and why. */
export function DoubtList({ line }: { line: WireCommandLine }) {
  const words = useOwnWords(REQUEST_WORDS).line
  // What a command's own row says already need not be said again.
  const told = ({ reason }: WireCommandLine['doubts'][number]) =>
    reason !== undefined && line.commands.some((command) => isSameReason(command.reason, reason))
  const doubts = line.doubts.filter((doubt) => !told(doubt))
  if (doubts.length === 0) return null
  return (
    <div class="doubts">
      <strong>{words.doubts}</strong>
      <ul>
        {doubts.slice(0, MOST).map(({ text, because, reason, start, kind }) => (
          <li key={`${start} ${kind}`}>
            {hasValue(reason, text) ? null : (
              <code class="doubt" dir="ltr">
                <ServerText text={text} />
              </code>
            )}{' '}
            <ServerText text={because} reason={reason} />
          </li>
        ))}
        {doubts.length > MOST ? <li>{words.moreDoubts(doubts.length - MOST)}</li> : null}
      </ul>
    </div>
  )
}
