/**
 * Keeps the end of a growing text in sight for whoever is at its end, and leaves everybody else where they are. It also stays
 * put while somebody is at a request: what is under the finger must not move.
 */

import type { ReadonlySignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export interface StickyBottom {
  /** Something came below of what is in sight. */
  hasNew: boolean
  toBottom(): void
}

/** Nobody scrolls to the last pixel. */
const NEAR_PX = 48
/** So that it is seen that this is where it begins. */
const ABOVE_PX = 12

export function useStickToBottom(
  scroller: RefObject<HTMLElement | null>,
  draws: ReadonlySignal<number>,
): StickyBottom {
  const isAtBottom = useRef(true)
  const [hasNew, setNew] = useState(false)

  function toBottom(): void {
    const element = scroller.current
    if (element === null) return
    isAtBottom.current = true
    element.scrollTop = endOf(element)
    setNew(false)
  }

  useEffect(() => {
    const element = scroller.current
    const content = element?.firstElementChild
    if (element === null || !content) return
    let lastTop = element.scrollTop
    const look = () => {
      const top = element.scrollTop
      // What has grown meanwhile takes nobody away from the end: only going up does.
      if (element.scrollHeight - top - element.clientHeight < NEAR_PX) {
        isAtBottom.current = true
        setNew(false)
      } else if (top < lastTop) isAtBottom.current = false
      lastTop = top
    }
    const grow = () => {
      if (!isAtBottom.current) return
      if (isBusyWithRequest(element)) {
        isAtBottom.current = false
        setNew(true)
      } else element.scrollTop = endOf(element)
    }
    const sizes = new ResizeObserver(grow)
    sizes.observe(content)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    let isFirst = true
    const stop = draws.subscribe(() => {
      if (!isFirst && !isAtBottom.current) setNew(true)
      isFirst = false
    })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
      stop()
    }
  }, [])

  return { hasNew, toBottom }
}

/** The end; but where something waits for an answer, its beginning: what is decided is read before it is decided. */
function endOf(element: HTMLElement): number {
  const ask = element.querySelector('.ask')
  if (ask === null) return element.scrollHeight
  const top = ask.getBoundingClientRect().top - element.getBoundingClientRect().top + element.scrollTop
  return Math.min(element.scrollHeight, Math.max(0, top - ABOVE_PX))
}

/** One that has just appeared does not take a click yet. */
function isBusyWithRequest(element: HTMLElement): boolean {
  return element.querySelector('.ask:is(:hover, :focus-within) .buttons:not(.is-unarmed)') !== null
}
