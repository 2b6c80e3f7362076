/**
 * A few keys for those who decide often: `j` and `k` walk the lists, `a` goes to Approve without pressing it, `r`
 * opens the rejection, Escape goes back. Parts say which key is theirs by `data-key`.
 */
import { useEffect } from 'preact/hooks'

export function useKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return
  if (isTyping(event.target) && event.key !== 'Escape') return
  const { key } = event
  if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1)
  else if (key === 'a') find('a')?.focus()
  else if (key === 'r' || key === 'Escape') find(key)?.click()
  else return
  event.preventDefault()
}

/** The innermost one, which comes last: Escape leaves a form before it leaves the request. */
function find(key: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)].at(-1)
}

function walk(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex((row) => row.matches(':focus'))
  const from = at === -1 ? rows.findIndex((row) => row.getAttribute('aria-current') === 'true') : at
  rows[from === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))]?.focus()
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')
  )
}
