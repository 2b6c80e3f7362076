import { useState } from 'preact/hooks'
import type { WireChatTest } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { useHeld } from './use-held.ts'
import { CHAT_SETTINGS_WORDS } from './words.ts'

/** How long the page waits for the click. */
const WAIT_MS = 10 * 60_000

/** Sends a test card, and says when it was clicked and as whom that counts. */
export function TestCard({ service }: { service: string }) {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS).test
  const action = usePageAction()
  const [sent, setSent] = useState<WireChatTest>()
  const [test, setTest] = useState<WireChatTest | 'over'>()

  useHeld(sent?.state === 'sent' ? sent.id : undefined, {
    ask: (id, how) => client.chats.testState(service, id, how),
    isDone: ({ state }) => state === 'clicked',
    end: Date.now() + WAIT_MS,
    found: (clicked) => setTest(clicked ?? 'over'),
  })

  // Another one can be sent at any time: the first may not have arrived.
  const send = () =>
    void action.run(async (signal) => {
      setTest(undefined)
      const next = await client.chats.test(service, { signal })
      setSent(next)
      setTest(next)
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
      <div class="setting-choices">
        <button type="button" disabled={action.isBusy} onClick={send}>
          {words.send}
        </button>
      </div>
      <p role="status">{status()}</p>
      {action.error === undefined ? null : <FailureNote error={action.error} />}
    </>
  )
}
