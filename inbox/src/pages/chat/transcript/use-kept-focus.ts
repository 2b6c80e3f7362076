/** Whoever was at the buttons of a request that is answered now stays where it was, and is not thrown to the page's beginning. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function useKeptFocus(card: RefObject<HTMLElement | null>, isWaiting: boolean) {
  const wasInside = useRef(false)
  useEffect(() => {
    if (!isWaiting && wasInside.current && document.activeElement === document.body)
      card.current?.focus({ preventScroll: true })
  }, [isWaiting])
  return {
    onFocusIn: () => {
      wasInside.current = true
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      // What is taken away while it has the focus leaves it to nobody.
      if (relatedTarget instanceof Node && !card.current?.contains(relatedTarget)) wasInside.current = false
    },
  }
}
