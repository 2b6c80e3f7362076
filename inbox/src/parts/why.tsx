import type { WireRequest } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { useWords } from './context.ts'

/** Why a person is asked, by which rules, who may approve, and who has. */
export function Why({ request: { because, approvers, votes, state } }: { request: WireRequest }) {
  const words = useWords().call
  return (
    <section class="why">
      <h3>{words.why}</h3>
      <p>{because}</p>
      {approvers.map(({ rule, approvers: names, quorum }) => (
        <dl key={rule}>
          <div>
            <dt>{words.rule}</dt>
            <dd>{visible(rule)}</dd>
          </div>
          <div>
            <dt>{words.approvers}</dt>
            <dd>{words.quorum(quorum, names.map(visible).join(', '))}</dd>
          </div>
        </dl>
      ))}
      {votes.length === 0 || state !== 'pending' ? null : (
        <p>{words.votes(votes.map(({ by }) => visible(by)).join(', '))}</p>
      )}
    </section>
  )
}
