import { useEffect, useRef } from 'preact/hooks'
import type { ClientError, DecisionKind } from '../../../src/client/index.ts'
import { sayDecided } from '../../../src/display/words/decisions.ts'
import { FailureNote } from '../components/failure-note.tsx'
import { useLocale, useOwnWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import { DECIDE_WORDS } from './words/words.ts'

/** Why an answer failed, and what counts now. */
export function DecideFailure({ error }: { error: ClientError | undefined }) {
  const locale = useLocale()
  const words = useOwnWords(DECIDE_WORDS)
  const note = useRef<HTMLDivElement>(null)
  // The button is where somebody looks; what went wrong must not lie outside the screen.
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), [error])
  if (error === undefined) return null
  const recorded = recordedIn(error)
  const counts = words.counts(error.code)
  return (
    <div class="failed-answer" ref={note}>
      <FailureNote error={error} />
      {recorded === undefined ? null : (
        <p>{words.recordedBy(visible(recorded.by), sayDecided(recorded.kind as DecisionKind, locale))}</p>
      )}
      {counts === '' ? null : <p>{counts}</p>}
    </div>
  )
}

/** The decision that was recorded in place of this one, as the server tells it. */
function recordedIn({ problem }: ClientError): { by: string; kind: string } | undefined {
  const decision = problem?.decision
  if (typeof decision !== 'object' || decision === null) return undefined
  const { by, kind } = decision as Record<string, unknown>
  return typeof by === 'string' && typeof kind === 'string' ? { by, kind } : undefined
}
