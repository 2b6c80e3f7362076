import { useState } from 'preact/hooks'
import type { WireCommandLine } from '../../../../src/client/index.ts'
import { hasValue } from '../../../../src/core/reasons/reason.ts'
import { sayOwnRule } from '../../../../src/display/words/rule-names.ts'
import { FoldedSpans } from '../../components/text/folded-spans.tsx'
import { serverTextSpans } from '../../components/text/server-text-spans.ts'
import { ServerText } from '../../components/text/spans.tsx'
import { useLocale, useOwnWords } from '../../context/context.ts'
import { visible } from '../../model/text/visible-line.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import { FIELD_LIMITS } from './fold-limits.ts'
import { listedCommands, markOf } from './line-runs.ts'
import { VerdictTag } from './verdict-tag.tsx'

interface CommandListProps {
  commands: WireCommandLine['commands']
  /** The one that was chosen in the line. */
  chosen: number | undefined
  /** Begins the ids of the rows, by which the line refers to them. */
  id: string
}

/** What the policy says of each command; those that are allowed are folded away where there are many. */
export function CommandList({ commands, chosen, id }: CommandListProps) {
  const words = useOwnWords(REQUEST_WORDS).line
  const [isWhole, setWhole] = useState(false)
  const { shown, rest } = listedCommands(commands, isWhole)
  const listed = chosen === undefined || shown.includes(chosen) ? shown : ascending([...shown, chosen])
  const left = rest.allow + rest.ask + rest.deny
  // Of a single command the reason below the call says all there is to say.
  if (commands.length === 0 || (commands.length === 1 && commands[0]?.verdict === 'ask')) return null
  return (
    <div class="commands">
      <ul aria-label={words.commands}>
        {listed.map((index) => (
          <CommandRow
            key={index}
            id={`${id}-${index}`}
            command={commands[index]}
            isChosen={index === chosen}
          />
        ))}
      </ul>
      {left > 0 && !isWhole ? (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          {words.rest(rest.allow, rest.ask, rest.deny)}
        </button>
      ) : null}
      {isWhole ? (
        <button type="button" class="small" onClick={() => setWhole(false)}>
          {words.fewer}
        </button>
      ) : null}
    </div>
  )
}

interface CommandRowProps {
  id: string
  command: WireCommandLine['commands'][number] | undefined
  isChosen: boolean
}

function CommandRow({ id, command, isChosen }: CommandRowProps) {
  const words = useOwnWords(REQUEST_WORDS).line
  if (command === undefined) return null
  const { text, because, reason, rule, through } = command
  const mark = markOf(command)
  const locale = useLocale()
  // What is built in, and the mode, are no rules that somebody wrote.
  const nameOf = (name: string) => sayOwnRule(name, locale) ?? words.rule(visible(name))
  return (
    <li id={id} class={`command-row is-${mark}`} aria-current={isChosen}>
      <VerdictTag verdict={mark} />
      <code dir="ltr">
        <FoldedSpans spans={serverTextSpans(text)} room={FIELD_LIMITS} />
      </code>
      <span class="hint">
        <ServerText text={because} reason={reason} />
        {rule === undefined || hasValue(reason, rule) ? null : ` · ${nameOf(rule)}`}
        {through.length === 0 ? null : ` · ${words.through(through.map(visible).join(' › '))}`}
      </span>
    </li>
  )
}

function ascending(indexes: number[]): number[] {
  return indexes.toSorted((one, other) => one - other)
}
