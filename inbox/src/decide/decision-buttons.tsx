import type { Signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Answers, DecisionKind, WireRequest } from '../../../src/client/index.ts'
import { isHighRisk } from '../../../src/core/verdict.ts'
import { sayDecisionAction } from '../../../src/display/words/decisions.ts'
import { useLocale, useOwnWords, useWords } from '../context/context.ts'
import type { DecisionDraft } from './drafts/decision-drafts.ts'
import type { FormStep } from './forms/form-frame.tsx'
import { QuestionForm } from './forms/question-form.tsx'
import type { GrantDraft } from './grant/grant-draft.ts'
import { grantSpanText } from './grant/grant-phrases.ts'
import { lazyGrantForm } from './lazy-forms.ts'
import { NextButton } from './next/next-button.tsx'
import { SnoozeButton } from './next/snooze-button.tsx'
import type { VoteStatus } from './vote-status.ts'
import { VoteStatusNote } from './vote-status-note.tsx'
import { DECIDE_WORDS } from './words/words.ts'

export interface DecisionButtonsProps {
  request: WireRequest
  step: FormStep
  draft: Signal<DecisionDraft>
  standing: VoteStatus
  /** See `Decide`. */
  isElsewhere: boolean
  /** What the button says: all that pressing it does. */
  approveWords: string
  reject: string
  choice: GrantDraft
  /** Absent where nothing may be left behind. */
  changeGrant: ((choice: GrantDraft) => void) | undefined
  isGrantSound: boolean
  open(kind: DecisionKind): void
  approve(): void
  answer(answers: Answers): void
}

const KEYS: Partial<Record<DecisionKind, string>> = { reject: 'r', edit: 'e', respond: 'w', terminate: 't' }

/** The first step: everything that can be answered, and nothing else. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { request, step, draft, standing, approveWords, reject, choice, changeGrant, isGrantSound } = props
  const shared = useWords()
  const locale = useLocale()
  const words = useOwnWords(DECIDE_WORDS)
  const [isUnfolded, unfold] = useState(choice.span !== 'once')
  const { allowedDecisions, severity, kind, questions } = request
  const offers = (decision: DecisionKind) => allowedDecisions.includes(decision)
  const mayApprove = offers('approve') && !standing.hasVoted
  const isQuestion = kind === 'question'
  const mustUncover = (request.covered?.uncover.length ?? 0) > 0
  const isCovered = mustUncover && (props.isElsewhere || request.covered?.uncovered !== true)
  const hasGrant = mayApprove && changeGrant !== undefined
  const isTall = hasGrant && isUnfolded
  const opener = (decision: DecisionKind, label: string, tone: string) =>
    offers(decision) ? (
      <button
        type="button"
        class={tone}
        data-key={KEYS[decision]}
        data-opens={decision}
        disabled={step.isSending}
        onClick={() => props.open(decision)}
      >
        {label}…
      </button>
    ) : null
  const isAnswered = isQuestion && offers('answer')
  const decline = opener('reject', reject, 'danger')
  return (
    <>
      {isAnswered ? (
        <QuestionForm
          questions={questions ?? []}
          draft={draft}
          isSending={step.isSending}
          isArmed={step.isArmed}
          send={props.answer}
        >
          {decline}
        </QuestionForm>
      ) : null}
      <section class={isQuestion ? 'decide in-place' : 'decide'} aria-label={words.title} data-near="">
        {step.notice}
        <VoteStatusNote standing={standing} request={request} />
        <div class="aside">
          {hasGrant ? (
            <button
              type="button"
              class="quiet holds"
              aria-expanded={isUnfolded}
              onClick={() => unfold(!isUnfolded)}
            >
              {words.grant.holds}: <strong>{grantSpanText(words.grant, choice.span, choice)}</strong>{' '}
              {isUnfolded ? '▴' : '▾'}
            </button>
          ) : null}
          <SnoozeButton request={request} />
          <NextButton request={request} tone="quiet" />
        </div>
        {isTall ? (
          <>
            <lazyGrantForm.Part part={{ request, choice, isEdit: false, change: changeGrant }} />
            {standing.isShared ? <p class="hint">{words.votes.narrowest}</p> : null}
          </>
        ) : null}
        {mayApprove && isCovered ? (
          <p class="hint" id="why-covered">
            {props.isElsewhere ? (
              <>
                {words.covered.elsewhere} <a href={`#/pending/${request.id}`}>{words.covered.open}</a>
              </>
            ) : (
              words.covered.first
            )}
          </p>
        ) : null}
        <div class={step.isArmed ? 'buttons pair' : 'buttons pair is-unarmed'}>
          {mayApprove ? (
            <button
              type="button"
              class="approve"
              data-key="a"
              data-opens="approve"
              disabled={step.isSending || !isGrantSound || isCovered}
              aria-describedby={isCovered ? 'why-covered' : undefined}
              onClick={props.approve}
            >
              {step.isSending ? shared.sending : isHighRisk(severity) ? `${approveWords}…` : approveWords}
            </button>
          ) : null}
          {isAnswered ? null : decline}
        </div>
        <div class={step.isArmed ? 'buttons' : 'buttons is-unarmed'}>
          {opener('edit', sayDecisionAction('edit', locale), 'plain')}
          {opener('respond', sayDecisionAction('respond', locale), 'plain')}
          {opener('terminate', sayDecisionAction('terminate', locale), 'plain grave')}
        </div>
      </section>
    </>
  )
}
