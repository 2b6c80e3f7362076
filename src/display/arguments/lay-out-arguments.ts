/**
 * Lays out the arguments of a call: each one exactly once, as a field when it is short and in a block when it is
 * not. Texts that a person knows by sight (a command, a file, a change) get the form in which they are read.
 */
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { Block, Field } from '../../core/rendering.ts'
import type { PathFact } from '../../core/verdict.ts'
import { applyChanges, type CallDiffBudget, renderDiff, type TextChange } from '../diff/render-diff.ts'
import { childPointer } from '../masks/json-pointer.ts'
import type { Mask } from '../masks/mask-values.ts'
import { quote } from '../text/quote.ts'
import { makeVisibleWithin } from '../text/shorten.ts'
import { makeVisible } from '../text/visible.ts'
import type { RenderingWords } from '../words/rendering-words.ts'
import { CODE_KEYS, languageOf, type Shape } from './argument-shapes.ts'
import type { WordList } from './find-word-list.ts'
import { jsonText } from './json-text.ts'
import { inMailOrder } from './mail-parts.ts'
import { maskedValue } from './show-parts.ts'
import type { WarningCollector } from './warning-collector.ts'
import { showWordList } from './word-list.ts'

/** A rendering in the making. */
export interface LayoutDraft {
  readonly tool: string
  readonly args: JsonObject
  readonly words: RenderingWords
  readonly warnings: WarningCollector
  readonly maskAt: ReadonlyMap<string, Mask>
  readonly shape: Shape
  readonly facts: Readonly<Record<string, PathFact>>
  readonly limit: number
  /** What comparing texts may still cost, in all changes together. */
  readonly budget: CallDiffBudget
  readonly fields: Field[]
  readonly blocks: Block[]
}

export function layOutArguments(draft: LayoutDraft): void {
  const { shape } = draft
  const entries = inMailOrder(Object.entries(draft.args))
  const covered = new Set<string>()
  if (shape.kind === 'edit') {
    addChanges(draft, shape)
    for (const { pointers } of shape.changes) for (const pointer of pointers) covered.add(pointer)
  } else if (shape.kind === 'write') {
    addWrite(draft, shape)
    covered.add(childPointer('', shape.key))
  } else if (shape.kind === 'words') {
    addWords(draft, shape.list)
    for (const pointer of shape.list.pointers) covered.add(pointer)
  }
  const isOpen = ([key]: [string, JsonValue]): boolean => !covered.has(childPointer('', key))
  const open = entries.filter(isOpen)
  for (const [key, value] of open.slice(0, MOST_MEMBERS)) {
    if (shape.kind === 'edit' && key === 'edits' && shape.changes[0]!.pointers[0].startsWith('/edits/')) {
      addRestOfEdits(draft, value, covered)
    } else {
      addValue(draft, labelOf(draft, key), key, childPointer('', key), value)
    }
  }
  const rest = open.slice(MOST_MEMBERS)
  if (rest.length > 0) {
    addJson(
      draft,
      draft.words.moreArguments(rest.length),
      '',
      rest.map(([key]) => childPointer('', key)),
      Object.fromEntries(rest),
    )
  }
}

/** Quotes around anything but a plain name: no key or tool can pass for a label of ours. */
export function labelOf(draft: LayoutDraft, key: string): string {
  const isPlain = /^[A-Za-z_][\w.:\-/]*$/.test(key) && !OWN_LABELS.has(key)
  return draft.warnings.see(makeVisible(isPlain ? key : quote(key))).text
}

/** Of one word, with which lines of ours begin beside a call. */
const OWN_LABELS: ReadonlySet<string> = new Set(
  'Tool Why Agent State Decision Outcome Digest Requested Question'.split(' '),
)

function addValue(draft: LayoutDraft, label: string, key: string, pointer: string, value: JsonValue): void {
  const { warnings, fields, maskAt, limit, shape, tool, args } = draft
  const mask = maskAt.get(pointer)
  if (mask !== undefined) {
    const { kind, length, name } = mask
    const masked = { kind, length, ...defined({ name }) }
    fields.push({ label, pointer, value: maskedValue(mask), masked })
  } else if (typeof value === 'string') {
    const isCode = CODE_KEYS.has(key) || (shape.kind === 'command' && shape.key === key)
    if (value !== '' && (isCode || value.includes('\n') || value.length > LONGEST_FIELD)) {
      const language = languageOf(shape, tool, args, key)
      addText(draft, { kind: isCode ? 'code' : 'text', label, pointer, text: value, language })
    } else {
      fields.push({ label, pointer, value: warnings.see(makeVisible(fieldText(value))) })
    }
  } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    addJson(draft, label, pointer, [pointer], value)
  } else {
    const shown = makeVisibleWithin(JSON.stringify(value), limit)
    if (shown.shortened !== undefined) warnings.seeShortened()
    fields.push({ label, pointer, ...shown })
  }
}

/** A text that could be taken for another value, or whose ends can't be seen, stands in quotes. */
function fieldText(value: string): string {
  return /^$|^["\s[{]|\s$|^-?[0-9][0-9.eE+-]*$|^(?:true|false|null)$/.test(value)
    ? JSON.stringify(value)
    : value
}

interface TextToShow {
  kind: 'code' | 'text'
  label: string
  pointer: string
  text: string
  language?: string | undefined
}

function addText(draft: LayoutDraft, { kind, label, pointer, text, language }: TextToShow): void {
  const shown = makeVisibleWithin(text, draft.limit, { lines: 'keep' })
  draft.warnings.see(shown.value)
  if (shown.shortened !== undefined) draft.warnings.seeShortened()
  draft.blocks.push({ kind, label, pointers: [pointer], ...defined({ language }), ...shown })
}

function addJson(
  draft: LayoutDraft,
  label: string,
  pointer: string,
  pointers: string[],
  value: JsonValue,
): void {
  const shown = jsonText(value, pointer, draft.maskAt, draft.limit)
  draft.warnings.see(shown.value)
  if (shown.shortened !== undefined) draft.warnings.seeShortened()
  draft.blocks.push({ kind: 'json', label, pointers, ...shown })
}

/** One line, as it would have to be typed. A list that is a part of some other argument stands there as well. */
function addWords(draft: LayoutDraft, list: WordList): void {
  const { warnings, maskAt, limit } = draft
  const { pointers, words } = list
  const shown = showWordList(list, maskAt, limit)
  // The line writes out what can't be seen in a way of its own, so it is looked for in the words.
  const plain = words.filter(({ pointer }) => !maskAt.has(pointer)).map(({ value }) => value)
  warnings.see(makeVisibleWithin(plain.join(' '), limit, { lines: 'keep' }).value)
  if (shown.shortened !== undefined) warnings.seeShortened()
  const label = pointers.map((pointer) => labelOf(draft, pointer.slice(1))).join(' + ')
  draft.blocks.push({ kind: 'code', label, pointers: [...pointers], language: 'shell', ...shown })
}

function addWrite(draft: LayoutDraft, shape: Shape & { kind: 'write' }): void {
  const { tool, args, words, facts } = draft
  const pointer = childPointer('', shape.key)
  const text = args[shape.key] as string
  const fact = factAt(facts, childPointer('', shape.path))
  const key = labelOf(draft, shape.key)
  if (fact?.text !== undefined && addDiff(draft, words.comparedWithFile(key), [pointer], fact.text, text))
    return
  const label = fact === undefined ? key : fact.exists ? words.replacedFile(key) : words.newFile(key)
  addText(draft, { kind: 'code', label, pointer, text, language: languageOf(shape, tool, args, shape.key) })
}

function addChanges(draft: LayoutDraft, shape: Shape & { kind: 'edit' }): void {
  const { words, warnings, facts } = draft
  const fact = shape.path === undefined ? undefined : factAt(facts, childPointer('', shape.path))
  if (fact?.text !== undefined) {
    const applied = applyChanges(fact.text, shape.changes)
    const pointers = shape.changes.flatMap((change) => change.pointers)
    if (applied.kind === 'not-found') warnings.add(words.warnings.notInFile)
    if (applied.kind === 'applied' && addDiff(draft, words.changeInFile, pointers, fact.text, applied.text))
      return
  }
  for (const change of shape.changes) addChange(draft, change)
}

function addChange(draft: LayoutDraft, { before, after, pointers }: TextChange): void {
  const [beforeLabel, afterLabel] = pointers.map((pointer) => labelOf(draft, pointer.slice(1))) as [
    string,
    string,
  ]
  const label = draft.words.change(beforeLabel, afterLabel)
  // A piece of a file has no end of its own. With a line break added to both, whether a piece has one shows as
  // an empty last line instead of a remark on nearly every edit.
  if (addDiff(draft, label, pointers, `${before}\n`, `${after}\n`)) return
  addText(draft, { kind: 'text', label: beforeLabel, pointer: pointers[0], text: before })
  addText(draft, { kind: 'text', label: afterLabel, pointer: pointers[1], text: after })
}

/** False where the texts are too long to be compared. */
function addDiff(
  draft: LayoutDraft,
  label: string,
  pointers: string[],
  before: string,
  after: string,
): boolean {
  const block = renderDiff({ label, pointers, before, after, limit: draft.limit, budget: draft.budget })
  if (block === undefined) return false
  for (const row of block.rows) {
    if (!('value' in row)) continue
    draft.warnings.see(row.value)
    if (row.value.spans.some((span) => span.kind === 'left-out')) draft.warnings.seeShortened()
  }
  if (block.shortened !== undefined) draft.warnings.seeShortened()
  if (!block.isComplete) draft.warnings.add(draft.words.warnings.notCompared)
  draft.blocks.push(block)
  return true
}

/** What the entries of a list of changes say besides the two texts. */
function addRestOfEdits(draft: LayoutDraft, edits: JsonValue, covered: ReadonlySet<string>): void {
  for (const [index, entry] of (edits as JsonObject[]).entries()) {
    for (const [key, value] of Object.entries(entry)) {
      const pointer = childPointer(childPointer('/edits', index), key)
      if (!covered.has(pointer)) addValue(draft, labelOf(draft, pointer.slice(1)), key, pointer, value)
    }
  }
}

function factAt(facts: Readonly<Record<string, PathFact>>, pointer: string): PathFact | undefined {
  return Object.hasOwn(facts, pointer) ? facts[pointer] : undefined
}

const LONGEST_FIELD = 120
/** More members than anyone looks at one by one go into one block. */
const MOST_MEMBERS = 100
