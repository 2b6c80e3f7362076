/** One quick look that tells whether a call may be about an agent's files at all. Nearly none is. */
import type { TextPrefilter } from '../built-in-denies/text-prefilter.ts'
import { foldCase, lineSpellingsOf, spellingsOf } from '../matchers/spellings.ts'
import type { CallSubject } from '../subject/subject.ts'

export function createMayConcern(
  tells: TextPrefilter,
  homes: readonly string[],
): (subject: CallSubject) => boolean {
  const home = new RegExp(
    `(?:~|\\$\\{?home\\}?|${homes.map(literal).join('|')})["']?/*["']?(?=$|[\\s;|&)])`,
    'i',
  )
  return (subject) => {
    const { call, facts, entry } = subject
    const isShell = entry?.kind === 'shell'
    const isIn = (text: string) => tells.test(foldCase(text))
    for (const folder of [call.cwd, facts?.folder]) if (folder !== undefined && isIn(folder)) return true
    for (const pointer in facts?.paths) if (isIn(facts.paths[pointer]!.resolved)) return true
    for (const word in facts?.words) if (isIn(facts.words[word]!)) return true
    for (const place of facts?.unsure ?? []) if (isIn(place)) return true
    return someIn(call.arguments, (text) => {
      // A wildcard in front may stand for any name: `.*/settings.json`.
      if (isShell && /(?:^|[\s/'"=])\.?[*?[]/.test(text)) return true
      // Who removes a home folder removes what is in it.
      if (home.test(text)) return true
      if (spellingsOf(text).some((spelling) => tells.test(spelling))) return true
      return isShell && lineSpellingsOf(text).some((spelling) => tells.test(spelling))
    })
  }
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Every text and every key; what stands there twice is looked at once. */
function someIn(value: unknown, test: (text: string) => boolean): boolean {
  const seen = new Set<object>()
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string' && test(next)) return true
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (!Array.isArray(next) && Object.keys(next).some(test)) return true
    for (const member of Object.values(next)) {
      if (typeof member === 'string' || (typeof member === 'object' && member !== null)) pending.push(member)
    }
  }
  return false
}
