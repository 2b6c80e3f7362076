import { sayAutomatic } from '../../../src/display/words/decisions.ts'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { PlainSentence } from '../components/text/with-code.tsx'
import { useInbox, useLanguage, useLocale, useWords } from '../context/context.ts'

/** Calls for which nobody was asked: this is where that can be seen. */
export function AutoDecidedList() {
  const calls = useInbox().live.settled.value
  const words = useWords()
  const locale = useLocale()
  const { time } = useLanguage()
  if (calls.length === 0) return null
  return (
    <section aria-labelledby="settled">
      <h2 id="settled">{words.autoDecided}</h2>
      <ul class="rows">
        {calls.map(({ id, kind, tool, because, reason, at }) => (
          <li key={id} class="row is-flat">
            <span class="row-head">
              <strong>{isolateRightToLeft(tool)}</strong>
              <span class={`tag state-${kind === 'denied' ? 'rejected' : 'done'}`}>
                {sayAutomatic(kind, locale)}
              </span>
            </span>
            <span class="row-foot">
              <time dateTime={at}>{time(at)}</time>
              <span class="outcome-line">
                <PlainSentence text={because} reason={reason} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
