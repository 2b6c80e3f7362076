/**
 * Whether somebody has had the whole action before their eyes: its beginning and then its end have been on the screen, above the
 * buttons, and nothing of it is folded away. A call of ordinary length is read at once. A longer one can be approved only after it was
 * scrolled through (P9).
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
const FOLDED = '.fold, .whole-values > [aria-expanded="false"], details:not([open]) > summary'
/** Of what was on the screen so much stays there. */
const OVERLAP_PX = 60

/**
 * `shown` names what is shown: another call has to be read anew, from its beginning. `from` names what begins there, where a part of what
 * is shown can go without anything new coming.
 */
export function useReadThrough(shown: string, from = shown): ReadThrough {
  const action = useRef<HTMLElement>(null)
  const bar = useRef<HTMLElement>(null)
  const [readOf, setRead] = useState<string>()
  const isRead = readOf === shown
  /** The call whose beginning was on the screen. Who stands at the end of a call that changes has not seen the new one. */
  const begunOf = useRef<string | undefined>(undefined)
  const look = () => {
    if (isRead) return
    if (begunOf.current !== from && hasBeginning(action.current, bar.current)) begunOf.current = from
    if (begunOf.current === from && hasSeenEnd(action.current, bar.current)) setRead(shown)
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
    if (action.current === null) return
    if (begunOf.current !== from) {
      action.current.scrollIntoView({ block: 'start' })
      return
    }
    const folded = [...action.current.querySelectorAll<HTMLElement>(FOLDED)].filter(
      (each) => each.getBoundingClientRect().top < edge,
    )
    if (folded.length === 0) scrollOn(action.current, edge)
    for (const each of folded) each.click()
  }
  return { action, bar, isRead, readOn }
}

function hasBeginning(action: HTMLElement | null, bar: HTMLElement | null): boolean {
  if (action === null || bar === null) return false
  const { top, height } = action.getBoundingClientRect()
  return height > 0 && Math.ceil(top) >= Math.floor(edgeAbove(action)) && top < topOf(bar)
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
  scrollerOf(action).scrollBy({ top: Math.max(OVERLAP_PX, edge - edgeAbove(action) - OVERLAP_PX) })
}

/** Where what scrolls goes out of sight. */
function edgeAbove(action: HTMLElement): number {
  return Math.max(0, scrollerOf(action).getBoundingClientRect().top)
}

function scrollerOf(element: HTMLElement): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return document.scrollingElement ?? document.documentElement
}
