/**
 * What comes out of reading a policy that was written for another program. An import is never laxer than what it was
 * read from: what can't be said here in the same way is left out of `allow`, or is made wider in `deny` and `ask`,
 * and a note says so.
 */

import { pointerStep } from '../../core/json/pointer-step.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import {
  LIST_NAMES,
  type ListName,
  type PolicyBlock,
  type RuleBlock,
  type WhenBlock,
} from '../language/language.ts'

export interface Imported {
  block: PolicyBlock
  notes: Note[]
  /** Where each entry of the block was read from: a pointer into the block, and one into what was read. */
  origins: Record<string, string>
}

export interface Note {
  /** What it is about, as a JSON pointer into what was read. */
  pointer: string
  /** A sentence that names it, says what became of it and what to do. */
  about: string
  /** What the sentence was made of. */
  reason: Reason
  /** It was left out; it stops more than it did; or it reads differently, or is not what it looks like. */
  effect: 'dropped' | 'stricter' | 'changed'
}

/** An import as it is being made. */
export interface Importing {
  note(pointer: string, effect: Note['effect'], reason: Reason): void
  /** Adds to a list what is not there yet. */
  add(list: ListName, entry: string, pointer: string): void
  /** Adds a rule, but for one of a name that is there: the strict lists come first. */
  addRule(rule: RuleBlock, pointer: string): void
  done(rest: Omit<PolicyBlock, ListName | 'rules'>): Imported
}

export function beginImport(): Importing {
  const notes: Note[] = []
  const origins: Record<string, string> = {}
  const lists: Record<ListName, Set<string>> = { deny: new Set(), ask: new Set(), allow: new Set() }
  const rules = new Map<string, RuleBlock>()
  return {
    note: (pointer, effect, reason) =>
      void notes.push({ pointer, effect, about: sayInEnglish(reason), reason }),
    add(list, entry, pointer) {
      if (lists[list].has(entry)) return
      origins[`/${list}/${lists[list].size}`] = pointer
      lists[list].add(entry)
    },
    addRule(rule, pointer) {
      if (rules.has(rule.name)) return
      origins[`/rules/${rules.size}`] = pointer
      rules.set(rule.name, rule)
    },
    done(rest) {
      const filled = LIST_NAMES.filter((name) => lists[name].size > 0)
      const block: PolicyBlock = {
        ...rest,
        ...Object.fromEntries(filled.map((name) => [name, [...lists[name]]])),
        ...(rules.size > 0 ? { rules: [...rules.values()] } : {}),
      }
      return { block, notes, origins }
    },
  }
}

export function ruleOf(name: string, when: WhenBlock, verdict: RuleBlock['then']): RuleBlock {
  return { name, when, then: verdict }
}

/** As it stands in one of the other program's lists. */
export function entryIn(list: string, text: string): Reason {
  return reasonOf('note.entry', { entry: quoted(text), list })
}

export type ImportedFields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is ImportedFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list of texts; what is absent or null is empty, as in both programs that have such lists. */
export function readTexts(value: unknown, pointer: string): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value))
    refuse(reasonOf('foreign.tools', { what: pointer.slice(1), found: describe(value) }), pointer)
  return Array.from(value, (entry: unknown, index) => {
    if (typeof entry === 'string') return entry
    return refuse(
      reasonOf('foreign.text', { what: `${pointer.slice(1)}[${index}]`, found: describe(entry) }),
      `${pointer}/${index}`,
    )
  })
}

/**
 * The keys that are not known. One that is nearly a known one is refused: whoever wrote `denny` meant something by it,
 * and the other program did not do it.
 */
export function unknownKeys(fields: ImportedFields, known: readonly string[]): string[] {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key))
  for (const key of unknown) {
    const meant = nearestWord(key, known)
    if (meant !== undefined)
      refuse(reasonOf('foreign.key', { key: quoted(key), near: quoted(meant) }), pointerStep(key))
  }
  return unknown
}

/** Somebody else's text in a sentence of ours: on one line, and not longer than is needed to find it. */
export function quoted(text: string): string {
  return JSON.stringify((text.length > 100 ? `${text.slice(0, 100)}…` : text).toWellFormed())
}

export function describe(value: unknown): Reason {
  if (value === null || value === undefined) return reasonOf('found.nothing')
  if (Array.isArray(value)) return reasonOf('found.list')
  const kind = typeof value
  return kind === 'object' || kind === 'string' || kind === 'number' || kind === 'boolean'
    ? reasonOf(`found.${kind}`)
    : reasonOf('found.other')
}

export function refuse(reason: Reason, pointer: string): never {
  throw reasonedError('invalid_policy', reason, { pointer })
}
