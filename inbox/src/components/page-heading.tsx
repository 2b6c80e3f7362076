import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cameByKey } from './came-by-key.ts'

/** The heading of a page, which takes the focus when somebody came here with the keyboard. */
export function PageHeading({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (cameByKey()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
