import { useState } from 'preact/hooks'
import type { WireExplanation, WirePolicy } from '../../../../../src/client/index.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords, useWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { POLICY_WORDS } from '../words/words.ts'
import { asJson, type CallDraft, callOf, formOf, mainArgument } from './call-draft.ts'
import { Explanation } from './explanation.tsx'

export interface TryCallFormProps {
  policy: WirePolicy
  /** A text that does not hold, to judge by in place of what does. */
  draft: string
  toLine(line: number): void
}

interface TriedCall {
  explanation: WireExplanation
  /** What it is about: the question as it was sent. */
  asked: string
  isByDraft: boolean
}

/** A call that somebody makes up, and what the policy says of it. */
export function TryCallForm({ policy, draft, toLine }: TryCallFormProps) {
  const { client } = useInbox()
  const words = useOwnWords(POLICY_WORDS).attempt
  const shared = useWords()
  const { tools } = policy
  const [call, setCall] = useState<CallDraft>(() => beginning(policy))
  const [isByDraft, setByDraft] = useState(false)
  const [answer, setAnswer] = useState<TriedCall>()
  const { isBusy, error, run } = usePageAction()
  const [isTold, setTold] = useState(false)
  const change = (part: Partial<CallDraft>) => setCall({ ...call, ...part })
  const form = formOf(call, tools)
  const main = mainArgument(call.tool, tools)
  const drafted = callOf(call, tools)
  const hasDraft = draft !== policy.text
  const byDraft = hasDraft && isByDraft
  const asked = JSON.stringify([drafted, byDraft ? draft : policy.version])

  const submit = async (event: Event) => {
    event.preventDefault()
    setTold(true)
    if (drafted.kind === 'mistake' || isBusy) return
    const isDone = await run(async () => {
      const explanation = await client.explain({ ...drafted.call, ...(byDraft ? { text: draft } : {}) })
      setAnswer({ explanation, asked, isByDraft: byDraft })
    })
    if (!isDone) setAnswer(undefined)
  }

  const mistake = drafted.kind === 'mistake' && isTold ? drafted : undefined
  return (
    <section class="panel" aria-labelledby="attempt">
      <h3 id="attempt">{words.title}</h3>
      <p class="hint">{words.about}</p>
      <form class="form-fields" onSubmit={submit}>
        <label>
          <span>{words.tool}</span>
          <input
            list="known-tools"
            value={call.tool}
            placeholder={words.toolHint}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={mistake?.about === 'tool'}
            onInput={(event) => change({ tool: event.currentTarget.value })}
          />
          <datalist id="known-tools">
            {tools
              .filter(({ name }) => visible(name) === name)
              .map(({ name, kind }) => (
                <option key={name} value={name} label={kind} />
              ))}
          </datalist>
        </label>
        {mistake?.about === 'tool' ? (
          <p class="note failure" role="alert">
            {words.missingTool}
          </p>
        ) : null}
        {main === undefined ? null : (
          <fieldset class="choices" aria-label={words.form.label}>
            {(['plain', 'json'] as const).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={form === name}
                onClick={() =>
                  change({ form: name, ...(name === 'json' ? { json: asJson(call, tools) } : {}) })
                }
              >
                {words.form[name]}
              </button>
            ))}
          </fieldset>
        )}
        {form === 'plain' && main !== undefined ? (
          <label>
            <span>{visible(main)}</span>
            <textarea
              class="code"
              rows={2}
              value={call.plain}
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => change({ plain: event.currentTarget.value })}
            />
          </label>
        ) : (
          <label>
            <span>{words.arguments}</span>
            <textarea
              class="code"
              rows={5}
              value={call.json}
              placeholder="{ }"
              autocapitalize="none"
              spellcheck={false}
              aria-invalid={mistake?.about === 'arguments'}
              onInput={(event) => change({ json: event.currentTarget.value })}
            />
          </label>
        )}
        {mistake?.about === 'arguments' ? (
          <p class="note failure" role="alert">
            {shared.sentences(words.unreadable, visible(mistake.detail ?? ''))}
          </p>
        ) : null}
        <div class="form-row">
          <label>
            <span>{words.cwd}</span>
            <input
              value={call.cwd}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => change({ cwd: event.currentTarget.value })}
            />
          </label>
          <label>
            <span>{words.mode}</span>
            <select value={call.mode} onChange={(event) => change({ mode: event.currentTarget.value })}>
              <option value="">{words.ownMode(policy.mode)}</option>
              {policy.modes.map((mode) => (
                <option key={mode} value={mode}>
                  {mode}
                </option>
              ))}
            </select>
          </label>
        </div>
        {hasDraft ? (
          <fieldset class="choices" aria-label={words.by.label}>
            {([false, true] as const).map((isDraft) => (
              <button
                key={String(isDraft)}
                type="button"
                aria-pressed={byDraft === isDraft}
                onClick={() => setByDraft(isDraft)}
              >
                {isDraft ? words.by.draft : words.by.held}
              </button>
            ))}
          </fieldset>
        ) : null}
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? shared.loading : words.submit}
        </button>
      </form>
      {error === undefined ? null : <FailureNote error={error} />}
      {answer === undefined ? null : (
        <div role="status">
          {answer.asked === asked ? null : <p class="hint">{words.old}</p>}
          <Explanation explanation={answer.explanation} {...(answer.isByDraft ? {} : { toLine })} />
        </div>
      )}
    </section>
  )
}

/** A shell command is what is tried most; where there is no shell, the first tool that the policy knows. */
function beginning({ tools }: WirePolicy): CallDraft {
  const shells = tools.filter(({ kind }) => kind === 'shell')
  const tool = shells.find(({ name }) => name === 'Bash') ?? shells[0] ?? tools[0]
  return { tool: tool?.name ?? '', form: 'plain', plain: '', json: '', cwd: '', mode: '' }
}
