/** A YAML document in which every value has its line and column, so that a mistake is told with its place. */

import { type Document, isNode, LineCounter } from 'yaml'
import type { BanksmanError } from '../../core/errors.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isMistake, type Mistake, mistakesError, mistakesOf } from '../../core/support/mistakes.ts'
import { readYaml } from '../host/read-yaml.ts'
import { yamlProblems } from './yaml-problems.ts'

export interface Place {
  file: string
  line: number
  column: number
}

export interface PlacedDocument {
  readonly value: unknown
  /** What is wrong in a document that can be read all the same: a key that is there twice. Throws it. */
  checkKeys(): void
  /** The place of a value, or of the nearest thing around it that is in the file. */
  locate(pointer: string): Place
  /** What is wrong with the value there, as an error with its place. */
  mistakeAt(path: readonly PropertyKey[], reason: Reason): BanksmanError
}

/** Throws where the text is no YAML that can be read, with the place of each thing that is in the way. */
export function parsePlaced(text: string, file: string): PlacedDocument {
  const lines = new LineCounter()
  const document = readYaml(text, lines)
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  const problems = yamlProblems(document)
  const told = problems.map(({ offset, reason, begun }) => {
    if (begun === undefined) return mistakeAt(at(offset), reason)
    const { line, column } = at(begun.offset)
    return mistakeAt(at(offset), reasonOf('yaml.bracket', { sign: begun.sign, line, column }))
  })
  if (problems.some(({ isFatal }) => isFatal)) throw placedError(file, told)
  return {
    value: document.toJS() ?? {},
    checkKeys() {
      if (told.length > 0) throw placedError(file, told)
    },
    locate: (pointer) => at(offsetOf(document, stepsOf(pointer))),
    mistakeAt: (path, reason) => placedError(file, [mistakeAt(at(offsetOf(document, path)), reason)]),
  }
}

/** Of a file with a mapping at its top; others have none. */
export function topLevelKeys(text: string, file: string): string[] {
  const { value } = parsePlaced(text, file)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
}

/** To find a place, the document is gone through. Whoever mends so many reads it again. */
const MAX_PLACED = 100

/** The error with the place of each of its mistakes, where it is one of the policy or the configuration. */
export function withPlace(error: unknown, locate: (pointer: string) => Place | undefined): unknown {
  if (!isMistake(error)) return error
  const mistakes = mistakesOf(error)
    .slice(0, MAX_PLACED)
    .map((mistake) => {
      if (mistake.line !== undefined) return mistake
      const { line, column } = locate(pointerOf(mistake))!
      return { ...mistake, line, column }
    })
  return placedError(locate('')!.file, mistakes, error.code)
}

function mistakeAt({ line, column }: Place, reason: Reason): Mistake {
  return { message: sayInEnglish(reason), reason, line, column }
}

/** In the order of the file. */
function placedError(
  file: string,
  mistakes: readonly Mistake[],
  code: BanksmanError['code'] = 'invalid_configuration',
): BanksmanError {
  const sorted = mistakes.toSorted(
    (one, other) => Number(one.line) - Number(other.line) || Number(one.column) - Number(other.column),
  )
  return mistakesError(code, sorted, ({ line, column }, why) =>
    reasonOf('mistake.in-file', { file, line: Number(line), column: Number(column), why }),
  )
}

/** Some readers name the place with dots. */
function pointerOf({ pointer, place }: Mistake): string {
  if (typeof pointer === 'string') return pointer
  return typeof place === 'string' ? `/${place.replaceAll('.', '/')}` : ''
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1]
    const around = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const items = (around as { items?: { key?: unknown }[] } | null)?.items
    const pair = items?.find(
      (item) => String((item.key as { value?: unknown } | undefined)?.value) === String(key),
    )
    const node = isNode(pair?.key) ? pair.key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
