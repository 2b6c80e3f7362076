import { inOrder } from '../parts/in-order.tsx'
import { useInbox, useSpeech, useWords } from '../shell/context.ts'

/** Calls for which nobody was asked: this is where that can be seen. */
export function SettledList() {
  const calls = useInbox().live.settled.value
  const words = useWords()
  const { time } = useSpeech()
  if (calls.length === 0) return null
  return (
    <section aria-labelledby="settled">
      <h2 id="settled">{words.settled.title}</h2>
      <ul class="rows">
        {calls.map(({ id, kind, tool, because, at }) => (
          <li key={id} class="row is-flat">
            <span class="row-head">
              <strong>{inOrder(tool)}</strong>
              <span class={`tag state-${kind === 'denied' ? 'rejected' : 'done'}`}>
                {words.settled[kind]}
              </span>
            </span>
            <span class="row-foot">
              <time dateTime={at}>{time(at)}</time>
              <span class="outcome-line">{inOrder(because)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
