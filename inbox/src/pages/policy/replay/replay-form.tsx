import { useState } from 'preact/hooks'
import type { WirePolicy, WireReplay } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { LONG_ANSWER_WITHIN_MS } from '../../../model/browser/load-within.ts'
import { POLICY_WORDS } from '../words/words.ts'
import { ReplayResult } from './replay-result.tsx'

export interface ReplayFormProps {
  policy: WirePolicy
  draft: string
  /** Undefined: begin anew. */
  setDraft(text: string | undefined): void
}

const DAYS = [7, 30, 90] as const

/** Another text of the policy, tried on all that happened. */
export function ReplayForm({ policy, draft, setDraft }: ReplayFormProps) {
  const { client } = useInbox()
  const words = useOwnWords(POLICY_WORDS).replay
  const { sentences } = useWords()
  const [days, setDays] = useState<number>(30)
  const [answer, setAnswer] = useState<{ replay: WireReplay; text: string }>()
  const { isBusy, error, run } = usePageAction()
  const isSame = draft === policy.text

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setAnswer(undefined)
    await run(async () =>
      setAnswer({
        replay: await client.replay({ text: draft, days }, { withinMs: LONG_ANSWER_WITHIN_MS }),
        text: draft,
      }),
    )
  }

  return (
    <section class="panel" aria-labelledby="replay">
      <h3 id="replay">{words.title}</h3>
      <p class="hint">{words.about}</p>
      <form class="form-fields" onSubmit={submit}>
        <label>
          <span>{words.text}</span>
          <textarea
            class="code draft"
            rows={14}
            value={draft}
            dir="ltr"
            wrap="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setDraft(event.currentTarget.value)}
          />
        </label>
        <p class="hint">{sentences(isSame && words.same, draft.includes('\u27e8masked') && words.masks)}</p>
        <div class="form-row">
          <label>
            <span>{words.days}</span>
            <select value={String(days)} onChange={(event) => setDays(Number(event.currentTarget.value))}>
              {DAYS.map((count) => (
                <option key={count} value={String(count)}>
                  {words.day(count)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" disabled={isSame} onClick={() => setDraft(undefined)}>
            {words.reset}
          </button>
        </div>
        <button type="submit" class="primary" disabled={isBusy}>
          {words.submit}
        </button>
      </form>
      <div role="status">
        {isBusy ? <p class="hint">{words.under}</p> : null}
        {answer === undefined ? null : (
          <>
            {answer.text === draft ? null : <p class="hint">{words.old}</p>}
            <ReplayResult replay={answer.replay} />
          </>
        )}
      </div>
      {error === undefined ? null : <FailureNote error={error} />}
    </section>
  )
}
