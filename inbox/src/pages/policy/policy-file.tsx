import { useEffect, useRef, useState } from 'preact/hooks'
import type { WirePolicy } from '../../../../src/client/index.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useOwnWords } from '../../context/context.ts'
import { policyLines } from './policy-lines.ts'
import { POLICY_WORDS } from './words/words.ts'

/** A line that somebody wants to see; the round makes wanting it twice two wishes. */
export interface ShownLine {
  line: number
  round: number
}

/** A longer text is folded: on a phone it would stand between the reader and all the rest. */
const FOLDED_LINES = 40

/** The text that holds, with its line numbers, and what is to be said of a line below it. */
export function PolicyFile({ policy, shown }: { policy: WirePolicy; shown: ShownLine | undefined }) {
  const words = useOwnWords(POLICY_WORDS)
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const { lines } = policyLines(policy)
  const isFoldable = lines.length > FOLDED_LINES
  const isHidden = isFoldable && !isWhole
  useEffect(() => {
    if (shown === undefined) return
    if (shown.line > FOLDED_LINES && !isWhole) return setWhole(true)
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${shown.line}"]`)
    line?.scrollIntoView({ block: 'center' })
    line?.focus({ preventScroll: true })
  }, [shown, isWhole])
  return (
    <section class="panel policy-file" aria-labelledby="policy-text">
      <h3 id="policy-text">{words.file.title}</h3>
      <ol ref={list} class="code-lines" dir="ltr">
        {(isHidden ? lines.slice(0, FOLDED_LINES) : lines).map(({ number, text, warnings, failedTests }) => (
          <li
            key={number}
            data-line={number}
            tabIndex={-1}
            class={warnings.length + failedTests.length > 0 ? 'is-marked' : undefined}
            aria-current={shown?.line === number ? 'true' : undefined}
          >
            <span class="line-number" data-line-number={number} aria-hidden="true" />
            <code>{text === '' ? '\u00a0' : <ServerText text={text} isBlock />}</code>
            {warnings.map((message) => (
              <p key={message} class="line-note is-warning">
                <span aria-hidden="true">⚠ </span>
                <ServerText text={message} />
              </p>
            ))}
            {failedTests.map(({ call, expected, found }) => (
              <p key={call} class="line-note is-failure">
                <span aria-hidden="true">✗ </span>
                <ServerText text={words.failedTest(call, expected, found)} />
              </p>
            ))}
          </li>
        ))}
      </ol>
      {isFoldable ? (
        <button type="button" class="quiet" onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.file.shorter : words.file.longer}
        </button>
      ) : null}
    </section>
  )
}
