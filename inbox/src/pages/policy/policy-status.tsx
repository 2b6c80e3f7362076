import type { WirePolicy } from '../../../../src/client/index.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { WithCode } from '../../components/text/with-code.tsx'
import { useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { policyLines } from './policy-lines.ts'
import { POLICY_WORDS } from './words/words.ts'

export interface PolicyStatusProps {
  policy: WirePolicy
  again(): void
  toLine(line: number): void
}

/** Which policy holds and why, in plain words; and what is to be said of it. */
export function PolicyStatus({ policy, again, toLine }: PolicyStatusProps) {
  const words = useOwnWords(POLICY_WORDS)
  const { status, source, file, version, mode, warnings, tests } = policy
  const { elsewhere, failedElsewhere } = policyLines(policy)
  const isFine = status === 'trusted' || status === 'absent'
  return (
    <section class={`panel policy-status is-${status}`}>
      <div class="card-head">
        <h3>{words.status[status]}</h3>
        <button type="button" class="quiet" onClick={again}>
          {words.refresh}
        </button>
      </div>
      <p class={isFine ? undefined : 'note warning'}>
        <WithCode text={words.statusExplain[status]} />
      </p>
      <dl>
        <div>
          <dt>{words.where}</dt>
          <dd>
            <code>{visible(file)}</code>
          </dd>
        </div>
        <div>
          <dt>{words.file.title}</dt>
          <dd>
            {words.source[source]} · {words.mode(visible(mode))}
          </dd>
        </div>
        <div>
          <dt>{words.version}</dt>
          <dd>
            <code>{version.slice(0, 16)}</code>
          </dd>
        </div>
      </dl>
      <p class="facts">
        <span class={warnings.length === 0 ? 'tag' : 'tag state-expired'}>
          {warnings.length === 0 ? words.noWarnings : words.warnings(warnings.length)}
        </span>
        <span class={tests.failed.length === 0 ? 'tag' : 'tag state-failed'}>
          {words.tests(tests.passed, tests.failed.length)}
        </span>
      </p>
      {elsewhere.length + failedElsewhere.length === 0 ? null : (
        <ul class="policy-notes">
          {elsewhere.map((message) => (
            <li key={message} class="note warning">
              <ServerText text={message} />
            </li>
          ))}
          {failedElsewhere.map(({ call, expected, found }) => (
            <li key={call} class="note failure">
              <ServerText text={words.failedTest(call, expected, found)} />
            </li>
          ))}
        </ul>
      )}
      <p class="line-links">
        {linesToLookAt(policy).map((line) => (
          <button key={line} type="button" class="as-link" onClick={() => toLine(line)}>
            {words.file.toLine(line)}
          </button>
        ))}
      </p>
    </section>
  )
}

const MOST_LINKS = 12

function linesToLookAt({ warnings, tests }: WirePolicy): number[] {
  const lines = [...warnings, ...tests.failed].flatMap(({ line }) => line ?? [])
  return [...new Set(lines)].sort((one, other) => one - other).slice(0, MOST_LINKS)
}
