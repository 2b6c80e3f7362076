import { useMemo, useState } from 'preact/hooks'
import type { WirePolicy } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { ServerText } from '../../components/text/spans.tsx'
import { textDiff } from '../../components/text/text-diff.ts'
import { TwoStepButton } from '../../components/two-step-button.tsx'
import { usePageAction } from '../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { DiffView } from '../../request/call/diff-view.tsx'
import { POLICY_WORDS } from './words/words.ts'

export interface PolicyChangeProps {
  policy: WirePolicy
  again(): void
  put(policy: WirePolicy): void
}

/** A text in the file that does not hold yet: what it would change, and the way to have it hold. */
export function PolicyChange({ policy, again, put }: PolicyChangeProps) {
  const { client, identity } = useInbox()
  const { change: words, file } = useOwnWords(POLICY_WORDS)
  const { isBusy, error, run } = usePageAction()
  const [isApplied, setApplied] = useState(false)
  const { text, changed, source } = policy
  const diff = useMemo(
    () => (changed === undefined ? undefined : textDiff(text, changed.text, '')),
    [text, changed?.text],
  )
  if (changed === undefined || diff === undefined) {
    return isApplied ? (
      <p class="note applied" role="status">
        {words.applied}
      </p>
    ) : null
  }
  const apply = async () => {
    const isDone = await run(async () => put(await client.applyPolicy({ digest: changed.digest })))
    if (isDone) setApplied(true)
    // What was shown may no longer be what stands in the file.
    else again()
  }
  return (
    <section class="panel policy-change" aria-labelledby="policy-change">
      <h3 id="policy-change">{words.title}</h3>
      <p class="hint">{source === 'file' ? words.explain : words.first}</p>
      {changed.text === '' ? <p class="note warning">{words.unreadable}</p> : <DiffView block={diff} />}
      {changed.mistake === undefined ? null : (
        <p class="note failure">
          <strong>{words.mistake}</strong>{' '}
          <span class="every-line">
            <ServerText text={changed.mistake} isBlock />
          </span>
        </p>
      )}
      {changed.warnings === undefined ? null : (
        <ul class="policy-notes">
          {changed.warnings.map(({ message, line }) => (
            <li key={message} class="note warning">
              {line === undefined ? null : <strong>{file.line(line)} </strong>}
              <ServerText text={message} />
            </li>
          ))}
        </ul>
      )}
      {error === undefined ? null : <FailureNote error={error} />}
      {identity.role === 'admin' ? (
        <TwoStepButton
          key={changed.digest}
          label={words.apply}
          confirm={words.confirm}
          tone="primary"
          isBusy={isBusy}
          isDisabled={changed.mistake !== undefined || changed.text === ''}
          act={() => void apply()}
        >
          {words.applyExplain}
        </TwoStepButton>
      ) : changed.mistake !== undefined ? null : (
        <>
          <p class="hint">{words.others}</p>
          <pre dir="ltr">banksman trust</pre>
        </>
      )}
    </section>
  )
}
