/**
 * Hooks as Claude Code writes them down and others took over: `{ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [{ … }] }] } }`. Ours
 * come behind those of others, each in a group of its own: some agents know a hook by the number of its group.
 */
import { canonicalize, type JsonObject, type JsonValue } from '../../core/json/json.ts'
import type { SetupFile, SetupState } from './agent-setup.ts'
import { insertInJson, readJsonText, removeFromJson } from './json-text.ts'

export interface HookGroup {
  event: string
  group: JsonObject
}

export interface FoundHook {
  event: string
  /** The number of its group. */
  at: number
  /** Its own number in the group. */
  place: number
  group: JsonObject
  entry: JsonObject
}

export interface HookGroupsFile {
  path: string
  wanted: readonly HookGroup[]
  /** Whether an entry is one of ours, as it is or as somebody has changed it. */
  isOurs(entry: JsonObject): boolean
}

export function hookGroupsFile({ path, wanted, isOurs }: HookGroupsFile): SetupFile {
  return {
    path,
    kind: 'shared',
    add(text) {
      let added = text ?? ''
      for (const { event, group } of wanted) {
        added = withContainer(added, [], 'hooks', {})
        added = withContainer(added, ['hooks'], event, [])
        added = insertInJson(added, ['hooks', event], undefined, group)
      }
      return added
    },
    remove(text, before) {
      let left = text
      for (;;) {
        const found = hooksIn(left).findLast(({ entry }) => isOurs(entry))
        if (found === undefined) break
        const { event, at, place, group } = found
        const entries = group.hooks as JsonValue[]
        const path = ['hooks', event, at]
        // Somebody may have put an entry of their own into our group.
        left = removeFromJson(left, entries.length > 1 ? [...path, 'hooks', place] : path)
        if (isEmptied(left, ['hooks', event], before)) left = removeFromJson(left, ['hooks', event])
      }
      if (left !== text && isEmptied(left, ['hooks'], before)) left = removeFromJson(left, ['hooks'])
      const isBare = Object.keys(readJsonText(left) as object).length === 0 && !/\/[/*]/.test(left)
      return before === undefined && isBare ? undefined : left
    },
    find(text): SetupState {
      const ours = text === undefined ? [] : hooksIn(text).filter(({ entry }) => isOurs(entry))
      if (ours.length === 0) return 'missing'
      const found = ours.map(({ event, group }) => canonicalize({ event, group }))
      const isThere = wanted.every(({ event, group }) => found.includes(canonicalize({ event, group })))
      return isThere && found.length === wanted.length ? 'there' : 'changed'
    },
  }
}

/** All hooks of a file, in their order. What is no hook is left out. */
export function hooksIn(text: string): FoundHook[] {
  const root = readJsonText(text)
  const events = objectAt(root, 'hooks') ?? {}
  return Object.entries(events).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, at) => {
      const entries = isObject(group) && Array.isArray(group.hooks) ? group.hooks : []
      return entries.flatMap((entry, place) =>
        isObject(entry) ? [{ event, at, place, group: group as JsonObject, entry }] : [],
      )
    }),
  )
}

/** The same of a file that somebody else wrote. What can't be read has none. */
export function readableHooks(text: string): FoundHook[] {
  try {
    return hooksIn(text)
  } catch {
    return []
  }
}

function objectAt(value: JsonValue | undefined, name: string): JsonObject | undefined {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return isObject(member) ? member : undefined
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withContainer(text: string, path: readonly string[], name: string, empty: JsonValue): string {
  const parent = valueAt(text.trim() === '' ? {} : readJsonText(text), path)
  return isObject(parent) && Object.hasOwn(parent, name) ? text : insertInJson(text, path, name, empty)
}

/** Whether nothing is at the path any longer that was not empty before us. */
function isEmptied(text: string, path: readonly string[], before: string | undefined): boolean {
  const value = valueAt(readJsonText(text), path)
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const earlier =
    before === undefined || before.trim() === '' ? undefined : valueAt(readJsonText(before), path)
  return isEmpty && earlier === undefined
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    value,
  )
}
