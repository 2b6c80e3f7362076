import type { WireExplanation } from '../../../../../src/client/index.ts'
import { sayRule } from '../../../../../src/display/words/rule-names.ts'
import { ServerText } from '../../../components/text/spans.tsx'
import { useLocale, useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { CommandList } from '../../../request/call/command-list.tsx'
import { DoubtList } from '../../../request/call/doubt-list.tsx'
import { VerdictTag } from '../../../request/call/verdict-tag.tsx'
import { POLICY_WORDS } from '../words/words.ts'

export interface ExplanationProps {
  explanation: WireExplanation
  /** Absent where it was judged by a text that is not shown line by line. */
  toLine?(line: number): void
}

const MOST_RULES = 50

/** What the policy says of a call, and all that led to it. */
export function Explanation({ explanation, toLine }: ExplanationProps) {
  const words = useOwnWords(POLICY_WORDS).attempt
  const locale = useLocale()
  const { verdict, tool, rules, commands = [], doubts = [], pointer = '' } = explanation
  return (
    <div class="explanation">
      <p class={`verdict-line is-${verdict.kind}`}>
        <VerdictTag verdict={verdict.kind} /> <strong>{words.verdict[verdict.kind]}</strong>
      </p>
      <p>
        <ServerText text={verdict.because} reason={verdict.reason} />
      </p>
      {tool.known ? null : <p class="hint">{words.unknownTool}</p>}
      {commands.length === 0 ? null : (
        <>
          <h4>{words.commands}</h4>
          <CommandList commands={commands} chosen={undefined} id="tried-command" />
        </>
      )}
      <DoubtList line={{ pointer, pieces: [], commands, doubts }} />
      <h4>{words.rules}</h4>
      {rules.length === 0 ? <p class="hint">{words.noRules}</p> : null}
      <ul class="rule-places">
        {rules.slice(0, MOST_RULES).map((rule, index) => (
          <li key={index} class={rule.decided ? 'is-decisive' : undefined}>
            <span class={`verdict is-${rule.kind}`}>{words.kind[rule.kind]}</span>
            <span class="rule-name">{visible(sayRule(rule.rule, locale))}</span>
            <span class="hint">
              {rule.decided ? `${words.decided} · ` : ''}
              {rule.holds === 'unknown' ? `${words.maybe} · ` : ''}
              {rule.place === undefined ? words.builtIn : null}
            </span>
            {rule.place === undefined ? null : (
              <PlaceLink line={rule.place.line} {...(toLine === undefined ? {} : { toLine })} />
            )}
            {rule.about === undefined || rule.about.length === 0 ? null : (
              <p class="hint" dir="ltr">
                {words.isAbout} <ServerText text={rule.about.slice(0, MOST_ABOUT).join(', ')} />
                {rule.about.length > MOST_ABOUT ? ` … (${rule.about.length})` : ''}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const MOST_ABOUT = 10

function PlaceLink({ line, toLine }: { line: number; toLine?(line: number): void }) {
  const words = useOwnWords(POLICY_WORDS).attempt
  if (toLine === undefined) return <span class="hint">{words.line(line)}</span>
  return (
    <button type="button" class="as-link" onClick={() => toLine(line)}>
      {words.line(line)}
    </button>
  )
}
