import { useState } from 'preact/hooks'
import type { WireChatTest } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { heldUntil } from './held-until.ts'
import { CHAT_SETTINGS_WORDS } from './words.ts'

/** How long the page waits for the click. */
const WAIT_MS = 10 * 60_000

/** Sends a test card, and says when it was clicked and as whom that counts. */
export function TestCard({ service }: { service: string }) {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS).test
  const action = usePageAction()
  const [test, setTest] = useState<WireChatTest | 'over'>()

  const send = () =>
    void action.run(async (signal) => {
      setTest(undefined)
      const sent = await client.chats.test(service, { signal })
      setTest(sent)
      if (sent.state !== 'sent') return
      const clicked = await heldUntil({
        ask: (how) => client.chats.testState(service, sent.id, how),
        isDone: ({ state }) => state === 'clicked',
        end: Date.now() + WAIT_MS,
        signal,
      })
      if (!signal.aborted) setTest(clicked ?? 'over')
    })

  function status(): string {
    if (test === undefined) return ''
    if (test === 'over') return words.over
    if (test.state === 'failed') return words.failed(visible(test.fault ?? ''))
    if (test.clicked === undefined) return words.sent
    const { account, person } = test.clicked
    return person === undefined ? words.nobody : words.clicked(visible(account), visible(person))
  }

  return (
    <>
      <div class="choices">
        <button type="button" disabled={action.isBusy} onClick={send}>
          {words.send}
        </button>
      </div>
      <p role="status">{status()}</p>
      {action.error === undefined ? null : <FailureNote error={action.error} />}
    </>
  )
}
