import type { WireRequest } from '../../../src/client/index.ts'
import { visible } from '../model/visible-line.ts'
import { useWords } from './context.ts'

/** Why a person is asked, by which rules, who may approve, and who has. */
export function Why({ request }: { request: WireRequest }) {
  const words = useWords()
  const { because, approvers, votes } = request
  return (
    <section class="why">
      <h3>{words.call.why}</h3>
      <p>{because}</p>
      {approvers.length === 0 ? null : (
        <dl>
          {approvers.map(({ rule, approvers: names, quorum }) => (
            <div key={rule}>
              <dt>{visible(rule)}</dt>
              <dd>{words.call.needs(names.map(visible).join(', '), quorum)}</dd>
            </div>
          ))}
        </dl>
      )}
      {votes.length === 0 || request.state !== 'pending' ? null : (
        <p>{words.call.votes(votes.map(({ by }) => visible(by)).join(', '))}</p>
      )}
    </section>
  )
}
