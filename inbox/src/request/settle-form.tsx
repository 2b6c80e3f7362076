import { useId, useState } from 'preact/hooks'
import type { WireRequest } from '../../../src/client/index.ts'
import { useArmed } from '../decide/use-armed.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useUndertaking } from '../parts/use-undertaking.ts'
import { useInbox, useOwnWords } from '../shell/context.ts'
import { REQUEST_WORDS } from './words.ts'

/**
 * Nobody knows what became of the call, and only a person can find out. Whether this one may say so, the server knows: its
 * refusal is shown.
 */
export function SettleForm({ request }: { request: WireRequest }) {
  const { client, live } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).settle
  const id = useId()
  const isArmed = useArmed(`${request.id} ${request.state}`)
  const [note, setNote] = useState('')
  const { isBusy: isSending, error, run } = useUndertaking()
  const settle = (outcome: 'ok' | 'error') => {
    if (!isArmed) return
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
