import { useEffect, useRef, useState } from 'preact/hooks'
import type { DecisionInput, DecisionKind } from '../../../src/client/index.ts'
import { isDangerous } from '../model/batch.ts'
import { useInbox, useOwnWords, useWords } from '../shell/context.ts'
import { Choices } from './choices.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import type { DecideProps } from './decide.tsx'
import { DecideFailure } from './decide-failure.tsx'
import { draftsOf } from './drafts.ts'
import type { Step } from './form-frame.tsx'
import { type GrantChoice, isSound, ONCE, termsOf } from './grant/grant-choice.ts'
import { approveWords, leftWords } from './grant/span-words.ts'
import { editLater, grantLater } from './later-parts.ts'
import { RejectForm } from './reject-form.tsx'
import { RespondForm } from './respond-form.tsx'
import { standingOf } from './standing.ts'
import { TerminateForm } from './terminate-form.tsx'
import { useArmed } from './use-armed.ts'
import { DECIDE_WORDS } from './words.ts'

/** What is open: the step that somebody began, on the call that was shown then. */
interface Panel {
  kind: DecisionKind
  digest: string
  isConfirming: boolean
}

/** What somebody writes stays open when the call changes; what somebody looked at and was about to confirm does not. */
const WRITTEN: readonly DecisionKind[] = ['reject', 'respond', 'edit']

/** A request that waits for this person: the choices, or the step that was begun. */
export function DecidePending({ view, isCurrent, isElsewhere = false }: DecideProps) {
  const { answers, identity } = useInbox()
  const shared = useWords()
  const words = useOwnWords(DECIDE_WORDS)
  const { request } = view
  const { id, digest, scopes, severity } = request
  const [begun, begin] = useState<Panel>()
  const [granted, grant] = useState<{ digest: string; choice: GrantChoice }>()
  const isSame = begun?.digest === digest
  const panel = begun !== undefined && (isSame || WRITTEN.includes(begun.kind)) ? begun : undefined
  const isConfirming = panel?.isConfirming === true && isSame
  const choice = granted?.digest === digest ? granted.choice : ONCE
  const isQuiet = useArmed(
    `${id} ${digest} ${isCurrent} ${panel?.kind} ${isConfirming} ${JSON.stringify(choice)}`,
  )
  const isArmed = isQuiet && isCurrent
  const isSending = answers.sending.value.has(id)
  const drafts = draftsOf(identity.subject)
  const draft = drafts.of(id)
  const place = useReturnOfFocus(panel?.kind)
  useEffect(() => {
    if (request.allowedDecisions.includes('edit')) editLater.fetch()
    if (scopes.length > 1) grantLater.fetch()
  }, [])

  const open = (kind: DecisionKind) => {
    if (isArmed) begin({ kind, digest, isConfirming: false })
  }
  const send = async (input: Omit<DecisionInput, 'digest'> & { digest?: string }) => {
    if (!isArmed) return
    if ((await answers.send(request, { digest, ...input })) !== 'recorded') return
    drafts.forget(id)
    begin(undefined)
  }
  const step: Step = {
    isSending,
    isArmed,
    back: () => begin(undefined),
    notice: (
      <>
        <DecideFailure error={answers.failures.value.get(id)} />
        {isCurrent ? null : (
          <p class="hint" role="status">
            {words.reloading}
          </p>
        )}
      </>
    ),
  }

  const mayGrant = scopes.some((scope) => scope !== 'once')
  const isGrantSound = isSound(choice, scopes)
  const leaves = mayGrant && choice.span !== 'once' && isGrantSound ? choice : undefined
  const submit = leaves === undefined ? undefined : approveWords(words.grant, leaves)
  const left = leaves === undefined ? undefined : leftWords(words.grant, leaves)
  /** What is edited is another call than the suggestions are made for. */
  const exact = { ...choice, suggestion: '', what: '' }
  const leftOfEdit = leaves === undefined ? undefined : leftWords(words.grant, exact)
  const changeGrant = (next: GrantChoice) => grant({ digest, choice: next })
  const approve = () => send({ decision: 'approve', ...(mayGrant ? termsOf(choice, scopes) : {}) })
  const reject = request.kind === 'question' ? words.decline : shared.decision.reject

  return (
    <div class="deciding" ref={place}>
      {panel?.kind === 'approve' ? (
        <ConfirmForm
          step={step}
          title={words.confirm.title}
          submit={submit ?? words.confirm.approve}
          severity={severity}
          warnings={request.rendering.warnings}
          line={view.line}
          leaves={left}
          send={approve}
        >
          <p class="hint">{words.confirm.runs}</p>
          <p class="restated" dir="auto">
            {request.rendering.summary}
          </p>
        </ConfirmForm>
      ) : panel?.kind === 'reject' ? (
        <RejectForm
          step={step}
          draft={draft}
          submit={reject}
          takesReason={request.carriesNoReason !== true}
          send={(reason) => send({ decision: 'reject', ...(reason === '' ? {} : { reason }) })}
        />
      ) : panel?.kind === 'respond' ? (
        <RespondForm step={step} draft={draft} send={(text) => send({ decision: 'respond', text })} />
      ) : panel?.kind === 'edit' ? (
        <editLater.Part
          part={{
            step,
            view,
            draft,
            isConfirming,
            confirm: (next) => {
              if (isArmed) begin({ kind: 'edit', digest, isConfirming: next })
            },
            leaves: leftOfEdit,
            submit,
            isGrantSound,
            send: (args, shown) =>
              void send({
                decision: 'edit',
                arguments: args,
                digest: shown,
                ...(mayGrant ? termsOf(exact, scopes) : {}),
              }),
            children: mayGrant ? (
              <grantLater.Part part={{ request, choice, isEdit: true, change: changeGrant }} />
            ) : null,
          }}
          way={
            <button type="button" class="plain" data-key="Escape" onClick={step.back}>
              {words.back}
            </button>
          }
        />
      ) : panel?.kind === 'terminate' ? (
        <TerminateForm step={step} request={request} send={() => send({ decision: 'terminate' })} />
      ) : (
        <Choices
          request={request}
          step={step}
          draft={draft}
          standing={standingOf(view, identity.subject)}
          isElsewhere={isElsewhere}
          approveWords={submit ?? shared.decision.approve}
          reject={reject}
          choice={choice}
          changeGrant={mayGrant ? changeGrant : undefined}
          isGrantSound={isGrantSound}
          open={open}
          approve={() => (isDangerous(severity) ? open('approve') : void approve())}
          answer={(given) => void send({ decision: 'answer', answers: given })}
        />
      )}
    </div>
  )
}

/** Who comes back from a step is where they were: on the button that opened it. */
function useReturnOfFocus(kind: DecisionKind | undefined) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(kind)
  useEffect(() => {
    const left = before.current
    before.current = kind
    if (left === undefined || kind !== undefined) return
    if (document.activeElement !== document.body && !place.current?.contains(document.activeElement)) return
    place.current?.querySelector<HTMLElement>(`[data-opens="${left}"]`)?.focus({ preventScroll: true })
  }, [kind])
  return place
}
