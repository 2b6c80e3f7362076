import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { InterruptionKind } from '../../../../../src/core/conversation.ts'
import { saySessionAction } from '../../../../../src/display/words/session-actions.ts'
import { useInbox, useLocale, useOwnWords, useWords } from '../../../context/context.ts'
import { createStoredValue } from '../../../model/browser/stored-value.ts'
import { waitingBySession } from '../model/conversation-list.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { isSendKey } from './send-key.ts'

/** There is room for a keyboard beside what was said: then one can type at once. */
const WIDE = '(min-width: 56rem)'
/** What the agent takes at most. */
const MOST = 60_000

export interface MessageBoxProps {
  session: string
  isRunning: boolean
  isSending: boolean
  /** It was opened to be written in: then it takes the focus on a phone, too. */
  isWanted: boolean
  /** What a message does while a turn runs: it is put into the turn, or interrupts it. */
  whenBusy?: 'steer' | 'interrupt'
  /** True when it was heard. */
  say(text: string): Promise<boolean>
  /** Absent where the way to stop it is elsewhere. */
  stop?(how: InterruptionKind): void
}

/** Where one says something. What was not heard stays in it, also when the page is loaded again. */
export function MessageBox(props: MessageBoxProps) {
  const { session, isRunning, isSending, isWanted, whenBusy = 'steer', say, stop } = props
  const { identity, pending } = useInbox()
  const words = useWords()
  const own = useOwnWords(CHAT_WORDS)
  const [kept] = useState(() =>
    createStoredValue(
      () => sessionStorage,
      `banksman.draft.${identity.subject}.${session}`,
      (value) => (typeof value === 'string' ? value : undefined),
    ),
  )
  const [text, setText] = useState(() => kept.read() ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  const busy = isRunning ? own.box.busy[whenBusy] : undefined
  const waiting = waitingBySession(pending.value).get(session)
  const stopping = saySessionAction('stop', useLocale())

  useEffect(() => {
    if (isWanted || matchMedia(WIDE).matches) field.current?.focus()
  }, [])
  useEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight + 2}px`
  }, [text])

  function write(next: string): void {
    setText(next)
    kept.write(next === '' ? undefined : next)
  }

  async function send(): Promise<void> {
    if (text.trim() === '' || isSending) return
    if (await say(text.trim())) write('')
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="hint say-hint" id={hintId}>
        {busy?.hint(waiting && (waiting.waitsFor ?? 'approval')) ?? own.box.hint}
      </p>
      <div class="say-row">
        <textarea
          ref={field}
          rows={1}
          maxLength={MOST}
          aria-label={own.box.label}
          aria-describedby={hintId}
          placeholder={busy?.placeholder ?? own.box.placeholder}
          enterkeyhint="send"
          data-key="/"
          readOnly={isSending}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onClick={(event) => event.currentTarget.focus()}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.isComposing) {
              // Out of the box, and not out of the conversation.
              event.stopPropagation()
              event.currentTarget.blur()
            } else if (isSendKey(event)) {
              event.preventDefault()
              void send()
            }
          }}
        />
        <button type="submit" class="primary" disabled={isSending || text.trim() === ''}>
          {isSending ? words.sending : (busy?.send ?? own.box.send)}
        </button>
      </div>
      {isRunning && stop !== undefined ? (
        <fieldset class="stop" aria-label={stopping.label}>
          <button type="button" onClick={() => stop('graceful')}>
            {own.stop.graceful}
          </button>
          <button type="button" class="danger" onClick={() => stop('hard')}>
            {own.stop.hard}
          </button>
          <p class="hint">{own.stop.about(stopping.about)}</p>
        </fieldset>
      ) : null}
    </form>
  )
}
