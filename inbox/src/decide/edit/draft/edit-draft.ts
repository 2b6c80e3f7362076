/**
 * An edit while it is being made: one value, written in a form or as JSON. What can't be read yet stays as it was typed,
 * and the other way of writing is open once it can be, so that switching never loses anything.
 */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { parseStrictJson } from '../../../../../src/core/json/strict-json.ts'
import type { FieldKind } from '../fields/field-plan.ts'
import { fromEditableJson, type JsonRead, readAs, toEditableJson } from './editable-json.ts'
import { hasForm, isWithin } from './form-limits.ts'
import { isSameJson, withAt, withoutAt } from './json-at.ts'

export interface EditDraft {
  /** Of what stood there when the edit began, and what it was: an edit of anything else is refused. */
  digest: string
  before: JsonObject
  mode: 'form' | 'json'
  value: JsonObject
  /** What the form is made for. It stays the same while somebody writes, so that no field changes under their hands. */
  layout: JsonObject
  json: string
  /** What stands in fields that can't be read, by pointer. */
  unread: ReadonlyMap<string, { text: string; why: EditMistake }>
}

export type EditMistake = Extract<JsonRead<unknown>, { kind: 'wrong' }>

/** What is longer is not read at every key, but after a pause. */
const LARGE = 20_000
const LARGE_NODES = 2000

/** In JSON, where there is too much of it for a form. */
export function beginEdit(digest: string, before: JsonObject, mode: EditDraft['mode'] = 'form'): EditDraft {
  return {
    digest,
    before,
    mode: hasForm(before) ? mode : 'json',
    value: before,
    layout: before,
    json: toEditableJson(before),
    unread: new Map(),
  }
}

/** The same version, as an edit of what is asked now. */
export function moveEdit(draft: EditDraft, digest: string, before: JsonObject): EditDraft {
  return { ...draft, digest, before, layout: draft.value }
}

export function readEdit({ mode, json, value, unread }: EditDraft): JsonRead<JsonObject> {
  if (mode === 'json') return readAs(() => fromEditableJson(json))
  const [first] = unread.values()
  return first === undefined ? { kind: 'value', value } : first.why
}

export function isChanged(draft: EditDraft): boolean {
  const read = readEdit(draft)
  return read.kind === 'wrong' || !isSameJson(read.value, draft.before)
}

/** Whether reading and comparing it takes longer than the time between two keys. */
export function isLarge({ mode, json, value, unread }: EditDraft): boolean {
  if (mode === 'json') return json.length > LARGE
  if (!isWithin(value, LARGE_NODES, LARGE)) return true
  return [...unread.values()].some(({ text }) => text.length > LARGE)
}

export function switchTo(draft: EditDraft, mode: EditDraft['mode']): EditDraft {
  const read = readEdit(draft)
  if (mode === draft.mode || read.kind === 'wrong') return draft
  const { value } = read
  if (mode === 'form') return hasForm(value) ? { ...draft, mode, value, layout: value } : draft
  const written = readAs(() => fromEditableJson(draft.json))
  const isWritten = written.kind === 'value' && isSameJson(written.value, value)
  return { ...draft, mode, json: isWritten ? draft.json : toEditableJson(value) }
}

/** It is not read here: that is for when there is a pause. */
export function writeJson(draft: EditDraft, json: string): EditDraft {
  return { ...draft, json }
}

/** What somebody typed into a field. */
export function writeField(draft: EditDraft, pointer: string, kind: FieldKind, text: string): EditDraft {
  const read = readField(kind, text)
  if (read.kind === 'value') return setField(draft, pointer, read.value)
  return { ...draft, unread: new Map(draft.unread).set(pointer, { text, why: read }) }
}

export function setField(draft: EditDraft, pointer: string, value: JsonValue): EditDraft {
  return { ...draft, value: withAt(draft.value, pointer, value), unread: without(draft.unread, pointer) }
}

/** Adds an argument or an item, or puts something else in the place of one: the form is made anew for it. */
export function putField(draft: EditDraft, pointer: string, value: JsonValue): EditDraft {
  const next = setField(draft, pointer, value)
  return { ...next, layout: next.value }
}

/** The items after one that is taken from a list move up, so what could not be read there is given up with it. */
export function dropField(draft: EditDraft, pointer: string): EditDraft {
  const value = withoutAt(draft.value, pointer)
  const list = pointer.slice(0, pointer.lastIndexOf('/'))
  const unread = without(draft.unread, /\/\d+$/.test(pointer) ? list : pointer)
  return { ...draft, value, layout: value, unread }
}

/** What stands in a field, as it is or as it was typed. */
export function shownIn(draft: EditDraft, pointer: string, kind: FieldKind, value: JsonValue): string {
  return draft.unread.get(pointer)?.text ?? writtenAs(kind, value)
}

function writtenAs(kind: FieldKind, value: JsonValue): string {
  return typeof value === 'string' && kind !== 'json' ? value : toEditableJson(value)
}

function readField(kind: FieldKind, text: string): JsonRead<JsonValue> {
  if (kind === 'line' || kind === 'text') return { kind: 'value', value: text }
  if (kind === 'json') return readAs(() => parseStrictJson(text))
  const read = readAs(() => parseStrictJson(text.trim()))
  // A number that can't be kept exactly is told as such; anything else is simply none.
  if (read.kind === 'wrong' && isNumber(text)) return { kind: 'wrong', message: read.message }
  const isWanted =
    read.kind === 'value' &&
    typeof read.value === 'number' &&
    (kind === 'number' || Number.isInteger(read.value))
  return isWanted ? read : { kind: 'wrong', message: '', wanted: kind === 'integer' ? kind : 'number' }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

function without(unread: EditDraft['unread'], pointer: string): EditDraft['unread'] {
  return new Map([...unread].filter(([at]) => at !== pointer && !at.startsWith(`${pointer}/`)))
}
