import type { ComponentChildren } from 'preact'
import type { CallParts, WireCommandLine, WireRequest, WireView } from '../../../src/client/index.ts'
import { useOwnWords } from '../context/context.ts'
import { AfterDeciding } from './after-deciding.tsx'
import { DecidePending } from './decide-pending.tsx'
import { DECIDE_WORDS } from './words/words.ts'

export interface DecideProps {
  view: WireView
  /** Whether the view shows the request as it is known to be now. */
  isCurrent: boolean
  /** Beside other things, and not on the page of the request: what has to be uncovered is not approved there. */
  isElsewhere?: boolean
  /** Whether the whole action was on the screen. Absent where there is none to read, as with a question. */
  reading?: ReadProgress | undefined
  /** Lays out a call as the card does: for the step that confirms it. */
  showCall: ShowCall
}

/** The call of the request, or one that somebody has made of it. */
export type ShowCall = (call: {
  parts: CallParts
  line?: WireCommandLine | undefined
  request?: WireRequest
}) => ComponentChildren

/** See `request/use-read-through.ts`. */
export interface ReadProgress {
  isRead: boolean
  readOn(): void
}

/** What can be answered: only what the rules allow, and nothing before it was there to be read. */
export function Decide({ view, isCurrent, isElsewhere = false, reading, showCall }: DecideProps) {
  const words = useOwnWords(DECIDE_WORDS)
  const { request } = view
  if (request.state !== 'pending') return <AfterDeciding request={request} />
  if (!request.yours) return <p class="hint">{words.notYours}</p>
  return (
    <DecidePending
      key={request.id}
      view={view}
      isCurrent={isCurrent}
      isElsewhere={isElsewhere}
      reading={reading}
      showCall={showCall}
    />
  )
}
