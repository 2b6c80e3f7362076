import { useEffect } from 'preact/hooks'
import type { WireSessionRow } from '../../../../../src/client/index.ts'
import { saySessionState } from '../../../../../src/display/words/session-states.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { useInbox, useLanguage, useLocale, useOwnWords, useWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { type ConversationList, type WaitingInSession, waitingBySession } from '../model/conversation-list.ts'
import { CHAT_WORDS } from '../words/words.ts'

export interface ConversationColumnProps {
  list: ConversationList
  agent: { name: string; model: string; tools: readonly unknown[] }
}

/** What goes on in one conversation is told; that another has come to its end is looked up so often. */
const LOOK_AGAIN_MS = 10_000

/** The conversations of this person, and the way to a new one. */
export function ConversationColumn({ list, agent }: ConversationColumnProps) {
  const { go, pending } = useInbox()
  const words = useWords()
  const own = useOwnWords(CHAT_WORDS)
  const rows = list.rows.value
  const waiting = waitingBySession(pending.value)
  const isAnyRunning = rows?.some(({ running }) => running !== undefined) ?? false
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void list.refresh()
    document.addEventListener('visibilitychange', look)
    const timer = isAnyRunning ? setInterval(look, LOOK_AGAIN_MS) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [list, isAnyRunning])
  return (
    <nav class="column conversations" aria-label={own.list}>
      <div class="conversations-head">
        <h2>{own.list}</h2>
        <button type="button" class="primary" onClick={() => go({ page: 'chat', id: list.begin(crypto) })}>
          {own.freshButton}
        </button>
      </div>
      <p class="hint">{own.agent(visible(agent.name), visible(agent.model), agent.tools.length)}</p>
      {list.failure.value === undefined ? null : <FailureNote error={list.failure.value} />}
      {rows === undefined ? (
        list.failure.value === undefined ? (
          <p class="hint" role="status">
            {words.loading}
          </p>
        ) : null
      ) : rows.length === 0 ? (
        <p class="hint">{own.none}</p>
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <ConversationRow key={row.id} row={row} waiting={waiting.get(row.id)} />
          ))}
        </ul>
      )}
      {list.hasMore.value ? (
        <button type="button" class="quiet" onClick={() => void list.more()}>
          {own.older}
        </button>
      ) : null}
    </nav>
  )
}

/** `waiting`: undefined where none of its requests waits. */
function ConversationRow({ row, waiting }: { row: WireSessionRow; waiting: WaitingInSession | undefined }) {
  const { go, place } = useInbox()
  const own = useOwnWords(CHAT_WORDS)
  const { time } = useLanguage()
  const locale = useLocale()
  const { id, title = id, lastAt, running, ended } = row
  const state = waiting === undefined ? 'running' : 'waiting'
  return (
    <li>
      <button
        type="button"
        class="row is-flat conversation-row"
        data-row
        aria-current={place.value.id === id}
        onClick={() => go({ page: 'chat', id })}
      >
        <strong class="conversation-title">{title}</strong>
        <span class="row-foot">
          <time dateTime={lastAt}>{time(lastAt)}</time>
          {running === undefined ? null : (
            <span class={`tag state-${state}`}>{saySessionState(state, locale, waiting?.waitsFor)}</span>
          )}
          {ended === undefined ? null : <span class="tag">{saySessionState('ended', locale)}</span>}
          {waiting?.yours ? <span class="tag waits">{own.waiting(waiting.yours)}</span> : null}
        </span>
      </button>
    </li>
  )
}
