/**
 * The catalogue: what the policy knows of tools. Ours and Claude Code's are built in, `tools:` adds to them and takes
 * their place. A tool that is not in it is neither read-only nor an edit, whatever it says of itself; what it says of
 * itself can only narrow.
 */
import type { ToolDefinition } from '../../core/call.ts'
import type { ToolKind } from '../../core/known-tool.ts'
import type { Severity } from '../../core/verdict.ts'
import type { ToolBlock } from '../language/language.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import { compileNameIndex } from '../matchers/globs/name-index.ts'
import { KNOWN_TOOLS, type KnownArguments } from './known-arguments.ts'

export interface CatalogueEntry {
  readonly kind: ToolKind | undefined
  readonly danger: Severity | undefined
  /** The danger is that of the worst line: see `line-danger.ts`. One that is written under `tools:` holds for every line. */
  readonly dangerIsOfLine: boolean
  /** Whether what it runs may have a terminal, at which pagers start. */
  readonly atTerminal: boolean
  readonly command: string | undefined
  readonly words: string | undefined
  readonly paths: readonly string[]
  readonly glob: string | undefined
  /** Where the text of a patch is, whose headers name files. */
  readonly patches: readonly string[]
  /** The tool whose rules count for this one too, where they deny or ask. */
  readonly like: string | undefined
  /** Whether a search with it passes over a folder with ignore files in it: a tool under `tools:` may do anything. */
  readonly honoursIgnores: boolean
  /** Whether a search by names alone tells no more than these: a tool under `tools:` may open what it finds. */
  readonly tellsNames: boolean
  readonly urls: readonly string[]
}

export interface Catalogue {
  /** What is known of the tool; undefined for one that is in no list. */
  find(tool: string, definition?: ToolDefinition): CatalogueEntry | undefined
  /** The arguments that the tool is known to have, by product; undefined where nobody has said, or `tools:` speaks of it. */
  argumentsOf(tool: string): readonly KnownArguments[] | undefined
  /** The names in it, without those that stand for many. */
  readonly names: readonly string[]
  /** Those of them that run shell lines. */
  readonly shells: readonly string[]
  /** A name that stands in the catalogue as it is. */
  has(name: string): boolean
  /** Whether some name in it fits the pattern. */
  knows(pattern: string): boolean
}

export function compileCatalogue(blocks: Readonly<Record<string, ToolBlock>>): Catalogue {
  if (Object.keys(blocks).length > 0) return compile(blocks)
  builtIn ??= compile({})
  return builtIn
}

let builtIn: Catalogue | undefined

function compile(blocks: Readonly<Record<string, ToolBlock>>): Catalogue {
  const entries = new Map(
    Object.entries({ ...BUILT_IN_TOOLS, ...blocks }).map(([name, block]) => [
      name,
      entryOf(block, Object.hasOwn(blocks, name) ? undefined : name),
    ]),
  )
  const plain = new Map([...entries].filter(([name]) => !name.includes('*')))
  const globs = [...entries].filter(([name]) => name.includes('*'))
  const index = compileNameIndex(globs.map(([name]) => name))
  return {
    argumentsOf: (tool) => (Object.hasOwn(blocks, tool) ? undefined : KNOWN_TOOLS.get(tool)),
    names: [...plain.keys()],
    shells: [...plain].flatMap(([name, { kind }]) => (kind === 'shell' ? [name] : [])),
    has: (name) => plain.has(name),
    knows(pattern) {
      if (entries.has(pattern) || (globs.length > 0 && index.first(pattern) !== -1)) return true
      if (!pattern.includes('*')) return false
      const matches = compileGlob(pattern)
      return [...entries.keys()].some(matches)
    },
    find(tool, definition) {
      const entry = plain.get(tool) ?? (globs.length === 0 ? undefined : globs[index.first(tool)]?.[1])
      return entry === undefined ? undefined : narrowed(entry, definition)
    },
  }
}

/** What a block says of a tool, as if it stood under `tools:`; more is known of those that are built in. */
export function entryOf(block: ToolBlock, builtInName?: string): CatalogueEntry {
  const isBuiltIn = builtInName !== undefined
  return {
    // A patch is an edit of the files that it names.
    kind: block.kind === 'patch' ? 'edit' : block.kind,
    danger: block.danger,
    dangerIsOfLine: isBuiltIn && block.kind === 'shell',
    // Those that are built in give what they run a pipe.
    atTerminal: !isBuiltIn,
    command: block.command ?? (block.kind === 'shell' ? '/command' : undefined),
    words: block.words,
    paths: listed(block.path),
    glob: block.glob,
    patches: block.patch === undefined && block.kind === 'patch' ? ['/patch'] : listed(block.patch),
    like: isBuiltIn ? LIKE[builtInName] : undefined,
    honoursIgnores: isBuiltIn && HONOUR_IGNORES.has(builtInName),
    tellsNames: isBuiltIn && TELL_NAMES.has(builtInName),
    urls: listed(block.url),
  }
}

/** Claude Code's, which is ripgrep; and our own, which keeps out of our folders by itself. */
const HONOUR_IGNORES: ReadonlySet<string> = new Set(['Grep', 'search_files'])

/** Claude Code asks its rules about `Bash` for both. */
const LIKE: Readonly<Record<string, string>> = { Monitor: 'Bash' }

const TELL_NAMES: ReadonlySet<string> = new Set(['Glob', 'search_files'])

function listed(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

/** A reader that says of itself that it changes things is no reader. One that says it only reads is no more than before. */
function narrowed(entry: CatalogueEntry, definition: ToolDefinition | undefined): CatalogueEntry {
  const hints = definition?.annotations
  if (hints === undefined || (entry.kind !== 'read' && entry.kind !== 'edit')) return entry
  const isReader = entry.kind === 'read'
  const narrows =
    hints.destructiveHint === true ||
    (isReader && (hints.readOnlyHint === false || hints.openWorldHint === true))
  return narrows ? { ...entry, kind: undefined } : entry
}

const file = { path: '/path' }
const claudeFile = { path: '/file_path' }

/** Ours first, then Claude Code's. Of ours, some have namesakes elsewhere that call the path something else. */
const BUILT_IN_TOOLS: Readonly<Record<string, ToolBlock>> = {
  exec: { kind: 'shell', danger: 'high', command: '/command', words: '/arguments', path: '/cwd' },
  read_file: { kind: 'read', path: ['/path', '/file_path'] },
  list_dir: { kind: 'read', ...file },
  search_files: { kind: 'read', ...file, glob: '/glob' },
  write_file: { kind: 'edit', path: ['/path', '/file_path'] },
  edit_file: { kind: 'edit', ...file },
  append_file: { kind: 'edit', ...file },
  fetch_url: { kind: 'network', url: '/url' },
  // The secretary's. Their folder is one of those that are configured, and their text is for an agent.
  start_coding_session: {},
  send_to_coding_session: {},
  Bash: { kind: 'shell', danger: 'high', command: '/command' },
  Read: { kind: 'read', ...claudeFile },
  Glob: { kind: 'read', ...file, glob: '/pattern' },
  Grep: { kind: 'read', ...file, glob: '/glob' },
  LS: { kind: 'read', ...file },
  NotebookRead: { kind: 'read', path: '/notebook_path' },
  Edit: { kind: 'edit', ...claudeFile },
  MultiEdit: { kind: 'edit', ...claudeFile },
  Write: { kind: 'edit', ...claudeFile },
  NotebookEdit: { kind: 'edit', path: '/notebook_path' },
  WebFetch: { kind: 'network', url: '/url' },
  WebSearch: { kind: 'network' },
  Monitor: { kind: 'shell', danger: 'high', command: '/command', url: '/ws/url' },
  // As Codex' hooks give it; and by the names that other tools of Codex and opencode have here.
  apply_patch: { kind: 'patch', patch: ['/command', '/input', '/patch', '/patchText'] },
  opencode__apply_patch: { kind: 'patch', patch: '/patchText' },
  codex__view_image: { kind: 'read', path: '/path' },
}
