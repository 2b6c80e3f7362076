import { LoadState } from '../../../components/load-state.tsx'
import { WithCode } from '../../../components/text/with-code.tsx'
import { useLoaded } from '../../../components/use-loaded.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { ChatBlock } from './chat-block.tsx'
import { ChatQuietHours } from './chat-quiet-hours.tsx'
import { CHAT_SETTINGS_WORDS } from './words.ts'
import './chats.css'

const COMMAND = 'banksman chat add telegram'

/** The chats of the server, and one's own accounts there. */
export function Chats() {
  const { client } = useInbox()
  const words = useOwnWords(CHAT_SETTINGS_WORDS)
  const chats = useLoaded('chats', (signal) => client.chats.list({}, { signal }))
  const items = chats.value?.items
  return (
    <section aria-labelledby="chats-title" class="chats">
      <h3 id="chats-title">{words.title}</h3>
      <p>{items?.length === 0 ? <WithCode text={words.none(COMMAND)} /> : words.explain}</p>
      <LoadState of={chats} />
      {items?.map((chat) => (
        <ChatBlock key={chat.service} chat={chat} changed={chats.again} />
      ))}
      {items === undefined || items.length === 0 ? null : <ChatQuietHours />}
    </section>
  )
}
