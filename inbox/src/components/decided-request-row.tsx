import type { ComponentChildren } from 'preact'
import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox, useWords } from '../context/context.ts'
import { requestSummary } from '../model/requests/request-summary.ts'
import { visible } from '../model/text/visible-line.ts'
import { StateTag } from './state-tag.tsx'
import { isolateRightToLeft } from './text/isolate-right-to-left.tsx'
import { whenArmed } from './when-armed.ts'

export interface DecidedRequestRowProps {
  request: WireRequest
  /** It has been there long enough to take a click. */
  isArmed: boolean
  /** What stands below the call. */
  children: ComponentChildren
}

/** A request of the past in a list, with what became of it. */
export function DecidedRequestRow({ request, isArmed, children }: DecidedRequestRowProps) {
  const { open, openId } = useInbox()
  const words = useWords()
  const { id, tool, kind } = request
  return (
    <li>
      <button
        type="button"
        class="row"
        data-row
        aria-current={openId.value === id}
        onClick={() => whenArmed(isArmed, () => open(id))}
      >
        <span class="row-head">
          <strong>{kind === 'question' ? words.question : isolateRightToLeft(visible(tool))}</strong>
          <StateTag request={request} />
        </span>
        <span class="gist" dir="ltr">
          {isolateRightToLeft(requestSummary(request))}
        </span>
        <span class="row-foot">{children}</span>
      </button>
    </li>
  )
}
