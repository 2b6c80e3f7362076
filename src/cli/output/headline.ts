/**
 * A verdict in one plain sentence: first what becomes of the call, then why. The sentence on the record names a command by
 * its program alone, because what follows may be a secret; here the person has typed the line themselves.
 */
import type { Verdict } from '../../core/verdict.ts'
import type { Explanation } from '../../policy/policy.ts'

const CONSEQUENCES: Readonly<Record<Verdict['kind'], string>> = {
  allow: 'Allowed',
  ask: 'Needs approval',
  deny: 'Denied',
}

/** Longer ones are in the table below it. */
const MAX_COMMAND = 60

export function headline({ verdict, tool, commands = [] }: Explanation): {
  consequence: string
  why: string
} {
  const { kind, because, rule = '' } = verdict
  const at = rule === '' || !because.endsWith(')') ? -1 : because.lastIndexOf(` (${rule}`)
  const rules = at === -1 ? '' : because.slice(at + 2, -1)
  const why = plainly(at === -1 ? because : because.slice(0, at), rules)
  const end = why.indexOf(` in ${tool.name}`)
  const name = end === -1 ? '' : why.slice(0, end)
  const rest = why.slice(end + ` in ${tool.name}`.length)
  const command = commands.find((one) => one.verdict === kind && `${one.text} `.startsWith(`${name} `))
  const isShown =
    name !== '' && /^[ :]/.test(rest) && command !== undefined && command.text.length <= MAX_COMMAND
  return { consequence: CONSEQUENCES[kind], why: isShown ? `\`${command.text}\`${rest}` : why }
}

/** The reason without the consequence, which stands in front. `rules` are those that decided. */
function plainly(words: string, rules: string): string {
  const unknown = /^whether a rule is about .+ can't be told beforehand, so a person is asked: (.+)$/s.exec(
    words,
  )
  if (unknown !== null) return unknown[1]!
  if (rules.startsWith('mode: ')) {
    const why = words.replace(/, so a person is asked$|, and what is not allowed is denied$/, '')
    // The name of the usual mode says nothing more.
    return rules === 'mode: default' ? why : `${why} (${rules})`
  }
  const matched = /^a person is asked about (.+)$|^(.+) is (?:denied|allowed)$/s.exec(words)
  if (matched !== null && rules !== '') return `${matched[1] ?? matched[2]} matches ${rules}`
  const why = words.replace(/^needs approval: /, '').replace(/ is denied: /, ': ')
  return rules === '' ? why : `${why} (${rules})`
}
