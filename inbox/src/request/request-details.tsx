import type { CallParts, WireRequest } from '../../../src/client/index.ts'
import { sayRule } from '../../../src/display/words/rule-names.ts'
import { isolateRightToLeft } from '../components/text/isolate-right-to-left.tsx'
import { useLanguage, useLocale, useOwnWords, useWords } from '../context/context.ts'
import { visible } from '../model/text/visible-line.ts'
import { FieldList } from './call/field-list.tsx'
import { isAside } from './call/is-aside.ts'
import { lineageText } from './lineage-text.ts'
import { REQUEST_WORDS } from './words/words.ts'

/** Where the call comes from and how it is known, for who needs to find it again elsewhere. */
export function RequestDetails({ request, parts }: { request: WireRequest; parts: CallParts }) {
  const words = useOwnWords(REQUEST_WORDS).particulars
  const { list } = useWords()
  const locale = useLocale()
  const { time } = useLanguage()
  const { agent, origin } = request
  const rows = [
    [words.createdAt, time(request.createdAt)],
    [words.tool, visible(request.tool)],
    [words.agent, agent === undefined ? undefined : lineageText(agent)],
    [words.session, visible(request.session)],
    [words.submittedBy, visible(request.submittedBy)],
    [
      words.origin,
      origin === undefined
        ? undefined
        : [origin.channel, origin.conversation ?? ''].filter(Boolean).map(visible).join(' · '),
    ],
    [words.rules, list(request.rules.map((rule) => visible(sayRule(rule, locale))))],
    [words.id, request.id],
    [words.follows, request.follows],
    [words.callId, visible(request.callId)],
    [words.digest, request.digest],
  ] as const
  return (
    <section class="particulars">
      <h3>{words.origins}</h3>
      <FieldList fields={parts.fields.filter(isAside)} request={undefined} />
      <dl>
        {rows.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd dir="ltr">{isolateRightToLeft(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}
