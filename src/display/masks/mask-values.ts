/**
 * Goes through the arguments of a call and puts masks in the place of secrets: of a value that is one by its shape
 * (`secrets.ts`), and of a text whose name says so (`secret-names.ts`), unless the catalogue knows that argument for a
 * command, a path or an address.
 *
 * A text has the name of its member, or of the list that it is in; in `{ name: "API_KEY", value: … }` and in
 * `["Authorization", …]` the one that is written beside it; and under `cookies` or `secrets` that of the whole.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { type JsonObject, type JsonValue, MAX_DEPTH } from '../../core/json/json.ts'
import type { KnownTool } from '../../core/known-tool.ts'
import { childPointer } from './json-pointer.ts'
import { createCoverWriter, type MaskPieces } from './mask-label.ts'
import {
  behindNameIn,
  isOfCommand,
  isPlainlySecret,
  linesUnder,
  type NamedSecret,
  passwordIn,
  shownName,
} from './named-secrets.ts'
import { isRunOrVisited, type SecretKind, secretKindOf } from './secret-kind.ts'
import { isNameOfSecrets, isSecretName } from './secret-names.ts'

export interface Mask extends MaskPieces {
  /** JSON pointer into the arguments. */
  pointer: string
  kind: SecretKind | NamedSecret['kind']
  /** Of what is hidden. */
  length: number
  /** It is hidden because of this name, and not because of its shape. */
  name?: string
  /** It is not plainly a secret: it has to be uncovered before the call can be approved. */
  mustUncover?: true
}

export interface MaskWriter {
  readonly masks: Mask[]
  /** Whether the catalogue knows what is there for a command, a path or an address. */
  isActing(pointer: string): boolean
  write(value: string, pointer: string, hidden: HiddenValue): string
}

interface HiddenValue {
  kind: Mask['kind']
  name?: string
  start: number
  end: number
}

export function createMaskWriter(known: KnownTool): MaskWriter {
  const masks: Mask[] = []
  const cover = createCoverWriter('en')
  let acting: ReadonlySet<string> | undefined
  return {
    masks,
    isActing(pointer) {
      acting ??= new Set(known.acting)
      // Up to the arguments themselves: there may be thousands of both, so they are not compared one by one.
      for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (acting.has(at)) return true
      return acting.has('')
    },
    write(value, pointer, { kind, name, start, end }) {
      const length = end - start
      const covering = cover({ kind, length, ...defined({ name }) })
      const mask: Mask = { pointer, kind, length, text: covering }
      if (length < value.length) {
        mask.around = { before: value.slice(0, start), after: value.slice(end) }
        mask.text = mask.around.before + covering + mask.around.after
      }
      if (name !== undefined) {
        mask.name = name
        if (!isPlainlySecret(value.slice(start, end))) mask.mustUncover = true
      }
      masks.push(mask)
      return mask.text
    },
  }
}

/** `under` is the name of a whole whose texts are secrets: see `isNameOfSecrets`. */
export function maskObject(
  value: JsonObject,
  pointer: string,
  depth: number,
  writer: MaskWriter,
  under?: string,
): JsonObject {
  if (depth >= MAX_DEPTH) tooDeep(pointer)
  let copy: JsonObject | undefined
  for (const key of Object.keys(value)) {
    const member = value[key]!
    const masked =
      typeof member === 'string'
        ? maskText(member, nameIn(value, key, under), pointer, key, writer)
        : typeof member === 'object' && member !== null
          ? maskNested(member, childPointer(pointer, key), key, depth + 1, writer)
          : member
    if (masked === member) continue
    // A spread defines members, so that one named `__proto__` stays a member and can be set below.
    copy ??= { ...value }
    copy[key] = masked
  }
  return copy ?? value
}

function maskNested(
  value: JsonObject | JsonValue[],
  pointer: string,
  key: string,
  depth: number,
  writer: MaskWriter,
): JsonValue {
  if (!Array.isArray(value)) {
    return maskObject(value, pointer, depth, writer, isSecretName(key) ? key : undefined)
  }
  if (depth >= MAX_DEPTH) tooDeep(pointer)
  const lines = linesUnder(key)
  let copy: JsonValue[] | undefined
  for (let index = 0; index < value.length; index++) {
    const item = value[index]!
    const masked =
      typeof item === 'string'
        ? maskText(
            item,
            { key: (lines === undefined ? undefined : nameBefore(value, index)) ?? key, siblings: [] },
            pointer,
            index,
            writer,
          )
        : typeof item === 'object' && item !== null
          ? maskNested(item, childPointer(pointer, index), key, depth + 1, writer)
          : item
    if (masked === item) continue
    copy ??= [...value]
    copy[index] = masked
  }
  return copy ?? value
}

interface NamedValue {
  key: string
  siblings: readonly string[]
}

/** What the member of an object is called: by itself, or by what stands beside it. */
function nameIn(value: JsonObject, key: string, under: string | undefined): NamedValue {
  const siblings = SHORT_NAMES.test(key) ? Object.keys(value) : []
  if (VALUE_KEYS.has(key)) {
    for (const named of NAME_KEYS) {
      const name = Object.hasOwn(value, named) ? value[named] : undefined
      if (typeof name === 'string' && isSecretName(name)) return { key: name, siblings: [] }
    }
    if (under !== undefined) return { key: under, siblings: [] }
  } else if (under !== undefined && isNameOfSecrets(under) && !hasValue(value) && !isDescribing(key)) {
    return { key: under, siblings: [] }
  }
  return { key, siblings }
}

const SHORT_NAMES = /^(?:pass|pwd)$/i
const NAME_KEYS = ['name', 'key', 'header', 'variable', 'field', 'Name', 'Key']
const VALUE_KEYS: ReadonlySet<string> = new Set(['value', 'val', 'Value', 'plaintext'])
const DESCRIBING = new Set(
  'name id namespace kind type domain mount engine version description label scope env environment key ref source target store vault provider region format expires samesite title note user username'.split(
    ' ',
  ),
)

function hasValue(value: JsonObject): boolean {
  return Object.keys(value).some((key) => VALUE_KEYS.has(key))
}

function isDescribing(key: string): boolean {
  return DESCRIBING.has(key.toLowerCase()) || isRunOrVisited(key)
}

/** In a list of headers, or a pair in one, the name may stand before its value. */
function nameBefore(list: readonly JsonValue[], index: number): string | undefined {
  const before = index % 2 === 1 ? list[index - 1] : undefined
  return typeof before === 'string' && /^[\w-]{1,60}$/.test(before) && isSecretName(before)
    ? before
    : undefined
}

function maskText(
  value: string,
  { key, siblings }: NamedValue,
  parent: string,
  step: string | number,
  writer: MaskWriter,
): string {
  if (value === '') return value
  const hidden = hiddenIn(value, key, siblings)
  if (hidden === undefined) return value
  const pointer = childPointer(parent, step)
  return hidden.byName && writer.isActing(pointer) ? value : writer.write(value, pointer, hidden)
}

function hiddenIn(
  value: string,
  key: string,
  siblings: readonly string[],
): (HiddenValue & { byName: boolean }) | undefined {
  const whole = { start: 0, end: value.length }
  const kind = secretKindOf(value, key)
  if (kind !== undefined)
    return { ...whole, kind, byName: kind === 'opaque secret' || kind === 'bearer token' }
  const part = partIn(value, key)
  if (part !== undefined) {
    const { name, start, end } = part
    const known = secretKindOf(value.slice(start, end), name)
    const what = known === undefined ? { kind: part.kind, name } : { kind: known }
    return { ...what, start, end, byName: true }
  }
  if (!isSecretName(key, siblings)) return undefined
  return { ...whole, kind: 'named value', name: shownName(key), byName: true }
}

/** Nothing inside a command line is hidden in part. */
function partIn(value: string, key: string): NamedSecret | undefined {
  const lines = linesUnder(key)
  const part =
    (lines === undefined ? undefined : behindNameIn(value, lines)) ??
    (value.includes('@') ? passwordIn(value) : undefined)
  return part === undefined || isOfCommand(key) ? undefined : part
}

function tooDeep(pointer: string): never {
  throw new BanksmanError('not_canonical', `the value at ${pointer}: nested deeper than ${MAX_DEPTH} levels`)
}
