import type { ComponentChildren } from 'preact'
import type { WireDemonstration } from '../../../../src/client/index.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { WithCode } from '../../components/text/with-code.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { usePageAction } from '../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { NEXT_STEPS_WORDS, type NextStep } from './next-steps-words.ts'
import './next-steps.css'

/**
 * What to do once nothing is pending, for who runs the server: while it has the demonstration, and where nothing was ever decided.
 * To others it would say what they can't do.
 */
export function NextSteps() {
  const { client, recent, pending } = useInbox()
  const own = useOwnWords(NEXT_STEPS_WORDS)
  // Its requests come and go: then it stands otherwise.
  const loaded = useLoaded(
    `${pending.value.length} ${recent.value.length}`,
    (signal) => client.demonstration({ signal }),
    {
      keep: true,
    },
  )
  const demonstration = loaded.value
  if (demonstration === undefined) return null
  if (demonstration.state === 'absent' && recent.value.length > 0) return null
  const url = new URL('.', location.href).href
  return (
    <section class="next-steps" aria-labelledby="next-steps">
      <h2 id="next-steps">{own.title}</h2>
      {demonstration.state === 'absent' ? null : (
        <Demonstration demonstration={demonstration} put={loaded.put} />
      )}
      <Step step={own.connect(url)} />
      <Step step={isLoopback(location.hostname) ? own.invite : { ...own.invite, more: '' }} />
      <Step step={own.policy}>
        <a href="#/policy">{own.policy.page}</a>
      </Step>
      <p class="hint">{own.where}</p>
    </section>
  )
}

function Demonstration({
  demonstration: { state, session },
  put,
}: {
  demonstration: WireDemonstration
  put(now: WireDemonstration): void
}) {
  const { client } = useInbox()
  const own = useOwnWords(NEXT_STEPS_WORDS).demonstration
  const { isBusy, error, run } = usePageAction()
  const isRunning = state === 'running'
  return (
    <div class="next-step">
      <h3>{own.title}</h3>
      <p role="status">{isRunning ? own.running : own.ready}</p>
      {error === undefined ? null : <FailureNote error={error} />}
      <p class="next-actions">
        {isRunning ? null : (
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            onClick={() => void run(async (signal) => put(await client.runDemonstration({ signal })))}
          >
            {isBusy ? own.starting : own.run}
          </button>
        )}
        {session === undefined ? null : <a href={`#/chat/${encodeURIComponent(session)}`}>{own.open}</a>}
      </p>
      <p class="hint">
        <WithCode text={own.command} />
      </p>
    </div>
  )
}

function Step({ step, children }: { step: NextStep; children?: ComponentChildren }) {
  return (
    <div class="next-step">
      <h3>{step.title}</h3>
      <p>{step.text}</p>
      {step.commands.map((command) => (
        <pre key={command} dir="ltr">
          <code>{command}</code>
        </pre>
      ))}
      <p class="hint">
        <WithCode text={step.more} /> {children}
      </p>
    </div>
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
