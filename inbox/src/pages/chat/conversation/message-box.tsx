import { useEffect, useRef, useState } from 'preact/hooks'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { createStoredValue } from '../../../model/browser/stored-value.ts'
import type { Conversation } from '../model/conversation.ts'
import { CHAT_WORDS } from '../words/words.ts'
import { isSendKey } from './send-key.ts'

/** There is room for a keyboard beside what was said: then one can type at once. */
const WIDE = '(min-width: 56rem)'
/** What the agent takes at most. */
const MOST = 60_000

/** Where one says something. What was not heard stays in it, also when the page is loaded again. */
export function MessageBox({ conversation }: { conversation: Conversation }) {
  const { identity } = useInbox()
  const words = useWords()
  const own = useOwnWords(CHAT_WORDS)
  const [kept] = useState(() =>
    createStoredValue(
      () => sessionStorage,
      `banksman.draft.${identity.subject}.${conversation.session}`,
      (value) => (typeof value === 'string' ? value : undefined),
    ),
  )
  const [text, setText] = useState(() => kept.read() ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const isRunning = conversation.transcript.running.value !== undefined
  const isSending = conversation.isSending.value
  const isNew = conversation.state.value.kind === 'new'

  useEffect(() => {
    if (isNew || matchMedia(WIDE).matches) field.current?.focus()
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
    if (await conversation.say(text.trim())) write('')
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="hint" id="say-hint">
        {isRunning ? own.box.steer : own.box.hint}
      </p>
      <div class="say-row">
        <textarea
          ref={field}
          rows={1}
          maxLength={MOST}
          aria-label={own.box.label}
          aria-describedby="say-hint"
          placeholder={isRunning ? own.box.steerPlaceholder : own.box.placeholder}
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
          {isSending ? words.sending : isRunning ? own.box.steerNow : own.box.send}
        </button>
      </div>
      {isRunning ? (
        <fieldset class="stop" aria-label={own.stop.title}>
          <button type="button" onClick={() => void conversation.stop('graceful')}>
            {own.stop.graceful}
          </button>
          <button type="button" class="danger" onClick={() => void conversation.stop('hard')}>
            {own.stop.hard}
          </button>
        </fieldset>
      ) : null}
    </form>
  )
}
