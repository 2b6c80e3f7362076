/**
 * Several requests may wait in one conversation, and some of them out of sight. So a key that decides only leads to the last of
 * them at first; it decides for who is there already.
 */
import { useEffect } from 'preact/hooks'
import { beginKeyBurst } from '../../../components/key-burst.ts'

const DECIDING: readonly string[] = ['a', 'r', 'e', 'w', 't', 's', 'n', 'A', 'R']
const WAITING = '.call-card.stage-waiting'

export function useDecisionKeys(): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (!DECIDING.includes(event.key) || isElsewhere(event.target)) return
      const last = [...document.querySelectorAll<HTMLElement>(WAITING)].at(-1)
      if (last === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      last.focus()
      beginKeyBurst()
    }
    // Before the page's own keys hear of it.
    window.addEventListener('keydown', hear, { capture: true })
    return () => window.removeEventListener('keydown', hear, { capture: true })
  }, [])
}

/** Where it is typed, in a sheet, or at a request already. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`input, textarea, select, dialog, ${WAITING}`) !== null
}
