/**
 * Whether the reader's last step was made with the keyboard. Then a page that takes the place of another takes the focus to its
 * heading, where reading goes on; a finger or a mouse needs no such thing, and must not lose what it points at.
 */
let isByPointer: boolean | undefined

const note = (byPointer: boolean) => () => {
  isByPointer = byPointer
}

if (typeof document !== 'undefined') {
  document.addEventListener('pointerdown', note(true), { capture: true, passive: true })
  document.addEventListener('keydown', note(false), { capture: true, passive: true })
}

export function cameByKey(): boolean {
  if (isByPointer !== undefined) return !isByPointer
  // This file came with the first page that asks: what was pressed to get there shows only in what has the focus.
  const { activeElement } = document
  return activeElement === null || activeElement === document.body || activeElement.matches(':focus-visible')
}
