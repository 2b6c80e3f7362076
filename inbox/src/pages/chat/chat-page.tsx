import { useEffect, useMemo, useState } from 'preact/hooks'
import { ClientError, isClientError } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import './chat.css'
import './transcript/transcript.css'
import { ConversationColumn } from './conversation/conversation-column.tsx'
import { ConversationView } from './conversation/conversation-view.tsx'
import { createConversationList } from './model/conversation-list.ts'
import { NoAgent } from './no-agent.tsx'
import { CHAT_WORDS } from './words/words.ts'

/** Talking to the agent: the conversations beside the one that is open; on a phone one or the other. */
export function ChatPage() {
  const { client, place, leave } = useInbox()
  const words = useWords()
  const own = useOwnWords(CHAT_WORDS)
  const agent = useAgent()
  const list = useMemo(() => createConversationList({ client, onRefused: leave }), [client])
  useEffect(() => list.close, [list])
  if (agent.kind === 'loading') {
    return (
      <p class="hint centre" role="status">
        {words.loading}
      </p>
    )
  }
  if (agent.kind === 'failed') {
    return (
      <div class="page">
        <FailureNote error={agent.error} />
        <button type="button" onClick={agent.again}>
          {words.login.again}
        </button>
      </div>
    )
  }
  if (agent.kind === 'none') return <NoAgent />
  const session = place.value.id
  return (
    <div class={session === undefined ? 'chat' : 'chat is-open'}>
      <ConversationColumn list={list} agent={agent.agent} />
      {session === undefined ? (
        <p class="hint centre chat-choose">{own.choose}</p>
      ) : (
        <ConversationView
          key={session}
          session={session}
          fresh={list.fresh}
          title={list.rows.value?.find(({ id }) => id === session)?.title}
          back={own.back}
          agents={agent.agent.agents ?? []}
          changed={() => void list.refresh()}
        />
      )}
    </div>
  )
}

type ChatAgent = NonNullable<Awaited<ReturnType<ReturnType<typeof useInbox>['client']['agent']>>>

type FoundAgent =
  | { kind: 'loading' }
  | { kind: 'none' }
  | { kind: 'found'; agent: ChatAgent }
  | { kind: 'failed'; error: ClientError; again(): void }

function useAgent(): FoundAgent {
  const { client, leave } = useInbox()
  const [tries, setTries] = useState(0)
  const [found, setFound] = useState<FoundAgent>({ kind: 'loading' })
  useEffect(() => {
    const stop = new AbortController()
    client.agent({ signal: stop.signal }).then(
      (agent) => setFound(agent === undefined ? { kind: 'none' } : { kind: 'found', agent }),
      (error) => {
        if (stop.signal.aborted) return
        if (!(error instanceof ClientError)) throw error
        if (isClientError(error, 'unauthenticated')) leave(error)
        else setFound({ kind: 'failed', error, again: () => setTries((count) => count + 1) })
      },
    )
    return () => stop.abort()
  }, [client, tries])
  return found
}
