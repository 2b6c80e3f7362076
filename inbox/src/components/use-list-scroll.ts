/** On a phone what is open takes the place of the list; coming back, the list stands where it was left. */
import { useLayoutEffect, useRef } from 'preact/hooks'

export function useListScroll(isOpen: boolean): void {
  const place = useRef({ isOpen, scrollY: 0 })
  if (isOpen !== place.current.isOpen) {
    // Read before the list is hidden: afterwards the page is shorter and has scrolled.
    place.current = { isOpen, scrollY: isOpen ? window.scrollY : place.current.scrollY }
  }
  useLayoutEffect(() => window.scrollTo(0, isOpen ? 0 : place.current.scrollY), [isOpen])
}
