/** The project's own files and what is in them, for the tests that check how the project is built. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the root, with forward slashes. */
  path: string
  text: string
}

export interface Import {
  from: string
  /** Only types: nothing of it is there at run time. */
  typeOnly: boolean
  /** When the line is reached, and not with the file that it is in. */
  late: boolean
  /** The names that are imported; empty for a whole module. */
  names: string[]
  line: number
}

export interface SyntaxNode {
  type: string
  start: number
  [member: string]: unknown
}

/** Made by tools, or by running. Other hidden folders are tools' too. In a second work tree of git `.git` is a file. */
const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'results', 'coverage'])
const HIDDEN_BUT_OURS = new Set(['.ci', '.github'])

/** All files below a folder of the project, sorted. */
export function filesBelow(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    if (NOT_OURS.has(entry.name)) continue
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      const ours = !entry.name.startsWith('.') || HIDDEN_BUT_OURS.has(entry.name)
      if (ours) found.push(...filesBelow(path))
    }
    if (entry.isFile()) found.push(relative(ROOT, join(ROOT, path)).split(sep).join('/'))
  }
  return found.sort()
}

export function readSource(path: string): SourceFile {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') }
}

/** What is published: `src` without its tests and what only they use. */
export function productSources(): SourceFile[] {
  return sourcesBelow('src')
}

/** The pages that the server hands out, in the same way. */
export function inboxSources(): SourceFile[] {
  return sourcesBelow('inbox/src')
}

function sourcesBelow(folder: string): SourceFile[] {
  return filesBelow(folder)
    .filter((path) => /\.tsx?$/.test(path) && !isForTests(path))
    .map(readSource)
}

export function isForTests(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.split('/').includes('fixtures')
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Calls back for every node of the syntax tree. */
export function walk({ path, text }: SourceFile, visit: (node: SyntaxNode) => void): void {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`)
  const pending: (object | null)[] = [program]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === null) continue
    if ('type' in next && typeof next.type === 'string') visit(next as SyntaxNode)
    for (const value of Object.values(next)) if (typeof value === 'object') pending.push(value)
  }
}

/** Static and dynamic imports, `import type`, re-exports, types by `import('…')`, and `require`. */
export function importsOf(source: SourceFile): Import[] {
  const imports: Import[] = []
  walk(source, (node) => {
    const add = (from: unknown, typeOnly: boolean, names: string[] = [], late = false) => {
      const value = (from as { value?: unknown } | null)?.value
      if (typeof value === 'string') {
        imports.push({ from: value, typeOnly, late, names, line: lineAt(source.text, node.start) })
      }
    }
    const specifiers = (node.specifiers ?? []) as Record<string, { name?: string }>[]
    const allTypes = (kind: string) => {
      const each = specifiers as unknown as Record<string, string>[]
      return (
        node[kind] === 'type' || (each.length > 0 && each.every((specifier) => specifier[kind] === 'type'))
      )
    }
    switch (node.type) {
      case 'ImportDeclaration':
        return add(
          node.source,
          allTypes('importKind'),
          specifiers.map((one) => one.imported?.name ?? '*'),
        )
      case 'ExportNamedDeclaration':
        return add(
          node.source,
          allTypes('exportKind'),
          specifiers.map((one) => one.local?.name ?? '*'),
        )
      case 'ExportAllDeclaration':
        return add(node.source, node.exportKind === 'type')
      case 'ImportExpression':
        return add(node.source, false, [], true)
      case 'TSImportType':
        return add(node.source, true)
      case 'CallExpression':
        return isRequire(node.callee as SyntaxNode)
          ? add((node.arguments as unknown[])[0], false, [], true)
          : undefined
    }
  })
  return imports
}

/** `require(…)`, or `createRequire(…)(…)`. */
function isRequire(callee: SyntaxNode): boolean {
  if (callee.type === 'CallExpression') return (callee.callee as { name?: string }).name === 'createRequire'
  return callee.type === 'Identifier' && callee.name === 'require'
}
