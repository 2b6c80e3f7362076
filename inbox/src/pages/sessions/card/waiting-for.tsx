import { useState } from 'preact/hooks'
import { waitsForAnswer } from '../../../../../src/core/progress.ts'
import { ServerText } from '../../../components/text/spans.tsx'
import { whenArmed } from '../../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { now } from '../../../model/browser/now.ts'
import type { SeenProgress } from '../model/session-board.ts'
import { passedSince } from '../model/session-doing.ts'
import { SESSIONS_WORDS } from '../words/words.ts'
import { RequestSheet } from './request-sheet.tsx'

export interface WaitingForProps {
  seen: SeenProgress | undefined
  /** Whether the card has been where it is for a moment. */
  isArmed: boolean
  changed(): void
}

/** The requests that the session waits for. They are decided in a sheet, which nothing that arrives can move. */
export function WaitingFor({ seen, isArmed, changed }: WaitingForProps) {
  const own = useOwnWords(SESSIONS_WORDS).waiting
  const { lasting } = useOwnWords(SESSIONS_WORDS)
  const { go } = useInbox()
  const [open, setOpen] = useState<string>()
  const waiting = seen?.progress.turn?.waiting ?? []
  const title = own.title(waiting.length, waitsForAnswer(waiting) ? 'answer' : 'approval')
  return (
    <>
      {seen === undefined || waiting.length === 0 ? null : (
        <section class="session-waits note warning" aria-label={title}>
          <strong>{title}</strong>
          <ul>
            {waiting.map(({ request, summary, since }) => (
              <li key={request}>
                <p>
                  <code class="session-call" dir="ltr">
                    <ServerText text={summary} />
                  </code>{' '}
                  <span class="session-lasts">{own.since(lasting(passedSince(since, seen, now.value)))}</span>
                </p>
                <div class="card-buttons">
                  <button
                    type="button"
                    class="primary"
                    onClick={() => whenArmed(isArmed, () => setOpen(request))}
                  >
                    {own.look}
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => whenArmed(isArmed, () => go({ page: 'pending', id: request }))}
                  >
                    {own.open}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {open === undefined ? null : (
        <RequestSheet
          key={open}
          id={open}
          close={() => {
            setOpen(undefined)
            changed()
          }}
        />
      )}
    </>
  )
}
