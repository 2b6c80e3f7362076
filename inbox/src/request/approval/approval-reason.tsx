import type { WireView } from '../../../../src/client/index.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useOwnWords, useWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { alikeConditions, type ConditionProgress, conditionProgressOf } from './condition-progress.ts'
import { type NamedRule, type RuleOfJudgement, RuleView } from './rule-view.tsx'

/** Why a person is asked: the policy's own words, the rules with their places, who may approve, and who has. */
export function ApprovalReason({ view }: { view: WireView }) {
  const words = useOwnWords(REQUEST_WORDS).why
  const { request, judgement } = view
  const conditions = conditionProgressOf(view)
  const asking = new Set(conditions.map(({ rule }) => rule))
  const rules = judgement?.rules ?? []
  const others = rules.filter(({ rule }) => !asking.has(rule))
  // What denies is never folded away.
  const denying = others.filter(({ kind }) => kind === 'deny')
  const rest = others.filter(({ kind }) => kind !== 'deny')
  return (
    <section class="why">
      <h3>{request.state === 'pending' ? words.title : words.titleOver}</h3>
      <figure>
        <figcaption class="hint">{words.says}</figcaption>
        <blockquote class="quote">
          <ServerText text={request.because} reason={request.reason} />
        </blockquote>
      </figure>
      {judgement?.tool.known === false ? <p class="hint">{words.unknownTool}</p> : null}
      {alikeConditions(conditions).map((group) => (
        <div key={group[0]?.rule} class="rule-box">
          {group.map((condition) => (
            <RuleView key={condition.rule} rule={ruleFor(condition, rules)} />
          ))}
          {group[0] === undefined ? null : (
            <ConditionProgressView condition={group[0]} isPending={request.state === 'pending'} />
          )}
        </div>
      ))}
      {denying.map((rule) => (
        <div key={rule.rule} class="rule-box">
          <RuleView rule={rule} />
        </div>
      ))}
      {rest.length === 0 ? null : (
        <details>
          <summary>{words.others(rest.length)}</summary>
          {rest.map((rule) => (
            <div key={`${rule.rule} ${rule.pointer}`} class="rule-box">
              <RuleView rule={rule} />
            </div>
          ))}
        </details>
      )}
    </section>
  )
}

/** The rule as the policy has it now; where it is gone, its name is all that is known. */
function ruleFor({ rule }: ConditionProgress, rules: readonly RuleOfJudgement[]): NamedRule {
  return rules.find((one) => one.rule === rule) ?? { rule }
}

function ConditionProgressView({
  condition,
  isPending,
}: {
  condition: ConditionProgress
  isPending: boolean
}) {
  const words = useOwnWords(REQUEST_WORDS).why
  const { list } = useWords()
  const { approvers, needed, given, open } = condition
  const nameOf = (name: string) =>
    name === 'owner'
      ? words.owner
      : name.startsWith('group:')
        ? words.group(visible(name.slice(6)))
        : visible(name)
  const names = (people: readonly string[]) =>
    people.length === 0 ? words.nobody : list(people.map(visible))
  return (
    <dl>
      <div>
        <dt>{words.approvers}</dt>
        <dd>{words.needed(needed, list(approvers.map(nameOf)))}</dd>
      </div>
      {needed > 1 && isPending ? (
        <div>
          <dt>{words.given}</dt>
          <dd>
            {names(given)} ({given.length}/{needed})
          </dd>
        </div>
      ) : null}
      {open === undefined || !isPending ? null : (
        <div>
          <dt>{words.open}</dt>
          <dd>{names(open)}</dd>
        </div>
      )}
    </dl>
  )
}
