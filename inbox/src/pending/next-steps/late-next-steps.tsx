/** What to do next is needed by few, and only on an empty page: it is loaded then. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadWithin } from '../../model/browser/load-within.ts'

let loaded: ComponentType | undefined

export function LateNextSteps() {
  const [, look] = useState(0)
  useEffect(() => {
    if (loaded !== undefined) return
    loadWithin(() => import('./next-steps.tsx')).then(
      ({ NextSteps }) => {
        loaded = NextSteps
        look((count) => count + 1)
      },
      // Without it the page is as it was: that nothing is pending is said in any case.
      () => {},
    )
  }, [])
  const Steps = loaded
  return Steps === undefined ? null : <Steps />
}
