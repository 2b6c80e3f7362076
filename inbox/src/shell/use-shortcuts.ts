/**
 * Keys for those who decide often. Parts say which key is theirs by `data-key`, and pressing it is pressing them: so a key
 * never does what the button would not do, and a button that has just appeared takes neither.
 *
 * `j` and `k` go to the next and the previous of what is marked `data-row`; a list that shows only a part of its rows says
 * by `data-rows` that it walks by itself, and hears a `walk` event.
 */
import { useEffect } from 'preact/hooks'
import { beginKeyBurst, isInKeyBurst } from '../components/key-burst.ts'

export interface ShortcutOptions {
  help(): void
}

/** They do something to a request. */
const DECIDING: readonly string[] = ['a', 'r', 'e', 'w', 't', 's', 'u']

/** Pressed with Shift, too. */
const PRESSED: readonly string[] = ['a', 'r', 'e', 'w', 't', 's', 'n', 'u', 'x', 'A', 'R', '/', 'Escape']

export function useShortcuts({ help }: ShortcutOptions): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (isPressed(event, help)) event.preventDefault()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])
}

function isPressed(event: KeyboardEvent, help: () => void): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return false
  const { key, target } = event
  if (isTyping(target) && key !== 'Escape') return false
  // A dialog has the keys for itself, and closes by Escape without us.
  const dialog = document.querySelector('dialog[open]')
  if (dialog !== null) return key === '?' && press(dialog.querySelector<HTMLElement>('.sheet > button'))
  if (key.length === 1 && isInKeyBurst()) return true
  if (key === '?') {
    help()
    return true
  }
  if (/^[1-9]$/.test(key)) return press(document.querySelector<HTMLElement>(`[data-page-key="${key}"]`))
  if (key === 'j' || key === 'k') return walk(key === 'j' ? 1 : -1)
  return PRESSED.includes(key) && press(find(key))
}

function press(element: HTMLElement | null | undefined): boolean {
  if (element === null || element === undefined) return false
  if (element instanceof HTMLInputElement && element.type !== 'checkbox') element.focus()
  else element.click()
  return true
}

/**
 * The one in the row that has the focus, where there is such a row; else the innermost, which comes last: Escape leaves a
 * form before it leaves the request.
 */
function find(key: string): HTMLElement | undefined {
  const row = document.activeElement?.closest('[data-id]')?.querySelector<HTMLElement>('.row')
  // Another request may be open than the one that somebody is at: then the key only leads to it.
  if (DECIDING.includes(key) && row?.getAttribute('aria-current') === 'false') {
    beginKeyBurst()
    return row
  }
  const near = document.activeElement
    ?.closest('[data-near]')
    ?.querySelector<HTMLElement>(`[data-key="${key}"]`)
  // Marking is for the row that one is at, and no other.
  if (key === 'x') return near ?? undefined
  return near ?? [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)].at(-1)
}

function walk(step: 1 | -1): boolean {
  const list = document.querySelector('[data-rows]')
  if (list !== null) {
    list.dispatchEvent(new CustomEvent('walk', { detail: step }))
    return true
  }
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.matches(':focus'))
  const from = at === -1 ? rows.findIndex((row) => row.getAttribute('aria-current') === 'true') : at
  rows[from === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))]?.focus()
  return rows.length > 0
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')
  )
}
