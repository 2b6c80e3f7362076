/**
 * What somebody wrote to the bot: a command, words, or a command that is none. A command is the prefix with a letter right behind it.
 *
 *   //new <folder> [message] [--mode M]
 *
 * The folder is one word, or in quotes. `--mode` may stand anywhere; what is left is the message, exactly as it was written. `--mode`
 * within quotes, or behind a lone `--`, belongs to the message.
 */
import type { SessionModeName } from '../../../core/secretary.ts'
import { nearestWord } from '../../../core/support/nearest-word.ts'
import { type CommandWord, commandWords, isUnclosed } from './command-words.ts'
import { readMode } from './mode-names.ts'

export type Talk =
  | { kind: 'words'; text: string }
  | { kind: 'command'; command: TalkCommand }
  | { kind: 'mistake'; mistake: TalkMistake }

export type TalkCommand =
  | { name: 'new'; folder: string; text?: string; mode?: SessionModeName }
  | { name: 'switch'; session: string }
  | { name: 'mode'; mode: SessionModeName }
  /** Without a session: the current one. */
  | { name: 'progress' | 'stop' | 'close'; session?: string }
  | { name: 'list' | 'direct' | 'smart' | 'help' }

export type CommandName = TalkCommand['name']

export type TalkMistake =
  | { what: 'command'; written: string; meant: string | undefined }
  | { what: 'folder' | 'session' | 'mode' | 'two_modes' | 'auto' }
  | { what: 'quote'; written: string }
  | { what: 'unknown_mode'; written: string; meant: string | undefined }
  | { what: 'too_much'; name: CommandName; written: string }

const NAMES: Readonly<Record<string, CommandName>> = {
  new: 'new',
  n: 'new',
  list: 'list',
  ls: 'list',
  l: 'list',
  status: 'list',
  switch: 'switch',
  progress: 'progress',
  stop: 'stop',
  mode: 'mode',
  close: 'close',
  c: 'close',
  direct: 'direct',
  smart: 'smart',
  help: 'help',
}

export function parseTalk(written: string, prefix: string): Talk {
  const text = written.trim()
  const start = asciiOf(text.slice(0, prefix.length))
  const rest = text.slice(prefix.length)
  if (start !== prefix) return { kind: 'words', text }
  if (rest === '' || rest === '?' || rest === '？') return command({ name: 'help' })
  if (!/^\p{L}/u.test(rest)) return { kind: 'words', text }
  const [word = ''] = /^\S+/u.exec(rest) ?? []
  const name = word.toLowerCase()
  if (!Object.hasOwn(NAMES, name)) {
    const meant = nearestWord(
      name,
      Object.keys(NAMES).filter((known) => known.length > 2),
    )
    return mistake({ what: 'command', written: word, meant })
  }
  return parseCommand(NAMES[name]!, rest.slice(word.length))
}

function parseCommand(name: CommandName, rest: string): Talk {
  const words = commandWords(rest)
  switch (name) {
    case 'new':
      return parseNew(rest, words)
    case 'mode': {
      const [first, more] = words
      if (first === undefined) return mistake({ what: 'mode' })
      if (more !== undefined) return mistake({ what: 'too_much', name, written: more.text })
      const mode = modeOf(first.text)
      return typeof mode === 'string' ? command({ name, mode }) : mode
    }
    case 'switch': {
      const [first, more] = words
      if (first === undefined) return mistake({ what: 'session' })
      if (more !== undefined) return mistake({ what: 'too_much', name, written: more.text })
      return command({ name, session: first.text })
    }
    case 'progress':
    case 'stop':
    case 'close': {
      const [first, more] = words
      if (more !== undefined) return mistake({ what: 'too_much', name, written: more.text })
      return command({ name, ...(first === undefined ? {} : { session: first.text }) })
    }
    default:
      return words.length > 0
        ? mistake({ what: 'too_much', name, written: words[0]!.text })
        : command({ name })
  }
}

interface Cut {
  start: number
  end: number
}

function parseNew(rest: string, words: readonly CommandWord[]): Talk {
  let folder: CommandWord | undefined
  let mode: SessionModeName | undefined
  /** What isn't the message's. */
  const cuts: Cut[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    if (!word.isQuoted && word.text === '--') {
      cuts.push(word)
      folder ??= words[index + 1]
      if (folder !== undefined && folder.start > word.start) cuts.push(folder)
      break
    }
    const option = word.isQuoted ? null : OPTION.exec(word.text)
    if (option === null) {
      if (folder === undefined) {
        folder = word
        cuts.push(word)
      }
      continue
    }
    const value = option[1] === undefined ? words[++index] : undefined
    const named = option[1] ?? value?.text
    if (named === undefined || named === '') return mistake({ what: 'mode' })
    const read = modeOf(named)
    if (typeof read !== 'string') return read
    if (mode !== undefined) return mistake({ what: 'two_modes' })
    mode = read
    cuts.push({ start: word.start, end: value?.end ?? word.end })
  }
  if (folder === undefined || folder.text === '') return mistake({ what: 'folder' })
  if (isUnclosed(folder)) return mistake({ what: 'quote', written: folder.text })
  const text = unquoted(without(rest, cuts))
  return command({
    name: 'new',
    folder: folder.text,
    ...(text === '' ? {} : { text }),
    ...(mode === undefined ? {} : { mode }),
  })
}

/** Phones make one long dash of two short ones. */
const OPTION = /^(?:--|—|–)mode(?:=(.*))?$/u

/** What is left, with the blanks behind each cut taken away with it. */
function without(rest: string, cuts: readonly Cut[]): string {
  let left = ''
  let at = 0
  for (const { start, end } of cuts.toSorted((one, other) => one.start - other.start)) {
    left += rest.slice(at, start)
    at = end
    while (at < rest.length && /\s/u.test(rest[at]!)) at++
  }
  return `${left}${rest.slice(at)}`.trim()
}

/** A message that is in quotes as a whole is what is in them. */
function unquoted(message: string): string {
  const [first] = commandWords(message)
  return first?.isQuoted === true && first.end === message.length ? first.text.trim() : message
}

function modeOf(written: string): SessionModeName | Talk {
  const read = readMode(written)
  if (read.kind === 'mode') return read.mode
  return mistake(
    read.kind === 'auto' ? { what: 'auto' } : { what: 'unknown_mode', written, meant: read.meant },
  )
}

/** Full-width signs, which Chinese keyboards give, as the plain ones. */
function asciiOf(text: string): string {
  return text.replaceAll(/[\uff01-\uff5e]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
}

const command = (one: TalkCommand): Talk => ({ kind: 'command', command: one })
const mistake = (one: TalkMistake): Talk => ({ kind: 'mistake', mistake: one })
