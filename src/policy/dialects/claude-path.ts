/**
 * The paths of `Read(…)` and `Edit(…)`, which Claude Code reads as gitignore does. Ours are close to it, but for where
 * they begin, and for a few wildcards that are none here.
 */

import { posix } from 'node:path'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { type ClaudeRule, type ClaudeTranslation, widened } from './claude-translation.ts'
import { entryIn, quoted } from './imported.ts'

/**
 * @param family The tools that an allow is about. A deny or an ask is about every tool of the kind here as it is.
 * @param isPattern Whether a path can be written in a policy of ours.
 */
export function translatePath(
  rule: ClaudeRule,
  family: readonly string[],
  isPattern: (path: string) => boolean,
): ClaudeTranslation {
  const { text, specifier, list } = rule
  if (specifier.startsWith('!')) {
    const effect = list === 'allow' ? 'dropped' : 'stricter'
    return { note: { effect, reason: reasonOf('note.exception', { entry: entryIn(list, text) }) } }
  }
  const [, anchor = '', path = ''] = /^(\/\/+|~\/|\/|(?:\.\/)*)(.*)$/s.exec(specifier) ?? []
  return list === 'allow'
    ? allowed(rule, family, anchor, path, isPattern)
    : stopped(rule, anchor, path, isPattern)
}

function allowed(
  rule: ClaudeRule,
  family: readonly string[],
  anchor: string,
  path: string,
  isPattern: (path: string) => boolean,
): ClaudeTranslation {
  const plain = singleStars(unescaped(path))
  const isOther =
    /(?<!\\)\[|\\[*?]|(?:^|\/)\.\.(?:\/|$)/.test(path) || (anchor === '' && path.startsWith('~'))
  // A name alone is looked for at every depth, there and here.
  const isName = anchor === '' && /^(?:\*\*\/.*|[^/]*\/?)$/s.test(plain)
  // Here all that is below a folder is the folder as well, which for one that a wildcard stands for may be a file.
  const exact = plain.replace(/(?<=(?:^|\/)(?!\*\*\/)[^/]*[*?][^/]*\/)(?:\*\*(?:\/|$))*$/, '**/*')
  const pattern = isName ? exact : placeOf(anchor) + exact
  if (isOther || !isPattern(pattern)) return widened(rule, reasonOf('why.path'))
  const entries = family.map((tool) => `${tool}(${pattern})`)
  if (!/(?:^|\/)\*$/.test(plain)) return { entries }
  const folder = `${rule.tool}(${pattern.slice(0, -1)}**)`
  const entry = entryIn('allow', rule.text)
  const reason = reasonOf('note.only-there', { entry, right: quoted(folder) })
  return { entries, note: { effect: 'stricter', reason } }
}

function stopped(
  rule: ClaudeRule,
  anchor: string,
  path: string,
  isPattern: (path: string) => boolean,
): ClaudeTranslation {
  const { text, tool, list } = rule
  const wide = singleStars(
    path.replace(
      /\\(.)|\[[^\]]*\]?|[\]{}]/gs,
      (_, escaped: string | undefined) => escaped?.replace(/[[\]{}]/, '*') ?? '*',
    ),
  )
  const pattern = placedPattern(anchor, wide)
  if (!isPattern(pattern)) return widened(rule, reasonOf('why.path'))
  // There, what must not be read is not written either.
  const tools = tool === 'Read' && list === 'deny' ? ['Read', 'Edit'] : [tool]
  const entries = tools.map((name) => `${name}(${pattern})`)
  if (wide === path) return { entries }
  const reason = reasonOf('note.wild', { entry: entryIn(list, text) })
  return { entries, note: { effect: 'stricter', reason } }
}

/** One name, a folder's too, is looked for at every depth. */
function placedPattern(anchor: string, path: string): string {
  const isRelative = anchor === '' || anchor.startsWith('.')
  const [, name, rest = ''] = /^([^/]+)(\/|\/\*\*\/?)?$/.exec(path) ?? []
  // A star alone would be the one tool that is named, and not all of its kind.
  if (isRelative && path === '*') return '**'
  if (isRelative && name !== undefined && name !== '..')
    return rest.startsWith('/**') ? `**/${name}/**` : path
  if (anchor === '' && path.startsWith('**/')) return path
  return placeOf(anchor) + (path === '' ? '' : posix.normalize(path))
}

/** `//x` is absolute; `/x` is beside the settings, as `./x` is. */
function placeOf(anchor: string): string {
  if (anchor.startsWith('//')) return '/'
  return anchor === '~/' ? '~/' : './'
}

/** Stars beside each other are one, but for two alone between slashes. */
function singleStars(path: string): string {
  return path
    .split('/')
    .map((name) => (name === '**' ? name : name.replace(/\*+/g, '*')))
    .filter((name, index, all) => name !== '**' || all[index - 1] !== '**')
    .join('/')
}

function unescaped(path: string): string {
  return path.replace(/\\(.)/gs, '$1')
}
