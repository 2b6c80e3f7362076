import { useState } from 'preact/hooks'
import type { WireHistoryItem, WireRequest } from '../../../../src/client/index.ts'
import { useArmed } from '../../decide/use-armed.ts'
import { visible, visibleBlock } from '../../model/visible-line.ts'
import { Deciders } from '../../parts/deciders.tsx'
import { inOrder } from '../../parts/in-order.tsx'
import { PastRow } from '../../parts/past-row.tsx'
import { useInbox, useOwnWords, useSpeech, useWords } from '../../shell/context.ts'
import { wordFor } from '../../words/words.ts'
import { HISTORY_WORDS } from './words.ts'

/** One call of the past. Those that people were asked about open beside the list, the others in their place. */
export function HistoryRow({ item }: { item: WireHistoryItem }) {
  return item.kind === 'asked' ? <AskedRow found={item.request} /> : <SettledRow call={item.call} />
}

function AskedRow({ found }: { found: WireRequest }) {
  const { live } = useInbox()
  const words = useWords()
  const own = useOwnWords(HISTORY_WORDS)
  const { time } = useSpeech()
  const isArmed = useArmed(found.id)
  live.board.changes.value
  const known = live.board.get(found.id)
  const request = known !== undefined && known.version > found.version ? known : found
  const { decision, outcome, session, createdAt } = request
  return (
    <PastRow request={request} isArmed={isArmed}>
      <time dateTime={createdAt}>{time(createdAt)}</time>
      <Deciders
        request={request}
        say={(names) =>
          decision === undefined ? names : own.by(names, wordFor(words.decided, decision.kind))
        }
      />
      <span class="outcome-line">{inOrder(outcome?.summary ?? visible(session))}</span>
    </PastRow>
  )
}

type SettledCall = Extract<WireHistoryItem, { kind: 'settled' }>['call']

function SettledRow({ call }: { call: SettledCall }) {
  const own = useOwnWords(HISTORY_WORDS)
  const { time } = useSpeech()
  const [isOpen, setOpen] = useState(false)
  const { tool, summary, verdict, rule, session, createdAt } = call
  const said = verdict === 'deny' ? 'deny' : rule?.startsWith('grant ') ? 'granted' : 'allow'
  return (
    <li>
      <details class="row settled-row" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary data-row>
          <span class="row-head">
            <strong>{inOrder(visible(tool))}</strong>
            <span class={`tag state-${verdict === 'deny' ? 'rejected' : 'done'}`}>{own.settled[said]}</span>
          </span>
          <span class="gist" dir="ltr">
            {inOrder(withoutTool(summary, tool))}
          </span>
          <span class="row-foot">
            <time dateTime={createdAt}>{time(createdAt)}</time>
            <span class="outcome-line">{inOrder(visible(session))}</span>
          </span>
        </summary>
        {isOpen ? <SettledPanel call={call} /> : null}
      </details>
    </li>
  )
}

function SettledPanel({ call }: { call: SettledCall }) {
  const words = useOwnWords(HISTORY_WORDS).panel
  const { because, rule, arguments: args, session, callId, submittedBy, digest } = call
  const rows = [
    [words.because, because],
    [words.rule, rule === undefined ? undefined : visible(rule)],
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
              <dd>{inOrder(value)}</dd>
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
            {inOrder(visibleBlock(JSON.stringify(args, null, 2)))}
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
