import type { Ref } from 'preact'
import type { WireView } from '../../../src/client/index.ts'
import { SeverityTag } from '../components/severity-tag.tsx'
import { StateTag } from '../components/state-tag.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../components/text/spans.tsx'
import { TimeLeft } from '../components/time-left.tsx'
import { useOwnWords, useWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import { conditionProgressOf, hardestCondition } from './approval/condition-progress.ts'
import { lineageText } from './lineage-text.ts'
import { REQUEST_WORDS } from './words/words.ts'

interface RequestHeadingProps {
  view: Pick<WireView, 'request' | 'eligible'>
  heading: Ref<HTMLHeadingElement>
}

/** What is asked, how grave it is, how much time there is, and who asks. */
export function RequestHeading({ view, heading }: RequestHeadingProps) {
  const words = useWords()
  const own = useOwnWords(REQUEST_WORDS).heading
  const { request } = view
  const { rendering, state, severity, expiresAt, agent, session } = request
  const isPending = state === 'pending'
  const shared = hardestCondition(conditionProgressOf(view))
  const [, ours = '', tool = rendering.title] = TITLE.exec(rendering.title) ?? []
  return (
    <header class="request-head">
      <h2 id="title" ref={heading} tabIndex={-1}>
        {request.kind === 'question' ? (
          words.question
        ) : (
          <>
            {ours}
            <code dir="ltr">
              <ServerText text={tool} />
            </code>
          </>
        )}
      </h2>
      <p class="tags">
        <SeverityTag severity={severity} />
        {isPending ? <TimeLeft expiresAt={expiresAt} /> : <StateTag request={request} />}
        {isPending && shared !== undefined ? (
          <span class="tag quorum">{own.quorum(shared.given.length, shared.needed)}</span>
        ) : null}
      </p>
      <p class="asker">
        {agent === undefined ? null : (
          <>
            {own.agent} <strong>{isolateRightToLeft(lineageText(agent))}</strong> ·{' '}
          </>
        )}
        {isolateRightToLeft(own.session(visible(session)))}
      </p>
    </header>
  )
}

/** Our words end with a colon; what follows is the tool's name, in quotes where it is not a plain one. */
const TITLE = /^([^:：]*[:：] ?)(.*)$/su
