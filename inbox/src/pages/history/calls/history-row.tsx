import { useState } from 'preact/hooks'
import type { WireHistoryItem, WireRequest } from '../../../../../src/client/index.ts'
import { JOINED_RULE } from '../../../../../src/core/verdict.ts'
import {
  type AutomaticDecision,
  sayAutomatic,
  sayDecided,
} from '../../../../../src/display/words/decisions.ts'
import { sayTool } from '../../../../../src/display/words/headlines.ts'
import { sayRule } from '../../../../../src/display/words/rule-names.ts'
import { DecidedRequestRow } from '../../../components/decided-request-row.tsx'
import { Deciders } from '../../../components/deciders.tsx'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../../components/text/spans.tsx'
import { useArmed } from '../../../components/use-armed.ts'
import { useSessionName } from '../../../components/use-session-name.ts'
import { useInbox, useLanguage, useLocale, useOwnWords } from '../../../context/context.ts'
import { visible, visibleBlock } from '../../../model/text/visible-line.ts'
import { HISTORY_WORDS } from '../words/history-words.ts'

/** One call of the past. Those that people were asked about open beside the list, the others in their place. */
export function HistoryRow({ item }: { item: WireHistoryItem }) {
  return item.kind === 'asked' ? <AskedRow found={item.request} /> : <SettledRow call={item.call} />
}

function AskedRow({ found }: { found: WireRequest }) {
  const { live } = useInbox()
  const locale = useLocale()
  const own = useOwnWords(HISTORY_WORDS)
  const { time } = useLanguage()
  const isArmed = useArmed(found.id)
  live.board.changes.value
  const known = live.board.get(found.id)
  const request = known !== undefined && known.version > found.version ? known : found
  const { decision, outcome, session, createdAt } = request
  const name = useSessionName(request)
  return (
    <DecidedRequestRow request={request} isArmed={isArmed}>
      <time dateTime={createdAt}>{time(createdAt)}</time>
      <Deciders
        request={request}
        say={(names) =>
          decision === undefined ? names : own.by(names, sayDecided(decision.kind, locale, request.kind))
        }
      />
      <span class="outcome-line" title={visible(session)}>
        {isolateRightToLeft(outcome?.summary ?? name)}
      </span>
    </DecidedRequestRow>
  )
}

function decidedBy(verdict: HistoryCall['verdict'], rule: string | undefined): AutomaticDecision {
  if (verdict === 'deny') return 'denied'
  if (rule === JOINED_RULE) return 'joined'
  return rule?.startsWith('grant ') ? 'granted' : 'allowed'
}

type HistoryCall = Extract<WireHistoryItem, { kind: 'settled' }>['call']

function SettledRow({ call }: { call: HistoryCall }) {
  const locale = useLocale()
  const { time } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { tool, summary, verdict, rule, session, createdAt } = call
  const name = useSessionName(call)
  const decided = decidedBy(verdict, rule)
  return (
    <li>
      <details class="row settled-row" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-row>
          <span class="row-head">
            <strong>{isolateRightToLeft(sayTool(visible(tool), locale))}</strong>
            <span class={`tag state-${verdict === 'deny' ? 'rejected' : 'done'}`}>
              {sayAutomatic(decided, locale)}
            </span>
          </span>
          <span class="gist" dir="ltr">
            {isolateRightToLeft(withoutTool(summary, tool))}
          </span>
          <span class="row-foot">
            <time dateTime={createdAt}>{time(createdAt)}</time>
            <span class="outcome-line" title={visible(session)}>
              {isolateRightToLeft(name)}
            </span>
          </span>
        </summary>
        {isOpen ? <SettledPanel call={call} /> : null}
      </details>
    </li>
  )
}

function SettledPanel({ call }: { call: HistoryCall }) {
  const words = useOwnWords(HISTORY_WORDS).panel
  const locale = useLocale()
  const { because, reason, rule, arguments: args, session, callId, submittedBy, digest } = call
  const rows = [
    [words.because, <ServerText key="because" text={because} reason={reason} />],
    [words.rule, rule === undefined ? undefined : visible(sayRule(rule, locale))],
    [words.session, visible(session)],
    [words.call, visible(callId)],
    [words.from, visible(submittedBy)],
    [words.digest, digest],
  ] as const
  return (
    <div class="settled-panel">
      <dl>
        {rows.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{typeof value === 'string' ? isolateRightToLeft(value) : value}</dd>
            </div>
          ),
        )}
      </dl>
      {args === undefined ? (
        <p class="hint">{words.erased}</p>
      ) : (
        <>
          <p class="hint">{words.arguments}</p>
          <pre class="json" dir="ltr">
            {isolateRightToLeft(visibleBlock(JSON.stringify(args, null, 2)))}
          </pre>
        </>
      )}
    </div>
  )
}

/** The name stands above it anyway. */
function withoutTool(summary: string, tool: string): string {
  const head = `${visible(tool)}: `
  return summary.startsWith(head) ? summary.slice(head.length) : summary
}
