import type { WireJudgement } from '../../../../src/client/index.ts'
import { sayRule } from '../../../../src/display/words/rule-names.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useLocale, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { REQUEST_WORDS } from '../words/words.ts'

export type RuleOfJudgement = WireJudgement['rules'][number]
/** A rule of which perhaps no more is known than how it is called. */
export type NamedRule = Pick<RuleOfJudgement, 'rule'> & Partial<RuleOfJudgement>

/** The places that a rule is about may be many; these are enough to know it by. */
const MOST_ABOUT = 5

/** One rule: what it does, what it is called, where it stands in the file, and what in the call it is about. */
export function RuleView({ rule: named }: { rule: NamedRule }) {
  const { rule, kind, holds, pointer, place, about = [] } = named
  const words = useOwnWords(REQUEST_WORDS).why
  const locale = useLocale()
  const where =
    place === undefined
      ? rule.startsWith('built-in: ')
        ? words.builtIn
        : pointer
      : `${place.file}:${place.line}:${place.column}`
  return (
    <div class="rule">
      <p class="rule-name">
        {words.rule} <strong>{visible(sayRule(rule, locale))}</strong>{' '}
        {kind === undefined ? null : <span class={`verdict is-${kind}`}>{words.kind[kind]}</span>}
        {holds === 'unknown' ? <span class="hint"> {words.maybe}</span> : null}
      </p>
      {where === undefined ? null : (
        <p class="hint rule-place">
          <code dir="ltr">{visible(where)}</code>
        </p>
      )}
      {about.length === 0 ? null : (
        <p class="hint">
          {words.about}{' '}
          {about.slice(0, MOST_ABOUT).map((text, index) => (
            <code key={index} class="about" dir="ltr">
              <ServerText text={text} />
            </code>
          ))}
          {about.length > MOST_ABOUT ? ` +${about.length - MOST_ABOUT}` : null}
        </p>
      )}
    </div>
  )
}
