/**
 * Recognises the common shapes of arguments: a command, a file to write, changes to a file. A shape only decides
 * how something is laid out; it says nothing of what the tool does, and what it does not cover is shown like any
 * other argument.
 */

import type { CommandPlace } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { TextChange } from '../diff/render-diff.ts'
import { childPointer, valueAt } from '../masks/json-pointer.ts'
import { findWordList, guessPlace, type WordList } from './find-word-list.ts'

export type Shape =
  /** `beside` is where the words of a program would stand, and what stands there is no list of texts. */
  | { kind: 'command'; key: string; beside?: string }
  /** A program with a list of what it is given. */
  | { kind: 'words'; list: WordList }
  | { kind: 'write'; path: string; key: string }
  | { kind: 'edit'; path?: string; changes: TextChange[] }
  | { kind: 'other' }

/** Where it is known to be a tool that runs commands, the command is what it is about, whatever else is said. */
export function recognizeShape(args: JsonObject, place?: CommandPlace): Shape {
  const known = place === undefined ? undefined : commandAt(args, place)
  if (known !== undefined) return known
  const [path, ...otherPaths] = textsAt(args, PATH_KEYS)
  const [content, ...otherContents] = textsAt(args, CONTENT_KEYS)
  const changes = changesIn(args)
  // Of two files, two texts or two kinds of change only the tool knows which it takes. Then none is shown as what would happen.
  const isOneFile = otherPaths.length + otherContents.length === 0
  if (changes !== undefined && isOneFile && content === undefined && changeMembersOf(args) === 1)
    return { kind: 'edit', ...defined({ path }), changes }
  if (path !== undefined && content !== undefined && isOneFile && changes === undefined)
    return { kind: 'write', path, key: content }
  const list = place === undefined ? findWordList(args) : undefined
  if (list !== undefined) return { kind: 'words', list }
  const command = firstText(args, COMMAND_KEYS)
  if (command === undefined) return { kind: 'other' }
  return { kind: 'command', key: command, ...besideOf(args, guessPlace(args)) }
}

function commandAt(args: JsonObject, place: CommandPlace): Shape | undefined {
  const list = findWordList(args, place)
  if (list !== undefined) return { kind: 'words', list }
  const key = Object.keys(args).find((name) => childPointer('', name) === place.command)
  return key !== undefined && typeof valueAt(args, place.command) === 'string'
    ? { kind: 'command', key, ...besideOf(args, place) }
    : undefined
}

function besideOf(args: JsonObject, place: CommandPlace | undefined): { beside?: string } {
  const words = place?.words
  return words === undefined || valueAt(args, words) === undefined ? {} : { beside: words }
}

/** For highlighting. Only a hint: a language that is not known is left out. */
export function languageOf(shape: Shape, tool: string, args: JsonObject, key: string): string | undefined {
  if (shape.kind === 'command' && shape.key === key) {
    const isShell =
      key === 'command' || key === 'cmd' || /(?:^|[^a-z])(?:ba|z)?sh(?:ell)?(?:$|[^a-z])/i.test(tool)
    return isShell ? 'shell' : undefined
  }
  if (DIFF_KEYS.has(key)) return 'diff'
  const path = shape.kind === 'write' && shape.key === key ? args[shape.path] : undefined
  const extension =
    typeof path === 'string' ? /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() : undefined
  return extension === undefined ? undefined : LANGUAGES.get(extension)
}

export const CODE_KEYS: ReadonlySet<string> = new Set([
  'command',
  'cmd',
  'script',
  'code',
  'sql',
  'query',
  'patch',
  'diff',
])

const DIFF_KEYS: ReadonlySet<string> = new Set(['patch', 'diff'])
const COMMAND_KEYS = ['command', 'cmd', 'script']
const CONTENT_KEYS = ['content', 'contents', 'file_text', 'fileText', 'text', 'new_source']
const PATH_KEYS = [
  'file_path',
  'filePath',
  'path',
  'filename',
  'fileName',
  'file',
  'target_file',
  'targetFile',
  'notebook_path',
]
const CHANGE_KEYS: readonly (readonly [before: string, after: string])[] = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
]

/** Longer lists, and entries with much else in them, are read more easily as what they are. */
const MOST_CHANGES = 100
const MOST_CHANGE_MEMBERS = 8

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    shell: 'sh bash zsh',
    javascript: 'js mjs cjs jsx',
    typescript: 'ts mts cts tsx',
    python: 'py',
    json: 'json',
    yaml: 'yaml yml',
    markdown: 'md',
    html: 'html htm',
    css: 'css',
    sql: 'sql',
    go: 'go',
    rust: 'rs',
    java: 'java',
    c: 'c h',
    cpp: 'cpp cc hpp',
    ruby: 'rb',
    toml: 'toml',
    xml: 'xml svg',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language])),
)

function firstText(args: JsonObject, keys: readonly string[]): string | undefined {
  return textsAt(args, keys)[0]
}

function textsAt(args: JsonObject, keys: readonly string[]): string[] {
  return keys.filter((key) => Object.hasOwn(args, key) && typeof args[key] === 'string')
}

/** In how many ways the arguments say what to change. */
function changeMembersOf(args: JsonObject): number {
  const pairs = CHANGE_KEYS.filter((pair) => pair.every((key) => Object.hasOwn(args, key)))
  return pairs.length + (Object.hasOwn(args, 'edits') ? 1 : 0)
}

function changesIn(args: JsonObject): TextChange[] | undefined {
  const single = changeAt(args, '')
  if (single !== undefined) return [single]
  const list = Object.hasOwn(args, 'edits') ? args.edits : undefined
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_CHANGES) return undefined
  const changes = list.map((item, index) => changeAt(item, childPointer('/edits', index)))
  // A list with one entry of another form is not laid out as changes at all: that entry must not drop out.
  return changes.every((change) => change !== undefined) ? changes : undefined
}

function changeAt(value: JsonValue, pointer: string): TextChange | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (pointer !== '' && Object.keys(value).length > MOST_CHANGE_MEMBERS) return undefined
  for (const [beforeKey, afterKey] of CHANGE_KEYS) {
    if (!Object.hasOwn(value, beforeKey) || !Object.hasOwn(value, afterKey)) continue
    const before = value[beforeKey]
    const after = value[afterKey]
    if (typeof before !== 'string' || typeof after !== 'string') continue
    return {
      before,
      after,
      pointers: [childPointer(pointer, beforeKey), childPointer(pointer, afterKey)],
      isEverywhere: value.replace_all === true || value.replaceAll === true,
    }
  }
  return undefined
}
