import type { Ref } from 'preact'
import type { WireView } from '../../../src/client/index.ts'
import { askerName, sayHeadline } from '../../../src/display/words/headlines.ts'
import { StateTag } from '../components/state-tag.tsx'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { TimeLeft } from '../components/time-left.tsx'
import { useLocale, useOwnWords } from '../context/context.ts'
import { NextButton } from '../decide/next/next-button.tsx'
import { visible } from '../model/text/visible-line.ts'
import { conditionProgressOf, hardestCondition } from './approval/condition-progress.ts'
import { REQUEST_WORDS } from './words/words.ts'

interface RequestHeadingProps {
  view: Pick<WireView, 'request' | 'eligible'>
  heading?: Ref<HTMLHeadingElement>
  /** For the name of what stands around it. */
  id: string
}

/** Who wants what and where; how much time there is, or how it ended. */
export function RequestHeading({ view, heading, id }: RequestHeadingProps) {
  const own = useOwnWords(REQUEST_WORDS).heading
  const locale = useLocale()
  const { request } = view
  const { rendering, state, expiresAt, tool, cwd } = request
  const isPending = state === 'pending'
  const shared = hardestCondition(conditionProgressOf(view))
  const pieces = sayHeadline(
    {
      who: visible(askerName(request)),
      tool: visible(tool),
      intent: rendering.intent,
      folder: cwd === undefined ? undefined : visible(cwd),
      isOver: !isPending,
    },
    locale,
  )
  return (
    <header class="request-head">
      <h2 id={id} ref={heading ?? null} tabIndex={-1}>
        {pieces.map(({ kind, text }, index) =>
          kind === 'words' ? (
            text
          ) : kind === 'who' ? (
            <strong key={index}>{isolateRightToLeft(text)}</strong>
          ) : (
            <code key={index} dir="ltr">
              {isolateRightToLeft(text)}
            </code>
          ),
        )}
      </h2>
      <p class="tags">
        {isPending ? <TimeLeft expiresAt={expiresAt} /> : <StateTag request={request} />}
        {isPending && shared !== undefined ? (
          <span class="tag quorum">{own.quorum(shared.given.length, shared.needed)}</span>
        ) : null}
        {isPending ? <NextButton request={request} tone="quiet" /> : null}
      </p>
    </header>
  )
}
