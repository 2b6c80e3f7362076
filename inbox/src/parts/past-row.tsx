import type { ComponentChildren } from 'preact'
import type { WireRequest } from '../../../src/client/index.ts'
import { gistOf } from '../model/gist.ts'
import { visible } from '../model/visible-line.ts'
import { useInbox, useWords } from '../shell/context.ts'
import { inOrder } from './in-order.tsx'
import { StateTag } from './state-tag.tsx'

export interface PastRowProps {
  request: WireRequest
  /** It has been there long enough to take a click. */
  isArmed: boolean
  /** What stands below the call. */
  children: ComponentChildren
}

/** A request of the past in a list, with what became of it. */
export function PastRow({ request, isArmed, children }: PastRowProps) {
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
        onClick={() => isArmed && open(id)}
      >
        <span class="row-head">
          <strong>{kind === 'question' ? words.question : inOrder(visible(tool))}</strong>
          <StateTag request={request} />
        </span>
        <span class="gist" dir="ltr">
          {inOrder(gistOf(request))}
        </span>
        <span class="row-foot">{children}</span>
      </button>
    </li>
  )
}
