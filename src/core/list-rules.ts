/** Names of rules, as they stand in brackets behind a reason. In a sentence three are enough; the terms have them all. */
export function listRules(rules: readonly string[]): string {
  if (rules.length === 1) return rules[0]!
  return rules.length <= 3 ? rules.join(', ') : `${rules.slice(0, 3).join(', ')} and ${rules.length - 3} more`
}
