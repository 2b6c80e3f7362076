import { useEffect, useRef } from 'preact/hooks'
import type { DecisionKind, WireRequest } from '../../../src/client/index.ts'
import { sayDecisionAction } from '../../../src/display/words/decisions.ts'
import { useLocale, useOwnWords } from '../context/context.ts'
import { SnoozeButton } from './next/snooze-button.tsx'
import { DECIDE_WORDS } from './words/words.ts'

/** What somebody can do beside approving and rejecting. `remember` approves and allows more than this call. */
export type MoreStep = DecisionKind | 'remember'

export interface MoreMenuProps {
  request: WireRequest
  isOpen: boolean
  isSending: boolean
  /** Whether an approval may allow more than this call. */
  mayRemember: boolean
  /** An edit approves all that it doesn't change, so that has to be read like the rest. */
  mayEdit: boolean
  begin(step: MoreStep): void
  /** Its key has opened something in it. */
  show(): void
}

const KEYS: Partial<Record<MoreStep, string>> = { edit: 'e', respond: 'w', terminate: 't' }

/** Everything but Approve and Reject. It is there while it is closed, so that its keys work. */
export function MoreMenu({ request, isOpen, isSending, mayRemember, mayEdit, begin, show }: MoreMenuProps) {
  const locale = useLocale()
  const words = useOwnWords(DECIDE_WORDS)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) menu.current?.querySelector('button')?.focus()
  }, [isOpen])
  const item = (step: MoreStep, label: string, tone = '') => (
    <button
      type="button"
      class={`menu-item ${tone}`}
      data-key={KEYS[step]}
      data-opens={step}
      disabled={isSending}
      onClick={() => begin(step)}
    >
      {label}…
    </button>
  )
  const offers = (decision: DecisionKind) => request.allowedDecisions.includes(decision)
  return (
    <div ref={menu} class="more-menu" hidden={!isOpen}>
      {mayRemember ? item('remember', words.remember.open) : null}
      {mayEdit && offers('edit') ? item('edit', sayDecisionAction('edit', locale)) : null}
      {offers('respond') ? item('respond', sayDecisionAction('respond', locale)) : null}
      <SnoozeButton request={request} opened={show} />
      {offers('terminate') ? item('terminate', sayDecisionAction('terminate', locale), 'is-grave') : null}
    </div>
  )
}
