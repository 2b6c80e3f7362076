/** Finds the program in a call's arguments that is started with a list of words, and its list. */
import type { CommandPlace } from '../../core/call.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { childPointer, valueAt } from '../masks/json-pointer.ts'

export interface WordList {
  /** The arguments that hold the list: the program's and that of its words, or the one that has both. */
  pointers: string[]
  /** The program first. */
  words: { value: string; pointer: string }[]
}

/** Without a place the usual names are looked for. Undefined where there is no list, or not only texts in it. */
export function findWordList(args: JsonObject, place = guessPlace(args)): WordList | undefined {
  if (place === undefined) return undefined
  const command = valueAt(args, place.command)
  const words = place.words === undefined ? undefined : valueAt(args, place.words)
  if (typeof command === 'string') {
    if (!isTexts(words)) return undefined
    const program = { value: command, pointer: place.command }
    return { pointers: [place.command, place.words!], words: [program, ...wordsAt(words, place.words!)] }
  }
  if (!isTexts(command) || command.length === 0 || words !== undefined) return undefined
  return { pointers: [place.command], words: wordsAt(command, place.command) }
}

const COMMAND_KEYS = ['command', 'cmd']
const WORD_KEYS = ['args', 'argv', 'arguments']

/** By the usual names. */
export function guessPlace(args: JsonObject): CommandPlace | undefined {
  const key = COMMAND_KEYS.find((name) => Object.hasOwn(args, name))
  if (key === undefined) return undefined
  const words = WORD_KEYS.find((name) => Object.hasOwn(args, name) && Array.isArray(args[name]))
  return {
    command: childPointer('', key),
    ...(words === undefined ? {} : { words: childPointer('', words) }),
  }
}

function wordsAt(values: readonly string[], pointer: string): WordList['words'] {
  return values.map((value, index) => ({ value, pointer: childPointer(pointer, index) }))
}

function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
