/** A program and its list of words as one command line, for screens that show arguments as a structure. */
import type { JsonObject } from '../../core/json/json.ts'
import type { KnownTool } from '../../core/known-tool.ts'
import { valueAt } from '../masks/json-pointer.ts'
import { type Mask, maskArguments } from '../masks/mask.ts'
import { VALUE_LIMIT } from '../text/value-limit.ts'
import { findWordList } from './find-word-list.ts'
import { showWordList } from './word-list.ts'

export interface CommandLineOptions {
  limit?: number | undefined
  /** What the catalogue knows of the tool. Absent: the list is looked for by the usual names. */
  known?: KnownTool | undefined
  /** Where masks stand in these arguments. Absent: the arguments are as they are, and secrets in them are masked. */
  masked?: readonly string[] | undefined
}

/** Undefined where the arguments have no list of words. */
export function commandLineOf(args: JsonObject, options: CommandLineOptions = {}): string | undefined {
  const list = findWordList(args, options.known?.command)
  if (list === undefined) return undefined
  const masks = options.masked?.map((pointer) => [pointer, String(valueAt(args, pointer))] as const)
  const maskAt =
    masks === undefined ? masksOf(args, options.known) : new Map(masks.map(([at, text]) => [at, { text }]))
  return showWordList(list, maskAt, options.limit ?? VALUE_LIMIT).value.text
}

function masksOf(args: JsonObject, known: KnownTool | undefined): Map<string, Mask> {
  return new Map(maskArguments(args, known).masks.map((mask) => [mask.pointer, mask]))
}
