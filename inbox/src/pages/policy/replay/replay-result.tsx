import type { WireReplay } from '../../../../../src/client/index.ts'
import { hasValue } from '../../../../../src/core/reasons/reason.ts'
import { isolateRightToLeft } from '../../../components/text/isolate-right-to-left.tsx'
import { ServerText } from '../../../components/text/spans.tsx'
import { useOwnWords, useWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { POLICY_WORDS } from '../words/words.ts'
import { type ReplayedGroup, refusedNowRunning, totalsOf, worstFirst } from './replay-order.ts'

/** What would have gone another way, the worst first. */
export function ReplayResult({ replay }: { replay: WireReplay }) {
  const words = useOwnWords(POLICY_WORDS).replay
  const { sentences } = useWords()
  const { calls, days, erased, cut, unchanged, groups } = replay
  const { freed, refused, newlyAsked, newlyDenied } = totalsOf(groups)
  return (
    <div class="replay-result">
      {refused > 0 ? (
        <p class="note failure refused">
          <strong>{words.refused(refused)}</strong>
        </p>
      ) : null}
      <p>
        {sentences(
          words.counts(calls, days),
          groups.length === 0 ? words.nothing : words.unchanged(unchanged),
          erased > 0 && words.erased(erased),
          cut === true && words.cut,
        )}
      </p>
      <ul class="replay-totals">
        {freed > 0 ? <li>{words.freed(freed)}</li> : null}
        {newlyAsked > 0 ? <li>{words.newlyAsked(newlyAsked)}</li> : null}
        {newlyDenied > 0 ? <li>{words.newlyDenied(newlyDenied)}</li> : null}
      </ul>
      <ul class="cards">
        {worstFirst(groups).map((group, index) => (
          <Group key={index} group={group} />
        ))}
      </ul>
    </div>
  )
}

function Group({ group }: { group: ReplayedGroup }) {
  const words = useOwnWords(POLICY_WORDS).replay
  const { tool, was, would, rule, because, reason, calls, rejected, examples } = group
  const running = refusedNowRunning(group)
  return (
    <li class={running > 0 ? 'card replay-group is-refused' : 'card replay-group'}>
      <div class="card-head">
        <strong>{isolateRightToLeft(visible(tool))}</strong>
        <span class="tag">{words.wasWould(words.verdict[was], words.verdict[would])}</span>
      </div>
      <p>
        {words.calls(calls)}
        {rejected > 0 && running === 0 ? ` · ${words.rejected(rejected)}` : ''}
      </p>
      {running > 0 ? <p class="note failure">{words.rejectedRunning(running)}</p> : null}
      <p class="hint">
        <ServerText text={because} reason={reason} />
        {rule === undefined || hasValue(reason, rule) ? null : ` · ${words.rule} ${visible(rule)}`}
      </p>
      {examples.length === 0 ? null : (
        <ul class="examples" aria-label={words.examples}>
          {examples.map((example, index) => (
            <li key={index} dir="ltr">
              <ServerText text={example} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
