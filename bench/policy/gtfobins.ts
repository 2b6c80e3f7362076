/** Takes the code out of a GTFOBins page: YAML, with functions, each a list of code and of contexts with code of their own. */
import { basename } from 'node:path'
import { parseAllDocuments } from 'yaml'

export interface Attack {
  program: string
  /** What it is used for: `shell`, `file-write`, `upload`, … */
  use: string
  code: string
}

export function attacksIn(pages: readonly { name: string; text: string }[]): Attack[] {
  const programs = new Map(
    pages.map(({ name, text }) => [basename(name).replace(/\.md$/, ''), functionsOf(text)]),
  )
  const onlyReads = (program: unknown) =>
    Object.keys(programs.get(String(program)) ?? { '': [] }).every((use) => use === 'file-read')
  return [...programs].flatMap(([program, functions]) =>
    Object.entries(functions).flatMap(([use, entries]) =>
      listOf(entries)
        // What it takes over from a program that can only read is reading, and here no file is named.
        .filter((entry) => !(use === 'inherit' && isRecord(entry) && onlyReads(entry.from)))
        .flatMap((entry) => [...new Set(codeIn(entry))])
        .flatMap((block) => piecesOf(block, program))
        .flatMap((code) => [code, ...movedInside(code, use)])
        .map((code) => ({ program, use, code })),
    ),
  )
}

/** A file of the workspace may be read; whatever else is done with one is still an attack. */
function movedInside(code: string, use: string): string[] {
  const moved = code.replaceAll(/\/path\/to\/(\.\/)?/g, '')
  return use === 'file-read' || moved === code ? [] : [moved]
}

function functionsOf(text: string): Record<string, unknown> {
  const page: unknown = firstDocument(text)
  return isRecord(page) && isRecord(page.functions) ? page.functions : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function firstDocument(text: string): unknown {
  const [document] = parseAllDocuments(text)
  return document !== undefined && 'toJS' in document ? document.toJS() : undefined
}

function codeIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(codeIn)
  if (!isRecord(value)) return []
  const own = typeof value.code === 'string' ? [value.code] : []
  return [...own, ...Object.values(value).flatMap(codeIn)]
}

/** The block, and its first line that calls the program: what follows may be keys that are typed into it. */
function piecesOf(block: string, program: string): string[] {
  const line = block.split('\n').find((each) => each.split(/\s/).includes(program))
  return line === undefined || line === block ? [block] : [block, line]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
