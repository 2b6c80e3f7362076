import { useEffect, useRef } from 'preact/hooks'
import { useWords } from '../context/context.ts'
import { earlyClicks } from './when-armed.ts'

const SHOWN_MS = 3000

/** Says that a click came too early, and what to do. It is a popover, so that an open dialog doesn't cover it. */
export function EarlyClickNote() {
  const words = useWords()
  const note = useRef<HTMLParagraphElement>(null)
  const clicks = earlyClicks.value
  const before = useRef(clicks)
  useEffect(() => {
    if (before.current === clicks) return
    before.current = clicks
    note.current?.togglePopover?.(true)
    const timer = setTimeout(() => note.current?.togglePopover?.(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [clicks])
  return (
    <p ref={note} class="early-click" popover="manual" role="status">
      {words.tooEarly}
    </p>
  )
}
