import type { WireBefore, WireView } from '../../../src/client/index.ts'
import { sayState } from '../../../src/display/words/request-states.ts'
import { ServerText } from '../components/text/spans.tsx'
import { useArmed } from '../components/use-armed.ts'
import { whenArmed } from '../components/when-armed.ts'
import { useInbox, useLanguage, useLocale, useOwnWords } from '../context/context.ts'
import { VerdictTag } from './call/verdict-tag.tsx'
import { REQUEST_WORDS } from './words/words.ts'

/** What the agent did just before in its session, and the way to that: to the conversation, where it is one. */
export function AgentActivity({ view: { request, before, chat } }: { view: WireView }) {
  const { go } = useInbox()
  const words = useOwnWords(REQUEST_WORDS).doing
  const isArmed = useArmed(request.id)
  const { session } = request
  return (
    <section class="doing">
      <h3>{words.title}</h3>
      {before.length === 0 ? null : (
        <>
          <h4>{words.before}</h4>
          <ul class="past">
            {before.map((call) => (
              <BeforeRow key={call.callId} call={call} isArmed={isArmed} />
            ))}
          </ul>
        </>
      )}
      <button
        type="button"
        class="small"
        onClick={() =>
          whenArmed(isArmed, () => go({ page: chat === true ? 'chat' : 'sessions', id: session }))
        }
      >
        {chat === true ? words.conversation : words.session}
      </button>
    </section>
  )
}

function BeforeRow({ call, isArmed }: { call: WireBefore; isArmed: boolean }) {
  const { open } = useInbox()
  const { time } = useLanguage()
  const locale = useLocale()
  const { verdict, request, summary, at } = call
  const text = (
    <>
      <span class="past-head">
        {request === undefined ? (
          <VerdictTag verdict={verdict} />
        ) : (
          <span class={`tag state-${request.state}`}>{sayState(request.state, locale)}</span>
        )}
        <time class="hint" dateTime={at}>
          {time(at)}
        </time>
      </span>
      <code class="past-gist" dir="ltr">
        <ServerText text={summary} />
      </code>
    </>
  )
  return (
    <li>
      {request === undefined ? (
        <div class="past-row">{text}</div>
      ) : (
        <button type="button" class="past-row" onClick={() => whenArmed(isArmed, () => open(request.id))}>
          {text}
        </button>
      )}
    </li>
  )
}
