/**
 * Which arguments tools have, by product and version, as data in `known-arguments/`. What a tool does with an argument
 * that nobody has heard of can't be told, so a call that has one is not fully understood: it may name another file than
 * the one that was looked at.
 *
 * Products give different tools the same name. A call must fit one of them as a whole: the `path` of one beside the
 * `file_path` of another is what neither takes.
 */

import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import banksman from './known-arguments/banksman.json' with { type: 'json' }
import claudeCode from './known-arguments/claude-code.json' with { type: 'json' }
import codex from './known-arguments/codex.json' with { type: 'json' }
import copilot from './known-arguments/copilot.json' with { type: 'json' }
import geminiCli from './known-arguments/gemini-cli.json' with { type: 'json' }
import opencode from './known-arguments/opencode.json' with { type: 'json' }
import qwenCode from './known-arguments/qwen-code.json' with { type: 'json' }

/** The arguments of one tool, each with what it takes. */
export interface KnownArguments {
  readonly [name: string]: ArgumentShape
}

/** One in brackets is a list of such objects. */
type ArgumentShape =
  | 'text'
  | 'number'
  | 'boolean'
  | 'texts'
  | 'text or texts'
  | 'list'
  | 'object'
  | readonly [KnownArguments]

interface SeenTools {
  readonly product: string
  readonly seen: readonly string[]
  readonly tools: Readonly<Record<string, KnownArguments>>
}

export interface Strangeness {
  /** Whether no product has the argument, or it has another kind of value. */
  readonly kind: 'unknown' | 'other value'
  /** Its name with those above it, in plain characters, cut where it is long. */
  readonly argument: string
}

/** By the tool's name, what each product and version takes. */
export const KNOWN_TOOLS: ReadonlyMap<string, readonly KnownArguments[]> = toolsOf(
  [banksman, claudeCode, codex, copilot, geminiCli, opencode, qwenCode].flat() as unknown as SeenTools[],
)

function toolsOf(all: readonly SeenTools[]): Map<string, KnownArguments[]> {
  const tools = new Map<string, KnownArguments[]>()
  for (const [name, known] of all.flatMap((one) => Object.entries(one.tools))) {
    tools.set(name, [...(tools.get(name) ?? []), known])
  }
  return tools
}

/** What is strange about the arguments; undefined where one of the tools takes them all, or where nothing is known. */
export function strangenessOf(
  tools: readonly KnownArguments[] | undefined,
  args: JsonObject,
): Strangeness | undefined {
  if (tools === undefined || tools.length === 0) return undefined
  // Of several tools, the one that has the most of them is the one that was meant.
  const fitting = (known: KnownArguments) =>
    Object.keys(known).filter((name) => Object.hasOwn(args, name)).length
  let most = -1
  let strangeness: Strangeness | undefined
  for (const known of tools) {
    const found = strangeIn(args, known, '')
    if (found === undefined) return undefined
    if (fitting(known) > most) {
      most = fitting(known)
      strangeness = found
    }
  }
  return strangeness
}

/** As a clause for people. */
export function strangenessReason({ kind, argument }: Strangeness): Reason {
  return reasonOf(kind === 'unknown' ? 'argument.unknown' : 'argument.kind', { argument })
}

function strangeIn(args: JsonObject, known: KnownArguments, above: string): Strangeness | undefined {
  // Most often the first strange one ends it, and there may be a hundred thousand: no list is made of them.
  for (const name in args) {
    if (!Object.hasOwn(known, name)) return { kind: 'unknown', argument: shown(above + name) }
    const value = args[name]!
    const shape = known[name]!
    if (typeof shape === 'string') {
      if (!FITS[shape](value)) return { kind: 'other value', argument: shown(above + name) }
      continue
    }
    if (!Array.isArray(value)) return { kind: 'other value', argument: shown(above + name) }
    for (const [index, item] of value.entries()) {
      if (!isObject(item)) return { kind: 'other value', argument: shown(above + name) }
      const strange = strangeIn(item, shape[0], `${above}${name}/${index}/`)
      if (strange !== undefined) return strange
    }
  }
  return undefined
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/
const isText = (value: JsonValue): value is string => typeof value === 'string'
const areTexts = (value: JsonValue) => Array.isArray(value) && value.every(isText)

const FITS: Readonly<Record<Extract<ArgumentShape, string>, (value: JsonValue) => boolean>> = {
  text: isText,
  // Models often put one in quotes, or write null for what they leave out. None of it can name a file.
  number: (value) => typeof value === 'number' || value === null || (isText(value) && NUMBER.test(value)),
  boolean: (value) => typeof value === 'boolean',
  texts: areTexts,
  'text or texts': (value) => isText(value) || areTexts(value),
  list: (value) => Array.isArray(value),
  object: isObject,
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** More would be a sentence of the agent's in one of ours. */
const MAX_SHOWN = 60

function shown(name: string): string {
  const plain = name
    .slice(0, MAX_SHOWN)
    .replaceAll(
      /[^\x21-\x5b\x5d-\x5f\x61-\x7e]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  return name.length > MAX_SHOWN ? `${plain}...` : plain
}
