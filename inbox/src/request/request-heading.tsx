import type { Ref } from 'preact'
import type { WireView } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { inOrder } from '../parts/in-order.tsx'
import { SeverityTag } from '../parts/severity-tag.tsx'
import { Told } from '../parts/spans.tsx'
import { StateTag } from '../parts/state-tag.tsx'
import { TimeLeft } from '../parts/time-left.tsx'
import { useOwnWords, useWords } from '../shell/context.ts'
import { lineageOf } from './lineage.ts'
import { conditionsOf, hardestCondition } from './quorum.ts'
import { REQUEST_WORDS } from './words.ts'

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
  const shared = hardestCondition(conditionsOf(view))
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
              <Told text={tool} />
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
            {own.agent} <strong>{inOrder(lineageOf(agent))}</strong> ·{' '}
          </>
        )}
        {inOrder(own.session(visible(session)))}
      </p>
    </header>
  )
}

/** Our words end with a colon; what follows is the tool's name, in quotes where it is not a plain one. */
const TITLE = /^([^:：]*[:：] ?)(.*)$/su
