import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Severity } from '../../../../src/client/index.ts'
import { SeverityTag } from '../../components/severity-tag.tsx'
import { isEarly } from '../../components/when-armed.ts'
import { useOwnWords, useWords } from '../../context/context.ts'
import type { ShowCall } from '../decide.tsx'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface ConfirmFormProps {
  step: FormStep
  title: string
  submit: string
  severity: Severity
  /** What will run, whole: as the card shows it. Undefined where the server couldn't lay out an edit. */
  call: Parameters<ShowCall>[0] | undefined
  showCall: ShowCall
  /** What was changed in it. */
  children?: ComponentChildren
  warnings: readonly string[]
  /** What would be let through from now on, in words. */
  leaves: string | undefined
  /** See `FormFrame`. */
  isMirrored?: boolean
  send(): void
}

/**
 * The second step of approving what is dangerous: what will happen, said again. It can only be sent from here, has no key
 * of its own, and what is critical wants a tick besides.
 */
export function ConfirmForm(props: ConfirmFormProps) {
  const {
    step,
    title,
    submit,
    severity,
    call,
    showCall,
    children,
    warnings,
    leaves,
    isMirrored = false,
    send,
  } = props
  const shared = useWords()
  const words = useOwnWords(DECIDE_WORDS).confirm
  // A tick is for what was shown then: what the policy says may come after it.
  const shown = JSON.stringify([severity, warnings, call?.line?.commands.length, leaves])
  const [readOf, setRead] = useState<string>()
  const hasRead = readOf === shown
  const isCritical = severity === 'critical'
  return (
    <FormFrame
      step={step}
      label={title}
      submit={submit}
      tone="approve"
      isReady={!isCritical || hasRead}
      isMirrored={isMirrored}
      send={send}
    >
      <div class="restating">
        <h3>
          {title} <SeverityTag severity={severity} />
        </h3>
        {children}
        {call === undefined ? null : (
          <>
            <p class="hint">{words.runs}</p>
            {showCall(call)}
          </>
        )}
        {warnings.length === 0 ? null : (
          <div class="note warning">
            <strong>{shared.call.warnings}</strong>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </div>
        )}
        {leaves === undefined ? null : <p class="note warning">{words.leaves(leaves)}</p>}
      </div>
      {isCritical ? (
        <label class="option tick">
          <input
            type="checkbox"
            checked={hasRead}
            onChange={(event) => {
              const isTicked = event.currentTarget.checked
              if (!isEarly(step.isArmed)) setRead(isTicked ? shown : undefined)
              else event.currentTarget.checked = hasRead
            }}
          />
          <span>{words.haveRead}</span>
        </label>
      ) : null}
    </FormFrame>
  )
}
