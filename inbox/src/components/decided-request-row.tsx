import type { ComponentChildren } from 'preact'
import type { WireRequest } from '../../../src/client/index.ts'
import { useInbox } from '../context/context.ts'
import { requestTitle } from '../model/requests/request-title.ts'
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
  const { id } = request
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
          <strong class="row-title" dir="ltr">
            {isolateRightToLeft(requestTitle(request))}
          </strong>
          <StateTag request={request} />
        </span>
        <span class="row-foot">{children}</span>
      </button>
    </li>
  )
}
