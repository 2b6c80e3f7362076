import { useState } from 'preact/hooks'
import type { WireRuleFigures } from '../../../../src/client/index.ts'
import { sayRule } from '../../../../src/display/words/rule-names.ts'
import { useInbox, useLocale, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { isAlwaysApproved, oftenExpires } from './policy-hints.ts'
import { ShareBar } from './share-bar.tsx'
import { HEALTH_WORDS } from './words.ts'

const FIRST = 8

/** Which rules ask, how often, and what comes of it. */
export function RuleTable({ rules }: { rules: readonly WireRuleFigures[] }) {
  const words = useOwnWords(HEALTH_WORDS).rules
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rules : rules.slice(0, FIRST)
  const most = Math.max(1, ...rules.map(({ asked }) => asked))
  return (
    <section class="panel wide" aria-labelledby="per-rule">
      <h3 id="per-rule">{words.title}</h3>
      {rules.length === 0 ? (
        <p class="hint">{words.none}</p>
      ) : (
        <>
          <p class="hint">{words.about}</p>
          <ul class="rule-list">
            {shown.map((figures) => (
              <RuleLine key={figures.rule} figures={figures} most={most} />
            ))}
          </ul>
          {rules.length > shown.length ? (
            <button type="button" onClick={() => setWhole(true)}>
              {words.more(rules.length - shown.length)}
            </button>
          ) : null}
        </>
      )}
    </section>
  )
}

function RuleLine({ figures, most }: { figures: WireRuleFigures; most: number }) {
  const { go } = useInbox()
  const words = useOwnWords(HEALTH_WORDS)
  const locale = useLocale()
  const { rule, asked, approved, rejected, expired, medianMs } = figures
  const other = Math.max(0, asked - approved - rejected - expired)
  const parts = [
    { kind: 'approved', value: approved, label: words.rules.approved },
    { kind: 'rejected', value: rejected, label: words.rules.rejected },
    { kind: 'expired', value: expired, label: words.rules.expired },
    { kind: 'other', value: other, label: words.rules.other },
  ]
  return (
    <li>
      <div class="rule-head">
        <button
          type="button"
          class="as-link rule-name"
          data-row
          onClick={() => go({ page: 'history', query: { rule } })}
        >
          {visible(sayRule(rule, locale))}
        </button>
        <strong>{words.number(asked)}</strong>
      </div>
      <ShareBar parts={parts} of={most} />
      <p class="legend">
        {parts
          .filter(({ value }) => value > 0)
          .map(({ kind, value, label }) => (
            <span key={kind} class={`is-${kind}`}>
              <span class="swatch" aria-hidden="true" />
              {words.number(value)} {label}
            </span>
          ))}
        {medianMs === null ? null : (
          <span>
            {words.rules.median} {words.duration(medianMs)}
          </span>
        )}
      </p>
      {isAlwaysApproved(figures) ? (
        <p class="tip">
          {words.rules.alwaysApproved(approved, asked)}{' '}
          <button type="button" class="as-link" onClick={() => go({ page: 'policy' })}>
            {words.rules.toPolicy}
          </button>
        </p>
      ) : null}
      {oftenExpires(figures) ? <p class="tip">{words.rules.oftenExpires}</p> : null}
    </li>
  )
}
