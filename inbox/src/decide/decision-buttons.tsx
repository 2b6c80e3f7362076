import type { Signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import type { Answers, WireRequest } from '../../../src/client/index.ts'
import { isHighRisk } from '../../../src/core/verdict.ts'
import { sayDecisionAction } from '../../../src/display/words/decisions.ts'
import { useLocale, useOwnWords, useWords } from '../context/context.ts'
import type { ReadProgress } from './decide.tsx'
import type { DecisionDraft } from './drafts/decision-drafts.ts'
import type { FormStep } from './forms/form-frame.tsx'
import { QuestionForm } from './forms/question-form.tsx'
import { MoreMenu, type MoreStep } from './more-menu.tsx'
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
  reading: ReadProgress | undefined
  reject: string
  mayRemember: boolean
  begin(step: MoreStep): void
  approve(): void
  answer(answers: Answers): void
}

/** The first step: Approve and Reject, and everything else behind More. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { request, step, draft, standing, reading, reject, mayRemember, begin } = props
  const shared = useWords()
  const locale = useLocale()
  const words = useOwnWords(DECIDE_WORDS)
  const [isMore, setMore] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { allowedDecisions, severity, kind, questions } = request
  const mayApprove = allowedDecisions.includes('approve') && !standing.hasVoted
  const isQuestion = kind === 'question'
  const mustUncover = (request.covered?.uncover.length ?? 0) > 0
  const isCovered = mustUncover && (props.isElsewhere || request.covered?.uncovered !== true)
  const isUnread = reading?.isRead === false
  const approveWords = sayDecisionAction('approve', locale)
  const decline = allowedDecisions.includes('reject') ? (
    <button
      type="button"
      class="danger"
      data-key="r"
      data-opens="reject"
      disabled={step.isSending}
      onClick={() => begin('reject')}
    >
      {reject}…
    </button>
  ) : null
  const isAnswered = isQuestion && allowedDecisions.includes('answer')
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
        ) : mayApprove && isUnread ? (
          <p class="hint" role="status">
            {words.read.first}
          </p>
        ) : null}
        <MoreMenu
          request={request}
          isOpen={isMore}
          isSending={step.isSending}
          mayRemember={mayApprove && mayRemember && !isCovered && !isUnread}
          mayEdit={!isUnread}
          begin={begin}
          show={() => setMore(true)}
        />
        <div class={step.isArmed ? 'buttons answers' : 'buttons answers is-unarmed'}>
          {!mayApprove ? null : isUnread && !isCovered ? (
            // Another element than Approve: what was to press the one never presses the other.
            <button key="read-on" type="button" class="read-on" data-key="a" onClick={reading?.readOn}>
              {words.read.on}
            </button>
          ) : (
            <button
              key="approve"
              type="button"
              class="approve"
              data-key="a"
              data-opens="approve"
              disabled={step.isSending || isCovered}
              aria-describedby={isCovered ? 'why-covered' : undefined}
              onClick={props.approve}
            >
              {step.isSending ? shared.sending : isHighRisk(severity) ? `${approveWords}…` : approveWords}
            </button>
          )}
          {isAnswered ? null : decline}
          <button
            ref={more}
            type="button"
            class="plain more"
            aria-expanded={isMore}
            data-key={isMore ? 'Escape' : undefined}
            onClick={() => {
              setMore(!isMore)
              if (isMore) more.current?.focus()
            }}
          >
            {words.more} <span aria-hidden="true">{isMore ? '▾' : '▴'}</span>
          </button>
        </div>
      </section>
    </>
  )
}
