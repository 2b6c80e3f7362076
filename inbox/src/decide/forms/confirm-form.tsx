import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Severity, WireCommandLine } from '../../../../src/client/index.ts'
import { SeverityTag } from '../../components/severity-tag.tsx'
import { isEarly } from '../../components/when-armed.ts'
import { useOwnWords, useWords } from '../../context/context.ts'
import { DECIDE_WORDS } from '../words/words.ts'
import { FormFrame, type FormStep } from './form-frame.tsx'

export interface ConfirmFormProps {
  step: FormStep
  title: string
  submit: string
  severity: Severity
  /** What will run: a line, or what was changed in it. */
  children: ComponentChildren
  warnings: readonly string[]
  line: WireCommandLine | undefined
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
  const { step, title, submit, severity, children, warnings, line, leaves, isMirrored = false, send } = props
  const shared = useWords()
  const words = useOwnWords(DECIDE_WORDS).confirm
  // A tick is for what was shown then: what the policy says may come after it.
  const shown = JSON.stringify([severity, warnings, line?.commands.length, leaves])
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
        <AskedCommands line={line} />
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

/** Of a command line, the parts that the policy does not allow by itself. The server has made them visible. */
function AskedCommands({ line }: { line: WireCommandLine | undefined }) {
  const words = useOwnWords(DECIDE_WORDS).confirm
  const commands = line?.commands.filter(({ verdict }) => verdict !== 'allow') ?? []
  if (commands.length === 0) return null
  return (
    <div>
      <p class="hint">{words.asked}</p>
      <ul class="asked-commands">
        {commands.map(({ text, verdict, because, reason, start }, index) => (
          <li key={`${start} ${index}`}>
            <span class={`tag verdict-${verdict}`}>{words.verdict[verdict === 'deny' ? 'deny' : 'ask']}</span>{' '}
            <code dir="ltr">{text}</code> {isOnlyVerdict(reason) ? null : <span class="hint">{because}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** It says no more than the verdict does. */
function isOnlyVerdict(reason: WireCommandLine['commands'][number]['reason']): boolean {
  return reason?.code === 'command.asked' || reason?.code === 'command.denied'
}
