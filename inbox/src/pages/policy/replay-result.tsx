import type { WireReplay } from '../../../../src/client/index.ts'
import { visible } from '../../model/visible-line.ts'
import { inOrder } from '../../parts/in-order.tsx'
import { Told } from '../../parts/spans.tsx'
import { useOwnWords } from '../../shell/context.ts'
import { type ReplayGroup, refusedNowRunning, totalsOf, worstFirst } from './replay-order.ts'
import { POLICY_WORDS } from './words.ts'

/** What would have gone another way, the worst first. */
export function ReplayResult({ replay }: { replay: WireReplay }) {
  const words = useOwnWords(POLICY_WORDS).replay
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
        {words.counts(calls, days)} {groups.length === 0 ? words.nothing : words.unchanged(unchanged)}{' '}
        {erased > 0 ? words.erased(erased) : null} {cut ? words.cut : null}
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

function Group({ group }: { group: ReplayGroup }) {
  const words = useOwnWords(POLICY_WORDS).replay
  const { tool, was, would, rule, because, calls, rejected, examples } = group
  const running = refusedNowRunning(group)
  return (
    <li class={running > 0 ? 'card replay-group is-refused' : 'card replay-group'}>
      <div class="card-head">
        <strong>{inOrder(visible(tool))}</strong>
        <span class="tag">{words.wasWould(words.verdict[was], words.verdict[would])}</span>
      </div>
      <p>
        {words.calls(calls)}
        {rejected > 0 && running === 0 ? ` · ${words.rejected(rejected)}` : ''}
      </p>
      {running > 0 ? <p class="note failure">{words.rejectedRunning(running)}</p> : null}
      <p class="hint">
        <Told text={because} />
        {rule === undefined || because.includes(rule) ? null : ` · ${words.rule} ${visible(rule)}`}
      </p>
      {examples.length === 0 ? null : (
        <ul class="examples" aria-label={words.examples}>
          {examples.map((example, index) => (
            <li key={index} dir="ltr">
              <Told text={example} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
