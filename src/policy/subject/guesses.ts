/**
 * What a tool that nobody listed may do, by the names of its arguments: `command` may be run, `path` opened, `url` gone to, and a
 * text that is a patch applied. It counts for what denies and asks, never for what allows. So does a tool that is like another.
 */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'
import { isPatch } from '../tools/patch-headers.ts'

export interface Guess {
  /** The tools whose rules count. */
  readonly tools: readonly string[]
  readonly entry: CatalogueEntry
  /** By its name it surely is a command, or it changes files. */
  readonly sure: boolean
}

type Use = 'commands' | 'texts' | 'paths' | 'urls' | 'patches'

const USES: readonly [Use, RegExp][] = [
  ['commands', /^(?:commands?|cmds?|scripts?|code|shell|bash|exec|cmdline)$/],
  [
    'texts',
    /^(?:input|stdin|chars|keys|keystrokes|args?|argv|arguments|line|expression|eval|run|program|executable)$/,
  ],
  [
    'paths',
    /^(?:paths?|files?|filenames?|filepaths?|dirs?|director(?:y|ies)|folders?|location|root|cwd|workdir|target|source|destination|src|dst|dest|image|notebook)$/,
  ],
  ['urls', /^(?:urls?|uris?|href|link|links|endpoint|address|host|hostname|domain|website)$/],
  ['patches', /^(?:patch|diff)$/],
]

const CHANGES =
  /write|edit|create|save|patch|replace|append|update|insert|put|move|rename|copy|delete|remove|apply/i
const CONTENT =
  /^(?:content|contents|text|data|body|replacement|new_?(?:string|str|text)|old_?(?:string|str|text))$/i

/** Of more than these the others are not looked at one by one. */
const MAX_FOUND = 64

export function guessesFor(tool: string, args: JsonObject, shells: readonly string[]): readonly Guess[] {
  const found: Record<Use, string[]> = { commands: [], texts: [], paths: [], urls: [], patches: [] }
  look(args, '', '', found)
  const isEdit = CHANGES.test(tool) || Object.keys(args).some((key) => CONTENT.test(key))
  const guess = (tools: readonly string[], more: Partial<CatalogueEntry>, sure: boolean): Guess => ({
    tools: [tool, ...tools],
    entry: { ...NOTHING, ...more },
    sure,
  })
  const lists = found.texts.filter((pointer) => /\/(?:args|argv|arguments)$/.test(pointer))
  const wordsFor = (command: string) =>
    lists.find((list) => list.replace(/[^/]*$/, '') === command.replace(/[^/]*$/, ''))
  const used = new Set(
    [...found.commands, ...found.texts].map((one) => (lists.includes(one) ? undefined : wordsFor(one))),
  )
  const line = (sure: boolean) => (command: string) =>
    guess(
      shells,
      { kind: 'shell', command, words: lists.includes(command) ? undefined : wordsFor(command) },
      sure,
    )
  const { paths, urls, patches } = found
  return [
    ...found.commands.map(line(true)),
    ...found.texts.filter((pointer) => !used.has(pointer)).map(line(false)),
    ...(paths.length === 0 ? [] : [guess(['Read'], { kind: 'read', paths }, false)]),
    ...(paths.length === 0 ? [] : [guess(['Edit'], { kind: 'edit', paths }, isEdit)]),
    ...(patches.length === 0 ? [] : [guess(['Edit'], { kind: 'edit', patches }, true)]),
    ...(urls.length === 0 ? [] : [guess(['WebFetch'], { kind: 'network', urls }, false)]),
  ]
}

const NOTHING: CatalogueEntry = {
  ...{ kind: undefined, danger: undefined, dangerIsOfLine: false, atTerminal: true },
  ...{
    command: undefined,
    words: undefined,
    paths: [],
    glob: undefined,
    patches: [],
    like: undefined,
    urls: [],
  },
  ...{ honoursIgnores: false, tellsNames: false },
}

function look(value: JsonValue, key: string, pointer: string, found: Record<Use, string[]>): void {
  if (Object.values(found).some((some) => some.length >= MAX_FOUND)) return
  const use = useOf(key)
  if (typeof value === 'string') {
    if (isPatch(value)) found.patches.push(pointer)
    else if (use !== undefined) found[use].push(pointer)
    if (use === 'urls' && /^file:/i.test(value)) found.paths.push(pointer)
  } else if (Array.isArray(value)) {
    const areTexts = value.every((one) => typeof one === 'string')
    if (areTexts && (use === 'commands' || use === 'texts')) found[use].push(pointer)
    else for (const [at, one] of value.entries()) look(one, key, `${pointer}/${at}`, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) look(one, name, pointer + pointerStep(name), found)
  }
}

/** By the last of the words that a name is made of: `filePath`, `source-file`, `CMD`. */
function useOf(key: string): Use | undefined {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const last =
    words.findLast((word) => word !== '' && !/^(?:text|line|string|list|name|\d+)$/.test(word)) ??
    words.at(-1) ??
    ''
  return USES.find(([, names]) => names.test(last))?.[0]
}
