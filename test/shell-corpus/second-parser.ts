/**
 * A second opinion on shell lines: tree-sitter's grammar of bash, which shares nothing with our reader. It says which
 * programs a line names; whoever reads fewer, and has no doubt, has missed a command.
 */
import { createRequire } from 'node:module'
import type { Node } from '@vscode/tree-sitter-wasm'

export interface SecondReading {
  /** The programs by their last names, in the order of the line; only those whose name is fixed. */
  programs: string[]
  /** The grammar had to skip or make up something. */
  broken: boolean
}

export interface SecondParser {
  read(line: string): SecondReading
  close(): void
}

export async function openSecondParser(): Promise<SecondParser> {
  const require = createRequire(import.meta.url)
  const { Language, Parser } =
    require('@vscode/tree-sitter-wasm') as typeof import('@vscode/tree-sitter-wasm')
  await Parser.init()
  const grammar = require.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm')
  const parser = new Parser()
  parser.setLanguage(await Language.load(grammar))
  return {
    read(line) {
      const tree = parser.parse(line)
      if (tree === null) return { programs: [], broken: true }
      try {
        return { programs: programsIn(tree.rootNode), broken: tree.rootNode.hasError }
      } finally {
        tree.delete()
      }
    },
    close: () => parser.delete(),
  }
}

/** What recovery made up, and a word of the shell's own that the grammar does not know. */
const NO_PROGRAMS = new Set(['', 'coproc'])

function programsIn(root: Node): string[] {
  const found: string[] = []
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const program = programOf(node)
    if (program !== undefined && !NO_PROGRAMS.has(program)) found.push(program)
    pending.push(...node.children.filter((child) => child !== null).reverse())
  }
  return found
}

/** `export` and its like have nodes of their own, and so has `[`. */
function programOf(node: Node): string | undefined {
  const first = node.child(0)
  switch (node.type) {
    case 'command_name':
      return first === null ? undefined : lastName(fixedText(first))
    case 'declaration_command':
    case 'unset_command':
      return first?.text
    case 'test_command':
      return first?.text === '[' ? '[' : undefined
  }
}

function lastName(name: string | undefined): string | undefined {
  return name?.slice(name.lastIndexOf('/') + 1)
}

/** What the shell makes of the word; undefined where that is known only when the line runs, or hard to tell. */
function fixedText(node: Node): string | undefined {
  switch (node.type) {
    case 'word':
      return /[*?[\]{}~!]/.test(node.text) ? undefined : node.text.replace(/\\(\n|.)/gsu, unescaped)
    case 'number':
      return node.text
    case 'raw_string':
      return node.text.slice(1, -1)
    case 'ansi_c_string':
      return node.text.includes('\\') ? undefined : node.text.slice(2, -1)
    case 'string': {
      const parts = node.namedChildren
      if (parts.some((part) => part?.type !== 'string_content')) return undefined
      return node.text.slice(1, -1).replace(/\\([$`"\\\n])/g, unescaped)
    }
    case 'command_name':
    case 'concatenation': {
      const parts = node.children.map((part) => (part === null ? undefined : fixedText(part)))
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    default:
      return undefined
  }
}

function unescaped(_: string, character: string): string {
  return character === '\n' ? '' : character
}
