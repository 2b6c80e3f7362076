import { useEffect, useRef, useState } from 'preact/hooks'
import type { WireRequest } from '../../../../src/client/index.ts'
import { useArmed } from '../../components/use-armed.ts'
import { isEarly, whenArmed } from '../../components/when-armed.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { type SnoozeTime as Choice, SNOOZE_TIMES, snoozeMs } from './snooze-times.ts'

/** It would be back before anybody had looked away. */
const TOO_SOON_MS = 2 * 60_000

/** Out of the list for a while. Nothing is decided by it. */
export function SnoozeButton({ request, opened }: { request: WireRequest; opened(): void }) {
  const { snoozed, shut, openId } = useInbox()
  const words = useOwnWords(DECIDE_WORDS)
  const [isOpen, setOpen] = useState(false)
  const isArmed = useArmed(`${request.id} ${isOpen}`)
  const menu = useRef<HTMLFieldSetElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    opened()
    menu.current?.querySelector('button')?.focus()
  }, [isOpen])
  const { expiresAt } = request
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now()
  if (openId.value !== request.id || leftMs < TOO_SOON_MS) return null
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const choose = (kind: Choice) => {
    if (isEarly(isArmed)) return
    const now = new Date()
    snoozed.snooze(request, now.getTime(), snoozeMs(kind, now))
    shut()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="menu-item"
        data-key="s"
        aria-expanded={isOpen}
        onClick={() => whenArmed(isArmed, () => setOpen(!isOpen))}
      >
        {words.snooze.open}…
      </button>
      {isOpen ? (
        <fieldset ref={menu} class="snooze">
          <legend class="hint">{words.snooze.label}</legend>
          <div class="chips">
            {SNOOZE_TIMES.map((kind) => (
              <button key={kind} type="button" class="chip" onClick={() => choose(kind)}>
                {words.snooze.until[kind]}
              </button>
            ))}
            <button type="button" class="quiet" data-key="Escape" onClick={close}>
              {words.back}
            </button>
          </div>
          <p class="hint">{expiresAt === null ? words.snooze.forNow : words.snooze.deadline}</p>
        </fieldset>
      ) : null}
    </>
  )
}
