import type { WireRequest } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { useSpeech, useWords } from './context.ts'

/** Where the call comes from. */
export function Particulars({ request }: { request: WireRequest }) {
  const words = useWords().call
  const { time } = useSpeech()
  const { agent, session, submittedBy, createdAt, digest } = request
  const lineage = agent === undefined ? undefined : [...(agent.parents ?? []), agent.name].join(' → ')
  const rows = [
    [words.agent, lineage],
    [words.session, visible(session)],
    [words.submittedBy, visible(submittedBy)],
    [words.createdAt, time(createdAt)],
    [words.digest, digest],
  ] as const
  return (
    <dl class="particulars">
      {rows.map(([label, value]) =>
        value === undefined ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
