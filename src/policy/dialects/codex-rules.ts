/**
 * Codex' `*.rules`: calls of `prefix_rule` in Starlark, each about commands that begin with certain words. The strictest
 * of those that fit counts there as it does here, so each rule is read by itself.
 */
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ListName } from '../language/language.ts'
import { translateCommand } from './claude-command.ts'
import { beginImport, type Imported, type Importing, quoted, refuse } from './imported.ts'
import { readStarlarkCalls, type StarlarkCall, type StarlarkValue } from './starlark-calls.ts'

const LISTS: Readonly<Record<string, ListName>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' }

/** More ways to begin than anybody writes in one rule. */
const MOST_PATTERNS = 256

export function importCodexRules(value: unknown): Imported {
  if (typeof value !== 'string') refuse(reasonOf('codex.not-text'), '')
  const importing = beginImport()
  for (const [index, call] of readStarlarkCalls(value).entries()) {
    const pointer = `/${index}`
    if (call.name === 'prefix_rule') importRule(call, pointer, importing)
    else
      importing.note(
        pointer,
        'dropped',
        reasonOf('note.codex-call', { call: `${call.name}(…)`, line: call.line }),
      )
  }
  importing.note('', 'stricter', reasonOf('note.codex-sandbox'))
  return importing.done({})
}

function importRule({ line, fields }: StarlarkCall, pointer: string, importing: Importing): void {
  const rule = reasonOf('codex.rule', { line })
  for (const key of fields.keys()) {
    if (!KEYS.includes(key))
      refuse(reasonOf('codex.argument', { rule, key: quoted(key), keys: KEYS }), pointer)
  }
  const decision = fields.get('decision') ?? 'allow'
  const list = typeof decision === 'string' && Object.hasOwn(LISTS, decision) ? LISTS[decision] : undefined
  if (list === undefined) refuse(reasonOf('codex.decision', { rule, words: Object.keys(LISTS) }), pointer)
  const patterns = patternsOf(fields.get('pattern'), rule, pointer)
  for (const words of patterns) importPattern(words, list, { line, pointer, importing })
  const justification = fields.get('justification')
  if (typeof justification === 'string' && list !== 'allow')
    importing.note(pointer, 'changed', reasonOf('note.justification', { rule, text: quoted(justification) }))
}

const KEYS: readonly string[] = ['pattern', 'decision', 'justification', 'match', 'not_match']

interface RulePlace {
  readonly line: number
  readonly pointer: string
  readonly importing: Importing
}

function importPattern(
  words: readonly string[],
  list: ListName,
  { line, pointer, importing }: RulePlace,
): void {
  const text = words.join(' ')
  const entry = reasonOf('note.entry-of', { entry: quoted(text), of: reasonOf('codex.rule', { line }) })
  const odd = words.findIndex((word) => !PLAIN.test(word))
  if (odd !== -1 && list === 'allow') {
    importing.note(pointer, 'dropped', reasonOf('note.codex-word', { entry }))
    return
  }
  const kept = odd === -1 ? words : words.slice(0, odd)
  if (odd !== -1)
    importing.note(
      pointer,
      'stricter',
      kept.length === 0
        ? reasonOf('note.codex-every', { entry })
        : reasonOf('note.codex-wider', { entry, right: quoted(kept.join(' ')) }),
    )
  if (kept.length === 0) {
    importing.add(list, 'Bash', pointer)
    return
  }
  const {
    entries = [],
    rule,
    note,
  } = translateCommand({
    ...{ text: `${kept.join(' ')}`, tool: 'Bash', list },
    specifier: `${kept.join(' ')} *`,
  })
  for (const entry of entries) importing.add(list, entry, pointer)
  if (rule !== undefined) importing.addRule(rule, pointer)
  if (note !== undefined) importing.note(pointer, note.effect, note.reason)
}

/** A word that means itself in a pattern of a command. */
const PLAIN = /^[\w@%+,./:~^-]+$/

/** Every way in which a command may begin: a list in the place of a word stands for one of its words. */
function patternsOf(value: StarlarkValue | undefined, rule: Reason, pointer: string): string[][] {
  if (!Array.isArray(value) || value.length === 0) refuse(reasonOf('codex.pattern', { rule }), pointer)
  let patterns: string[][] = [[]]
  for (const word of value) {
    const choices = Array.isArray(word) ? word : [word]
    if (choices.length === 0 || !choices.every((one) => typeof one === 'string'))
      refuse(reasonOf('codex.word', { rule }), pointer)
    patterns = patterns.flatMap((before) => choices.map((one) => [...before, one as string]))
    if (patterns.length > MOST_PATTERNS)
      refuse(reasonOf('codex.many', { rule, limit: MOST_PATTERNS }), pointer)
  }
  return patterns
}
