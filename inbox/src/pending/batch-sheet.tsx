import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isHighRisk } from '../../../src/core/verdict.ts'
import { sayState } from '../../../src/display/words/request-states.ts'
import { FailureNote } from '../components/failure-note.tsx'
import { SeverityTag } from '../components/severity-tag.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { PlainSentence } from '../components/text/with-code.tsx'
import { useArmed } from '../components/use-armed.ts'
import { isEarly } from '../components/when-armed.ts'
import { useInbox, useLocale, useOwnWords, useWords } from '../context/context.ts'
import {
  type BatchItem,
  canDecideInBatch,
  createBatch,
  isTooLong,
  MOST_TOGETHER,
  mustUncover,
} from '../model/requests/batch.ts'
import { requestTitle } from '../model/requests/request-title.ts'
import { visible } from '../model/text/visible-line.ts'
import { CallText } from '../request/call/call-text.tsx'
import { useReadThrough } from '../request/use-read-through.ts'
import { lineageOf } from './arrange-requests.ts'
import { PENDING_WORDS } from './words.ts'

/** Several requests, each whole, to be decided in one go; and what came of each. */
export function BatchSheet({ close }: { close(): void }) {
  const inbox = useInbox()
  const words = useOwnWords(PENDING_WORDS).together
  const chosen = useMemo(() => inbox.selection.chosen.peek(), [])
  const batch = useMemo(() => createBatch(inbox, chosen), [])
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState('')
  useEffect(() => {
    dialog.current?.showModal()
    return batch.close
  }, [])
  const items = batch.items.value
  // Whatever the buttons would do now is something else than a moment ago.
  const shown = items.map(({ id, kind, request }) => `${id} ${kind} ${request.digest}`).join()
  // They are fetched once and stay as they were: one that goes leaves the others read.
  const reading = useReadThrough(shown, String(items.some(({ kind }) => kind === 'loading')))
  // A second press on "Read on" is none on Approve.
  const isArmed = useArmed(`${shown} ${reading.isRead}`)
  const count = (decision: 'approve' | 'reject') =>
    items.filter((item) => item.kind === 'ready' && canDecideInBatch(item.request, decision)).length
  const isBusy = items.some(({ kind }) => kind === 'loading' || kind === 'sending')
  const [decided, failed] = [of(items, 'decided'), of(items, 'failed')]
  const send = (decision: 'approve' | 'reject') => {
    if (isBusy || isEarly(isArmed)) return
    const given = reason.trim()
    void batch.decide(decision, decision === 'reject' && given !== '' ? given : undefined)
  }
  return (
    <dialog ref={dialog} class="sheet batch" aria-labelledby="batch-title" onClose={close}>
      <h2 id="batch-title">{words.title(items.length)}</h2>
      <p class="hint">{words.hint}</p>
      {chosen.length > MOST_TOGETHER ? <p class="note warning">{words.tooMany(MOST_TOGETHER)}</p> : null}
      <section ref={reading.action}>
        <ul class="batch-items">
          {items.map((item) => (
            <BatchRow key={item.id} item={item} leaveOut={() => batch.leaveOut(item.id)} />
          ))}
        </ul>
      </section>
      <p class="hint" role="status">
        {decided + failed > 0 && !isBusy ? words.results(decided, failed) : ''}
      </p>
      <section class={isArmed ? 'decide in-place' : 'decide in-place is-unarmed'} ref={reading.bar}>
        <label>
          <span>{words.reason}</span>
          <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <div class="buttons three">
          <button
            type="button"
            class="danger"
            disabled={isBusy || count('reject') === 0}
            onClick={() => send('reject')}
          >
            {words.reject(count('reject'))}
          </button>
          {reading.isRead || isBusy || count('approve') === 0 ? (
            <button
              key="approve"
              type="button"
              class="approve"
              disabled={isBusy || count('approve') === 0}
              onClick={() => send('approve')}
            >
              {words.approve(count('approve'))}
            </button>
          ) : (
            <button key="read-on" type="button" class="read-on" onClick={reading.readOn}>
              {words.readOn}
            </button>
          )}
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            {words.close}
          </button>
        </div>
      </section>
    </dialog>
  )
}

function BatchRow({ item, leaveOut }: { item: BatchItem; leaveOut(): void }) {
  const words = useWords()
  const locale = useLocale()
  const { together: own, group } = useOwnWords(PENDING_WORDS)
  const { request, kind } = item
  return (
    <li class={`batch-item severity-${request.severity}`}>
      <div class="row-head">
        <strong>{isolateRightToLeft(requestTitle(request))}</strong>
        <SeverityTag severity={request.severity} />
        {kind === 'loading' || kind === 'sending' ? <span class="hint">{own[kind]}</span> : null}
        {kind === 'decided' ? (
          <span class={`tag state-${request.state}`}>
            {request.state === 'pending' ? own.decided : sayState(request.state, locale)}
          </span>
        ) : null}
        {kind === 'ready' || kind === 'failed' ? (
          <button type="button" class="quiet" onClick={leaveOut}>
            {own.leaveOut}
          </button>
        ) : null}
      </div>
      <p class="hint">
        {isolateRightToLeft(group(lineageOf(request).join(' › '), visible(request.session)))} ·{' '}
        <PlainSentence text={request.because} reason={request.reason} />
      </p>
      {kind === 'failed' ? <FailureNote error={item.error} /> : null}
      {request.rendering.warnings.length === 0 ? null : (
        <div class="note warning">
          <strong>{words.call.warnings}</strong>
          <ul>
            {request.rendering.warnings.map((warning) => (
              <li key={warning}>{isolateRightToLeft(warning)}</li>
            ))}
          </ul>
        </div>
      )}
      {kind === 'ready' && request.kind === 'question' ? <p class="hint">{own.alone}</p> : null}
      {kind === 'ready' && isHighRisk(request.severity) ? (
        <p class="note warning">{own.notTogether}</p>
      ) : null}
      {kind === 'ready' && mustUncover(request) ? <p class="note warning">{own.covered}</p> : null}
      {kind === 'ready' && isTooLong(request) ? <p class="note warning">{own.tooLong}</p> : null}
      {kind === 'loading' ? (
        <p class="gist">{isolateRightToLeft(request.rendering.summary)}</p>
      ) : (
        <CallText rendering={request.rendering} />
      )}
    </li>
  )
}

function of(items: readonly BatchItem[], kind: BatchItem['kind']): number {
  return items.filter((item) => item.kind === kind).length
}
