import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useInbox } from '../context/context.ts'
import type { RequestCardProps } from './request-card.tsx'

export interface RequestViewProps extends Pick<RequestCardProps, 'view' | 'isCurrent'> {
  Card: ComponentType<RequestCardProps>
}

/** One request on a page of its own. Whoever opens it is at its heading; when it is decided, what came of it is in sight. */
export function RequestView({ Card, view, isCurrent }: RequestViewProps) {
  const { isSuggested } = useInbox()
  const { id, state } = view.request
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.closest('.column')?.scrollTo(0, 0)
    // What opened by itself leaves the focus where it is.
    if (!isSuggested(id)) heading.current?.focus({ preventScroll: true })
  }, [])
  const seenState = useRef(state)
  useEffect(() => {
    if (seenState.current === state) return
    seenState.current = state
    // What came of it stands at the top. The button that was pressed is gone, so the focus goes there too.
    heading.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [state])
  return <Card view={view} isCurrent={isCurrent} heading={heading} />
}
