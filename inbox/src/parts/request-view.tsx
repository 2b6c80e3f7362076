import { useEffect, useRef } from 'preact/hooks'
import type { WireRequest } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { AgentWords } from './agent-words.tsx'
import { CallText } from './call-text.tsx'
import { useWords } from './context.ts'
import { Decide } from './decide.tsx'
import { Particulars } from './particulars.tsx'
import { Result } from './result.tsx'
import { SeverityTag } from './severity-tag.tsx'
import { StateTag } from './state-tag.tsx'
import { TimeLeft } from './time-left.tsx'
import { WholeArguments } from './whole-arguments.tsx'
import { Why } from './why.tsx'

/** One request, whole: what would run, why it is asked, and what can be answered or was. */
export function RequestView({ request }: { request: WireRequest }) {
  const words = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  const wasPending = useRef(request.state === 'pending')
  useEffect(() => {
    heading.current?.closest('.column')?.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    // The button that was pressed is gone: the focus goes to where the reader can go on.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [request.state])

  const { rendering, state, severity, expiresAt, edited } = request
  const isPending = state === 'pending'
  const isQuestion = request.kind === 'question'
  const decide = isPending ? <Decide request={request} /> : null
  return (
    <article class="request" aria-labelledby="title">
      <header>
        <h2 id="title" ref={heading} tabIndex={-1}>
          {isQuestion ? words.question : rendering.title}
        </h2>
        <p class="tags">
          <SeverityTag severity={severity} />
          {isPending ? <TimeLeft expiresAt={expiresAt} /> : <StateTag request={request} />}
        </p>
      </header>
      {isPending ? null : <Result request={request} wasPending={wasPending.current} />}
      {rendering.warnings.length === 0 ? null : (
        <div class="note warning">
          <strong>{words.call.warnings}</strong>
          <ul>
            {rendering.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      {edited === undefined ? null : <p class="note warning">{words.call.edited(visible(edited.by))}</p>}
      {isQuestion ? decide : <CallText rendering={rendering} />}
      <WholeArguments key={request.digest} request={request} />
      <Why request={request} />
      <AgentWords request={request} />
      <Particulars request={request} />
      {isQuestion ? null : decide}
    </article>
  )
}
