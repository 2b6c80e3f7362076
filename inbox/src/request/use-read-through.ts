/**
 * Whether somebody has had the whole action before their eyes: its end has been on the screen, above the buttons, and nothing of it is
 * folded away. A call of ordinary length is read at once. A longer one can be approved only after it was scrolled through (P9).
 */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface ReadThrough {
  /** Around the action. */
  action: RefObject<HTMLElement | null>
  /** Around the buttons, which cover what lies below their top. */
  bar: RefObject<HTMLElement | null>
  isRead: boolean
  /** Brings the next part of the action to the screen. */
  readOn(): void
}

/** Parts of the action that are not shown until somebody asks for them. */
const FOLDED = '.fold, .whole-values > [aria-expanded="false"]'
/** Of what was on the screen so much stays there. */
const OVERLAP_PX = 60

/** `shown` names what is shown: another call has to be read anew. */
export function useReadThrough(shown: string): ReadThrough {
  const action = useRef<HTMLElement>(null)
  const bar = useRef<HTMLElement>(null)
  const [readOf, setRead] = useState<string>()
  const isRead = readOf === shown
  const look = () => {
    if (!isRead && hasSeenEnd(action.current, bar.current)) setRead(shown)
  }
  useLayoutEffect(look)
  useEffect(() => {
    if (isRead) return
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    // Scrolling of any element around it: that event doesn't bubble.
    document.addEventListener('scroll', later, { capture: true, passive: true })
    window.addEventListener('resize', later)
    const sizes = new ResizeObserver(later)
    if (action.current !== null) sizes.observe(action.current)
    if (bar.current !== null) sizes.observe(bar.current)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', later, { capture: true })
      window.removeEventListener('resize', later)
      sizes.disconnect()
    }
  })
  const readOn = () => {
    const edge = topOf(bar.current)
    const folded = action.current?.querySelector<HTMLElement>(FOLDED)
    if (folded !== null && folded !== undefined && folded.getBoundingClientRect().top < edge) folded.click()
    else if (action.current !== null) scrollOn(action.current, edge)
  }
  return { action, bar, isRead, readOn }
}

function hasSeenEnd(action: HTMLElement | null, bar: HTMLElement | null): boolean {
  if (action === null || bar === null || action.querySelector(FOLDED) !== null) return false
  const end = action.querySelector('.action-end') ?? action
  // A page in the background has no layout to speak of.
  const isLaidOut = action.getBoundingClientRect().height > 0
  return isLaidOut && Math.floor(end.getBoundingClientRect().bottom) <= Math.ceil(topOf(bar))
}

function topOf(bar: HTMLElement | null): number {
  return bar?.getBoundingClientRect().top ?? window.innerHeight
}

function scrollOn(action: HTMLElement, edge: number): void {
  const scroller = scrollerOf(action)
  const top = Math.max(0, scroller.getBoundingClientRect().top)
  scroller.scrollBy({ top: Math.max(OVERLAP_PX, edge - top - OVERLAP_PX) })
}

function scrollerOf(element: HTMLElement): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return document.scrollingElement ?? document.documentElement
}
