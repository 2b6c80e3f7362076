/**
 * Nested arguments as a tree that folds: which branches are open at first, and what of a long list is shown. The values are
 * those that went over the wire, masked; a text only counts as a mask where the request says that there is one, so that
 * nothing can pass for it (P9).
 */
import type { JsonObject, JsonValue, WireRequest } from '../../../../src/client/index.ts'
import { childPointer, valueAt } from '../../../../src/display/masks/json-pointer.ts'
import { quote } from '../../../../src/display/text/quote.ts'
import { shorten } from '../../../../src/display/text/shorten.ts'

/** What is needed of a request to show its arguments. */
export interface MaskedRequestArguments {
  arguments: JsonObject
  masks: Readonly<WireRequest['masks']>
}

export type JsonBranch = JsonValue[] | JsonObject

export function isBranch(value: JsonValue): value is JsonBranch {
  return typeof value === 'object' && value !== null
}

export interface JsonMember {
  /** Absent in a list. */
  key?: string
  pointer: string
  value: JsonValue
}

export function membersOf(
  branch: JsonBranch,
  pointer: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): JsonMember[] {
  return Array.isArray(branch)
    ? branch.slice(from, to).map((value, index) => ({ pointer: childPointer(pointer, from + index), value }))
    : Object.entries(branch)
        .slice(from, to)
        .map(([key, value]) => ({ key, pointer: childPointer(pointer, key), value }))
}

export function sizeOf(branch: JsonBranch): number {
  return Array.isArray(branch) ? branch.length : Object.keys(branch).length
}

/** How many members of a branch are shown at first, and how many more each time somebody asks. */
export const MEMBERS_AT_FIRST = 20
export const MEMBERS_AT_A_TIME = 100
/** About a screen of a desktop, two or three of a phone. */
const ROWS_AT_FIRST = 40

/**
 * The branches that are open before anyone touches them: level by level, as long as there is room. The entries of a list are
 * alike, so they are all open or none is. The outermost is open in any case: somebody came to look at it.
 */
export function openAtFirst(value: JsonValue, pointer: string, rows = ROWS_AT_FIRST): Set<string> {
  const open = new Set<string>()
  const waiting: JsonMember[][] = [[{ pointer, value }]]
  let left = rows
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const branches = group.filter((member): member is JsonMember & { value: JsonBranch } =>
      isBranch(member.value),
    )
    const needed = branches.reduce((sum, branch) => sum + shownOf(branch.value), 0)
    if (needed > left && !group.some((member) => member.pointer === pointer)) continue
    left -= needed
    for (const { pointer: at, value: branch } of branches) {
      open.add(at)
      const members = membersOf(branch, at, 0, MEMBERS_AT_FIRST)
      waiting.push(...(Array.isArray(branch) ? [members] : members.map((member) => [member])))
    }
  }
  return open
}

function shownOf(branch: JsonBranch): number {
  return Math.min(sizeOf(branch), MEMBERS_AT_FIRST)
}

const LONGEST_GIST = 64
const LONGEST_VALUE = 24

/** What is in a branch that is folded, in a few words: raw text, still to be made visible. Secrets are not told. */
export function branchPreview(
  branch: JsonBranch,
  pointer: string,
  isMasked: (pointer: string) => boolean,
): string {
  const parts: string[] = []
  let room = LONGEST_GIST
  const members = membersOf(branch, pointer, 0, LONGEST_GIST)
  for (const member of members) {
    const value = isMasked(member.pointer) ? '•••' : shortValue(member.value)
    const part = member.key === undefined ? value : `${cut(member.key)}: ${value}`
    room -= part.length + 2
    if (room < 0) break
    parts.push(part)
  }
  return [...parts, ...(parts.length < sizeOf(branch) ? ['…'] : [])].join(', ')
}

function shortValue(value: JsonValue): string {
  if (typeof value === 'string') return quote(cut(value))
  if (!isBranch(value)) return JSON.stringify(value)
  return Array.isArray(value) ? `[${value.length}]` : '{…}'
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${shorten(text, LONGEST_VALUE * 1.5).head}…`
}

/**
 * What a block of the rendering is about: one value, or, where many members stand in one block, an object of them. Undefined
 * where it is not there, as when the arguments were erased.
 */
export function valueOfBlock(
  args: JsonObject,
  pointers: readonly string[],
): { value: JsonValue; pointer: string } | undefined {
  const [first, ...others] = pointers
  if (first === undefined) return undefined
  if (others.length === 0) {
    const value = valueAt(args, first)
    return value === undefined ? undefined : { value, pointer: first }
  }
  const wanted = new Set(pointers)
  const members = Object.entries(args).filter(([key]) => wanted.has(childPointer('', key)))
  return members.length === pointers.length ? { value: Object.fromEntries(members), pointer: '' } : undefined
}
