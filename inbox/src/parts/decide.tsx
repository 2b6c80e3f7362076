import { useState } from 'preact/hooks'
import type { DecisionInput, DecisionKind, GrantScope, WireRequest } from '../../../src/client/index.ts'
import { useInbox, useWords } from './context.ts'
import { EditForm } from './edit-form.tsx'
import { FailureNote } from './failure-note.tsx'
import { QuestionForm } from './question-form.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { TerminateForm } from './terminate-form.tsx'
import { TextForm } from './text-form.tsx'
import { useArmed } from './use-armed.ts'

/** What can be answered: only what the rules allow, and nothing before it was there to be read. */
export function Decide({ request }: { request: WireRequest }) {
  const { answers, identity } = useInbox()
  const words = useWords()
  const [chosen, choose] = useState<DecisionKind>()
  const [scope, setScope] = useState<GrantScope>('once')
  const { id, digest, allowedDecisions, scopes, shortened } = request
  const isArmed = useArmed(`${id} ${digest} ${shortened === true} ${chosen}`)
  const isSending = answers.sending.value.has(id)

  if (!request.yours) return <p class="hint">{words.notYours}</p>
  if (shortened) return <p class="hint">{words.shortenedWait}</p>

  const offers = (kind: DecisionKind) => allowedDecisions.includes(kind)
  const hasVoted = request.votes.some((vote) => vote.by === identity.subject && vote.digest === digest)
  const mayGrant = scopes.length > 1 && (offers('approve') || offers('edit'))
  const send = (input: Omit<DecisionInput, 'digest'> & { digest?: string }) => {
    const isApproval = input.decision === 'approve' || input.decision === 'edit'
    const leaves = mayGrant && isApproval && scopes.includes(scope) ? { scope } : {}
    if (isArmed) void answers.send(request, { digest, ...leaves, ...input })
  }
  const failure = answers.failures.value.get(id)
  const notice = failure === undefined ? null : <FailureNote error={failure} />
  const step = { isSending, isArmed, notice, back: () => choose(undefined) }

  if (chosen === 'reject') {
    const submit = request.kind === 'question' ? words.decline : words.decision.reject
    const { reason: label, reasonHint: hint } = words.form
    const sendReason = (reason: string) => send({ decision: 'reject', ...(reason === '' ? {} : { reason }) })
    return (
      <TextForm
        step={step}
        label={label}
        hint={hint}
        submit={submit}
        tone="danger"
        isOptional
        send={sendReason}
      />
    )
  }
  if (chosen === 'respond') {
    const { text: label, textHint: hint } = words.form
    const sendText = (text: string) => send({ decision: 'respond', text })
    return (
      <TextForm
        step={step}
        label={label}
        hint={hint}
        submit={words.decision.respond}
        tone="primary"
        send={sendText}
      />
    )
  }
  if (chosen === 'edit') {
    return (
      <EditForm
        step={step}
        request={request}
        send={(args, shown) => send({ decision: 'edit', arguments: args, digest: shown })}
      >
        {mayGrant ? <ScopeChoice scopes={scopes} chosen={scope} choose={setScope} /> : null}
      </EditForm>
    )
  }
  if (chosen === 'terminate')
    return <TerminateForm step={step} send={() => send({ decision: 'terminate' })} />

  const opens = (kind: DecisionKind, label: string, tone: string) =>
    offers(kind) ? (
      <button
        type="button"
        class={tone}
        data-key={kind === 'reject' ? 'r' : undefined}
        disabled={isSending}
        onClick={() => isArmed && choose(kind)}
      >
        {label}…
      </button>
    ) : null
  return (
    <>
      {request.kind === 'question' && offers('answer') ? (
        <QuestionForm
          questions={request.questions ?? []}
          isSending={isSending}
          isArmed={isArmed}
          send={(given) => send({ decision: 'answer', answers: given })}
        />
      ) : null}
      <div class={request.kind === 'question' ? 'decide in-place' : 'decide'}>
        {notice}
        {mayGrant && !hasVoted ? <ScopeChoice scopes={scopes} chosen={scope} choose={setScope} /> : null}
        {hasVoted ? <p class="hint">{words.result.votedFor}</p> : null}
        <div class={isArmed ? 'buttons' : 'buttons is-unarmed'}>
          {offers('approve') && !hasVoted ? (
            <button
              type="button"
              class="approve"
              data-key="a"
              disabled={isSending}
              onClick={() => send({ decision: 'approve' })}
            >
              {isSending ? words.sending : words.decision.approve}
            </button>
          ) : null}
          {opens('reject', request.kind === 'question' ? words.decline : words.decision.reject, 'danger')}
          {opens('respond', words.decision.respond, 'plain')}
          {opens('edit', words.decision.edit, 'plain')}
          {opens('terminate', words.decision.terminate, 'plain')}
        </div>
      </div>
    </>
  )
}
