import { useId, useState } from 'preact/hooks'
import type { WireRequest } from '../../../../src/client/index.ts'
import type { OutcomeKind } from '../../../../src/core/request-state.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { useArmed } from '../../components/use-armed.ts'
import { usePageAction } from '../../components/use-page-action.ts'
import { isEarly } from '../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'

/**
 * Nobody knows what became of the call, and only a person can find out. Whether this one may say so, the server knows: its
 * refusal is shown.
 */
export function ReportOutcomeForm({ request }: { request: WireRequest }) {
  const { client, live } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).settle
  const id = useId()
  const isArmed = useArmed(`${request.id} ${request.state}`)
  const [note, setNote] = useState('')
  const { isBusy: isSending, error, run } = usePageAction()
  const settle = (outcome: OutcomeKind) => {
    if (isEarly(isArmed)) return
    const summary = note.trim()
    void run(async () => {
      live.put(await client.settle(request.id, { outcome, ...(summary === '' ? {} : { summary }) }))
    })
  }
  return (
    <form class="settle" onSubmit={(event) => event.preventDefault()}>
      <h3>{words.title}</h3>
      <p>{words.explain}</p>
      <label for={id}>{words.note}</label>
      <textarea id={id} rows={2} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      {error === undefined ? null : <FailureNote error={error} />}
      <div class={isArmed ? 'buttons' : 'buttons is-unarmed'}>
        <button type="button" disabled={isSending} onClick={() => settle('ok')}>
          {isSending ? words.sending : words.ok}
        </button>
        <button type="button" disabled={isSending} onClick={() => settle('error')}>
          {words.error}
        </button>
      </div>
    </form>
  )
}
