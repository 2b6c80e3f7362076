import { useEffect, useRef, useState } from 'preact/hooks'
import type { DecisionInput } from '../../../src/client/index.ts'
import { isHighRisk } from '../../../src/core/verdict.ts'
import { sayDecisionAction } from '../../../src/display/words/decisions.ts'
import { useArmed } from '../components/use-armed.ts'
import { isEarly, whenArmed } from '../components/when-armed.ts'
import { useInbox, useLocale, useOwnWords } from '../context/context.ts'
import type { DecideProps } from './decide.tsx'
import { DecideFailure } from './decide-failure.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { decisionDraftsOf } from './drafts/decision-drafts.ts'
import { ConfirmForm } from './forms/confirm-form.tsx'
import type { FormStep } from './forms/form-frame.tsx'
import { RejectForm } from './forms/reject-form.tsx'
import { RememberForm } from './forms/remember-form.tsx'
import { RespondForm } from './forms/respond-form.tsx'
import { TerminateForm } from './forms/terminate-form.tsx'
import {
  chooseGrantSpan,
  GRANT_ONCE,
  type GrantDraft,
  grantReachesOf,
  grantTermsOf,
  isValidGrant,
} from './grant/grant-draft.ts'
import { approveButtonText, grantLeftText } from './grant/grant-phrases.ts'
import { lazyEditForm, lazyGrantForm } from './lazy-forms.ts'
import type { MoreStep } from './more-menu.tsx'
import { voteStatusOf } from './vote-status.ts'
import { DECIDE_WORDS } from './words/words.ts'

/** What is open: the step that somebody began, on the call that was shown then. */
interface Panel {
  kind: MoreStep
  digest: string
  isConfirming: boolean
}

/** What somebody writes stays open when the call changes; what somebody looked at and was about to confirm does not. */
const WRITTEN: readonly MoreStep[] = ['reject', 'respond', 'edit']

/** A request that waits for this person: the choices, or the step that was begun. */
export function DecidePending({ view, isCurrent, isElsewhere = false, reading, showCall }: DecideProps) {
  const { answers, identity } = useInbox()
  const locale = useLocale()
  const words = useOwnWords(DECIDE_WORDS)
  const { request } = view
  const { id, digest, scopes, severity } = request
  const [begun, begin] = useState<Panel>()
  const [granted, grant] = useState<{ digest: string; choice: GrantDraft }>()
  const isSame = begun?.digest === digest
  const panel = begun !== undefined && (isSame || WRITTEN.includes(begun.kind)) ? begun : undefined
  const isConfirming = panel?.isConfirming === true && isSame
  const choice = granted?.digest === digest ? granted.choice : GRANT_ONCE
  const isQuiet = useArmed(
    `${id} ${digest} ${isCurrent} ${panel?.kind} ${isConfirming} ${reading?.isRead} ${JSON.stringify(choice)}`,
  )
  const isArmed = isQuiet && isCurrent
  const isSending = answers.sending.value.has(id)
  const drafts = decisionDraftsOf(identity.subject)
  const draft = drafts.of(id)
  const place = useReturnOfFocus(panel?.kind)
  useEffect(() => {
    if (request.allowedDecisions.includes('edit')) lazyEditForm.fetch()
    if (scopes.length > 1) lazyGrantForm.fetch()
  }, [])

  const open = (kind: MoreStep) => whenArmed(isArmed, () => begin({ kind, digest, isConfirming: false }))
  const send = async (input: Omit<DecisionInput, 'digest'> & { digest?: string }) => {
    if (isEarly(isArmed)) return
    if ((await answers.send(request, { digest, ...input })) !== 'recorded') return
    drafts.forget(id)
    begin(undefined)
  }
  const step: FormStep = {
    isSending,
    isArmed,
    back: () => {
      begin(undefined)
      // What was chosen to be remembered is for the step that was left: Approve allows this call and no more.
      grant(undefined)
    },
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
  const isGrantSound = isValidGrant(choice, scopes)
  const leaves = mayGrant && choice.span !== 'once' && isGrantSound ? choice : undefined
  const submit = leaves === undefined ? undefined : approveButtonText(words.grant, leaves)
  const left = leaves === undefined ? undefined : grantLeftText(words.grant, leaves)
  /** What is edited is another call than the suggestions are made for. */
  const exact = { ...choice, suggestion: '', what: '' }
  const leftOfEdit = leaves === undefined ? undefined : grantLeftText(words.grant, exact)
  const changeGrant = (next: GrantDraft) => grant({ digest, choice: next })
  const approve = () => send({ decision: 'approve', ...(mayGrant ? grantTermsOf(choice, scopes) : {}) })
  const confirmOrSend = () => (isHighRisk(severity) ? open('approve') : void approve())
  const reject = sayDecisionAction('reject', locale, request.kind)
  const standing = voteStatusOf(view, identity.subject)

  return (
    <div class="deciding" ref={place}>
      {panel?.kind === 'approve' ? (
        <ConfirmForm
          step={step}
          title={words.confirm.title}
          submit={submit ?? words.confirm.approve}
          severity={severity}
          warnings={request.rendering.warnings}
          call={{ parts: view.parts, line: view.line, request }}
          showCall={showCall}
          leaves={left}
          send={approve}
        />
      ) : panel?.kind === 'remember' ? (
        <RememberForm
          step={step}
          request={request}
          choice={choice}
          isGrantSound={isGrantSound}
          isShared={standing.isShared}
          submit={submit ?? words.confirm.approve}
          change={changeGrant}
          send={confirmOrSend}
        />
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
        <lazyEditForm.Part
          part={{
            step,
            view,
            draft,
            isConfirming,
            showCall,
            confirm: (next) => whenArmed(isArmed, () => begin({ kind: 'edit', digest, isConfirming: next })),
            leaves: leftOfEdit,
            submit,
            isGrantSound,
            send: (args, shown) =>
              void send({
                decision: 'edit',
                arguments: args,
                digest: shown,
                ...(mayGrant ? grantTermsOf(exact, scopes) : {}),
              }),
            children: mayGrant ? (
              <lazyGrantForm.Part part={{ request, choice, isEdit: true, change: changeGrant }} />
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
        <DecisionButtons
          request={request}
          step={step}
          draft={draft}
          standing={standing}
          isElsewhere={isElsewhere}
          reading={reading}
          reject={reject}
          mayRemember={mayGrant}
          begin={(kind) => {
            if (kind === 'remember' && isArmed)
              changeGrant(chooseGrantSpan(grantReachesOf(scopes)[0]!, scopes))
            open(kind)
          }}
          approve={confirmOrSend}
          answer={(given) => void send({ decision: 'answer', answers: given })}
        />
      )}
    </div>
  )
}

/** Who comes back from a step is where they were: on the button that opened it. */
function useReturnOfFocus(kind: MoreStep | undefined) {
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(kind)
  useEffect(() => {
    const left = before.current
    before.current = kind
    if (left === undefined || kind !== undefined) return
    if (document.activeElement !== document.body && !place.current?.contains(document.activeElement)) return
    const opener = place.current?.querySelector<HTMLElement>(`[data-opens="${left}"]`)
    // The menu that it stands in is closed by now.
    const button =
      opener?.closest('[hidden]') == null ? opener : place.current?.querySelector<HTMLElement>('.more')
    button?.focus({ preventScroll: true })
  }, [kind])
  return place
}
