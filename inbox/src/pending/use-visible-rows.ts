/** Follows the scrolling of the page or of whatever the list scrolls in, and says which rows are to be drawn. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { PendingListItem } from './arrange-requests.ts'
import { type RowHeights, rowTop, type VisibleRows, visibleRowsOf } from './visible-rows.ts'

export interface MeasuredRows extends VisibleRows {
  /** Brings the row on the screen. */
  reveal(index: number): void
}

/** Until the first rows are there to be measured. */
const GUESSED: RowHeights = { group: 28, request: 45 }

export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  items: readonly PendingListItem[],
): MeasuredRows {
  const [heights, setHeights] = useState(GUESSED)
  const [screen, setScreen] = useState({ top: 0, height: innerHeight })

  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      // Less than a row is no reason to draw again.
      setScreen((before) =>
        Math.abs(before.top - top) < 50 && before.height === innerHeight
          ? before
          : { top, height: innerHeight },
      )
    }
    const hear = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    // Scrolling does not bubble, but it can be caught on its way down.
    document.addEventListener('scroll', hear, { capture: true, passive: true })
    addEventListener('resize', hear)
    hear()
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', hear, { capture: true })
      removeEventListener('resize', hear)
    }
  }, [])

  useLayoutEffect(() => {
    const measured = { group: heightOf(list.current, 'group'), request: heightOf(list.current, 'request') }
    setHeights((before) => {
      const next = { group: measured.group ?? before.group, request: measured.request ?? before.request }
      return next.group === before.group && next.request === before.request ? before : next
    })
  }, [items.length === 0, screen.height])

  return {
    ...visibleRowsOf(items, heights, screen),
    reveal(index) {
      const top = rowTop(items, heights, index)
      const place = (list.current?.getBoundingClientRect().top ?? 0) + top
      if (place >= 0 && place + heights.request <= innerHeight) return
      scrollerOf(list.current).scrollBy({ top: place - innerHeight / 2 })
      setScreen({ top: top - innerHeight / 2, height: innerHeight })
    },
  }
}

function heightOf(list: HTMLElement | null, kind: PendingListItem['kind']): number | undefined {
  const [one] = [...(list?.querySelectorAll<HTMLElement>(`[data-kind="${kind}"]`) ?? [])]
  return one === undefined || one.offsetHeight === 0 ? undefined : one.offsetHeight
}

function scrollerOf(list: HTMLElement | null): Element | globalThis.Window {
  const column = list?.closest('.column')
  return column !== null && column !== undefined && getComputedStyle(column).overflowY === 'auto'
    ? column
    : window
}
