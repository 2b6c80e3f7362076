/** A YAML document in which every value has its line and column, so that a mistake is told with its place. */
import { type Alias, type Document, isNode, LineCounter, parseDocument, visit } from 'yaml'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'

export interface PlacedDocument {
  readonly value: unknown
  /** The place of a value, or of the nearest thing around it that is in the file. */
  locate(pointer: string): { file: string; line: number; column: number }
  /** Throws what is wrong with the value there. */
  refuse(path: readonly PropertyKey[], message: string): never
}

export function parsePlaced(text: string, file: string): PlacedDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' })
  const refuse = (line: number, column: number, message: string): never => {
    throw new BanksmanError('invalid_configuration', `${file}:${line}:${column}: ${message}`, {
      line,
      column,
    })
  }
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0])
    refuse(line, col, yamlWords(problem.message))
  }
  const alias = firstAlias(document)
  if (alias !== undefined) {
    const { line, col } = lines.linePos(alias.range?.[0] ?? 0)
    const { source } = alias
    refuse(line, col, `*${source} is a reference in YAML; to mean the text, put it in quotes: "*${source}"`)
  }
  return {
    value: document.toJS() ?? {},
    locate(pointer) {
      const [line, column] = positionOf(document, lines, stepsOf(pointer))
      return { file, line, column }
    },
    refuse: (path, message) => refuse(...positionOf(document, lines, path), message),
  }
}

/** The error with its place, where it is one of the policy or the configuration and has none yet. */
export function withPlace(
  error: unknown,
  locate: (pointer: string) => { file: string; line: number; column: number } | undefined,
): unknown {
  const isPlaceable =
    isBanksmanError(error, 'invalid_policy') || isBanksmanError(error, 'invalid_configuration')
  if (!isPlaceable || error.details.line !== undefined) return error
  const { file, line, column } = locate(pointerOf(error))!
  return new BanksmanError(error.code, `${file}:${line}:${column}: ${error.message}`, {
    ...error.details,
    line,
    column,
  })
}

/** Some readers name the place with dots. */
function pointerOf({ details }: BanksmanError): string {
  if (typeof details.pointer === 'string') return details.pointer
  return typeof details.place === 'string' ? `/${details.place.replaceAll('.', '/')}` : ''
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The parser repeats the place, which we give in front. */
function yamlWords(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '') || 'this is not YAML'
}

/** A name with a star in front that nobody has put in quotes. References are of no use in such a file. */
function firstAlias(document: Document): Alias | undefined {
  let found: Alias | undefined
  visit(document, {
    Alias(_, node) {
      found = node
      return visit.BREAK
    },
  })
  return found
}

function positionOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): [number, number] {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1]
    const around = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const items = (around as { items?: { key?: unknown }[] } | null)?.items
    const pair = items?.find(
      (item) => String((item.key as { value?: unknown } | undefined)?.value) === String(key),
    )
    const node = isNode(pair?.key) ? pair.key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return [line, col]
    }
  }
  return [1, 1]
}
