/** What to do next is needed by few, and only on an empty page: it is loaded then. */
import { createLatePart, useLatePart } from '../../components/late-part.ts'

const nextSteps = createLatePart(async () => (await import('./next-steps.tsx')).NextSteps)

/** Without it the page is as it was: that nothing is pending is said in any case. */
export function LateNextSteps() {
  const steps = useLatePart(nextSteps)
  return steps.kind === 'here' ? <steps.part /> : null
}
