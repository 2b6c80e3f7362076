/**
 * What a tool that nobody listed may do, by the names of its arguments: `command` may be run, `path` opened, `url` gone to, and a
 * text that is a patch applied. It counts for what denies and asks, never for what allows. So does a tool that is like another.
 */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { ToolBlock } from '../language/language.ts'
import { type CatalogueEntry, entryOf } from '../tools/catalogue.ts'
import { isPatch } from '../tools/patch-headers.ts'
import { isTexts } from './line-arguments.ts'

export interface Guess {
  /** The tools whose rules count. */
  readonly tools: readonly string[]
  readonly entry: CatalogueEntry
  /** The lines that the arguments hold, as one; absent: the arguments as they are. */
  readonly args?: JsonObject
  /** By its name it surely is a command, or it changes files. */
  readonly sure: boolean
}

type Use = 'commands' | 'texts' | 'paths' | 'urls' | 'patches'

const USES: readonly [Use, RegExp][] = [
  ['commands', /^(?:commands?|cmds?|scripts?|code|shell|sh|bash|exec|execute|cmdline|commandlines?)$/],
  [
    'texts',
    /^(?:input|stdin|chars|keys|keystrokes|args?|argv|arguments|line|expression|eval|run|program|executable)$/,
  ],
  [
    'paths',
    /^(?:paths?|files?|filenames?|filepaths?|dirs?|director(?:y|ies)|folders?|location|root|cwd|workdir|target|source|destination|src|dst|dest|image|notebook|resources?|out|outfile|from|to)$/,
  ],
  ['urls', /^(?:urls?|uris?|href|link|links|endpoint|address|host|hostname|domain|website)$/],
  ['patches', /^(?:patch|diff)$/],
]

const CHANGES =
  /write|edit|create|save|patch|replace|append|update|insert|put|move|rename|copy|delete|remove|apply/i
const CONTENT =
  /^(?:content|contents|text|data|body|replacement|new_?(?:string|str|text)|old_?(?:string|str|text))$/i

/** More than any call has. For what follows stand the arguments as a whole, which are no path and no address. */
const MAX_FOUND = 200
/** Commands that are given as a program and its words. Of more, each word is read as a line. */
const MAX_LISTS = 4

interface Found {
  readonly lines: Record<'commands' | 'texts', string[]>
  programs: number
  readonly lists: { words: string[]; sure: boolean }[]
  readonly pointers: Record<'paths' | 'urls' | 'patches', string[]>
}

export function guessesFor(tool: string, args: JsonObject, shells: readonly string[]): readonly Guess[] {
  const found: Found = {
    lines: { commands: [], texts: [] },
    programs: 0,
    lists: [],
    pointers: { paths: [], urls: [], patches: [] },
  }
  look(args, undefined, '', found)
  const { paths, urls, patches } = found.pointers
  const isEdit = CHANGES.test(tool) || Object.keys(args).some((key) => CONTENT.test(key))
  const guess = (like: string, block: ToolBlock, sure: boolean): Guess => {
    return { tools: [tool, like], entry: entryOf(block), sure }
  }
  const shell = (command: string | string[], sure: boolean): Guess => {
    return { tools: [tool, ...shells], entry: entryOf({ kind: 'shell' }), args: { command }, sure }
  }
  const lines = (texts: string[], sure: boolean) =>
    texts.length === 0 ? [] : [shell(texts.join('\n'), sure)]
  return [
    ...lines(found.lines.commands, true),
    ...lines(found.lines.texts, false),
    ...found.lists.map(({ words, sure }) => shell(words, sure)),
    ...(paths.length === 0 ? [] : [guess('Read', { kind: 'read', path: paths }, false)]),
    ...(paths.length === 0 ? [] : [guess('Edit', { kind: 'edit', path: paths }, isEdit)]),
    ...(patches.length === 0 ? [] : [guess('Edit', { kind: 'patch', patch: patches }, true)]),
    ...(urls.length === 0 ? [] : [guess('WebFetch', { kind: 'network', url: urls }, false)]),
  ]
}

function look(value: JsonValue, use: Use | undefined, pointer: string, found: Found): void {
  if (typeof value === 'string') put(value, use, pointer, found)
  else if (Array.isArray(value)) {
    if ((use === 'commands' || use === 'texts') && isTexts(value))
      putWords(value, use, found, LISTS_OF_LINES.test(pointer) || /\s/.test(value[0] ?? ''))
    else for (const [at, one] of value.entries()) look(one, use, `${pointer}/${at}`, found)
  } else if (typeof value === 'object' && value !== null) {
    const behind = WORDS.map((name) => value[name])
    const words = behind.find(isTexts)
    const text = behind.find((one) => typeof one === 'string')
    for (const [name, one] of Object.entries(value)) {
      // `files: [{ name: 'x' }]`
      const its = useOf(name) ?? (use !== undefined && /^(?:name|value)$/i.test(name) ? use : undefined)
      const isProgram = (its === 'commands' || its === 'texts') && typeof one === 'string'
      if (isProgram && !WORDS.includes(name)) putProgram(one, its, words ?? text, found)
      look(one, its, pointer + pointerStep(name), found)
    }
  }
}

function put(text: string, use: Use | undefined, pointer: string, { lines, pointers }: Found): void {
  if (use === 'commands' || use === 'texts') lines[use].push(text)
  const isFile = use === 'urls' && /^file:/i.test(text)
  for (const kind of ['paths', 'urls', 'patches'] as const) {
    const isOne = kind === use || (kind === 'patches' && isPatch(text)) || (kind === 'paths' && isFile)
    if (isOne && pointers[kind].length <= MAX_FOUND)
      pointers[kind].push(pointers[kind].length < MAX_FOUND ? pointer : '')
  }
}

function putWords(
  words: string[],
  use: 'commands' | 'texts',
  { lines, lists }: Found,
  isLines = false,
): void {
  if (lists.length < MAX_LISTS) lists.push({ words, sure: use === 'commands' })
  // Each may be a line of its own.
  if (lists.length >= MAX_LISTS || isLines) lines[use].push(...words)
}

/** What stands beside it may be its words. Of more than a few programs it isn't looked at which. */
function putProgram(
  one: string,
  use: 'commands' | 'texts',
  words: JsonValue | undefined,
  found: Found,
): void {
  if (words === undefined) return
  if (++found.programs > MAX_LISTS) found.lines[use].push('$PROGRAM')
  else if (isTexts(words)) putWords([one, ...words], use, found)
  else if (typeof words === 'string') found.lines[use].push(`${one} ${words}`)
}

const LISTS_OF_LINES = /(?:command(?:_?line)?|cmd|script)s$/i

/** What a program is given, beside its name. */
const WORDS: readonly string[] = ['args', 'argv', 'arguments', 'params', 'parameters']

/** By the last of the words that a name is made of: `filePath`, `source-file2`, `CMD`, `command_to_run`. */
function useOf(key: string): Use | undefined {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/(?<=[a-z])\d+$/, ''))
  const isPlain = (word: string) => word !== '' && !/^(?:text|line|str|string|list|json|name|\d+)$/.test(word)
  const to = words.indexOf('to', 1)
  const ends = [words, to === -1 ? [] : words.slice(0, to)].map((some) => some.findLast(isPlain))
  const last = [...ends, words.at(-1)].filter((word) => word !== undefined)
  return USES.find(([, names]) => last.some((word) => names.test(word)))?.[0]
}
