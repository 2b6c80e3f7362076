import type { WireChat, WireChatAccount } from '../../../../../src/client/index.ts'
import { sayService } from '../../../../../src/display/words/services.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { TwoStepButton } from '../../../components/two-step-button.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useLocale, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { LinkAccount } from './link-account.tsx'
import { TestCard } from './test-card.tsx'
import { CHAT_SETTINGS_WORDS } from './words.ts'

/** One chat service: the bot, one's account there, and what can be done with it. */
export function ChatBlock({ chat, changed }: { chat: WireChat; changed(): void }) {
  const words = useOwnWords(CHAT_SETTINGS_WORDS)
  const title = `chat-${chat.service}`
  const name = sayService(chat.service, useLocale())
  const [account] = chat.accounts
  return (
    <article aria-labelledby={title} class="chat-block">
      <h4 id={title}>{visible(name)}</h4>
      <dl>
        {chat.bot === undefined ? null : (
          <div>
            <dt>{words.bot}</dt>
            <dd>{isolateRightToLeft(chat.bot)}</dd>
          </div>
        )}
        {chat.workspace === undefined ? null : (
          <div>
            <dt>{words.workspace}</dt>
            <dd>{isolateRightToLeft(chat.workspace)}</dd>
          </div>
        )}
      </dl>
      {chat.fault === undefined ? null : <p class="note warning">{words.unreachable(visible(chat.fault))}</p>}
      {account === undefined ? (
        <p>{words.notLinked}</p>
      ) : (
        <OwnAccount service={chat.service} account={account} changed={changed} />
      )}
      <LinkAccount service={chat.service} hasAccount={account !== undefined} changed={changed} />
    </article>
  )
}

interface OwnAccountProps {
  service: string
  account: WireChatAccount
  changed(): void
}

function OwnAccount({ service, account, changed }: OwnAccountProps) {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS)
  const unlinking = usePageAction()
  const { tenant, account: id, name, from } = account

  async function unlink(): Promise<void> {
    const isDone = await unlinking.run((signal) =>
      client.chats.unlink(service, { tenant, account: id }, { signal }),
    )
    if (isDone) changed()
  }

  return (
    <>
      <dl>
        <div>
          <dt>{words.account}</dt>
          <dd>
            <code dir="ltr">{visible(id)}</code>
          </dd>
        </div>
        {name === undefined ? null : (
          <div>
            <dt>{words.accountName}</dt>
            <dd>{isolateRightToLeft(name)}</dd>
          </div>
        )}
      </dl>
      {from === 'configuration' ? <p class="hint">{words.inConfiguration}</p> : null}
      <TestCard service={service} />
      {from === 'link' ? (
        <TwoStepButton
          label={words.unlink.label}
          confirm={words.unlink.confirm}
          tone="danger"
          isBusy={unlinking.isBusy}
          act={() => void unlink()}
        >
          {words.unlink.explain(visible(id))}
        </TwoStepButton>
      ) : null}
      {unlinking.error === undefined ? null : <FailureNote error={unlinking.error} />}
    </>
  )
}
