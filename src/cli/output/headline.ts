/**
 * A verdict in one plain sentence. The sentence on the record names a command by its program alone, because what follows may be a
 * secret; here the person has typed the line themselves, so the command stands whole.
 */
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { sayReason } from '../../display/reasons/say-reason.ts'
import type { Explanation } from '../../policy/policy.ts'

/** Longer ones are in the table below it. */
const MAX_COMMAND = 60

export function headline({ verdict, commands = [] }: Explanation): string {
  const { kind, reason } = verdict
  if (reason === undefined) return sayReason(verdict, 'en')
  const whole = (name: string): string =>
    commands.find(
      ({ verdict: each, text }) =>
        each === kind && text.length <= MAX_COMMAND && `${text} `.startsWith(`${name} `),
    )?.text ?? name
  const said = sayReason({ ...verdict, reason: withWhole(reason, whole) }, 'en')
  // What the policy's author wrote says why, and nothing else.
  return reason.code === 'ask.written' ? `Needs approval: ${said}` : said
}

function withWhole({ code, values = {} }: Reason, whole: (name: string) => string): Reason {
  const named = Object.entries(values).map(([name, value]): [string, ReasonValue] => {
    if (typeof value === 'string') return [name, name === 'what' ? whole(value) : value]
    return [name, isReason(value) ? withWhole(value, whole) : value]
  })
  return { code, values: Object.fromEntries(named) }
}

function isReason(value: ReasonValue): value is Reason {
  return typeof value === 'object' && 'code' in value
}
