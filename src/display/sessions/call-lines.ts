/**
 * A call of a session in one line, for people who ask how far it is: `Bash(npm test)`. And a little more of one that waits for them:
 * ``Bash: `npm test` ``. What a call says is not ours: it is made visible, its secrets are masked, and what is cut says so (P9).
 */
import type { JsonObject } from '../../core/json/json.ts'
import { createTextMasks } from '../masks/mask-text.ts'
import { leftOutMark } from '../text/shorten.ts'
import { makeVisible } from '../text/visible.ts'
import type { Locale } from '../words/rendering-words.ts'

const MAX_COMMAND = 80
const MAX_ARGUMENTS = 60
const MAX_PATH = 300
const MAX_SUMMARY = 200
/** Made visible, and with its secrets masked, a text can be longer or shorter. */
const MAX_LOOKED_AT = 20_000

/** As in every other line. */
const LINE_BREAK = makeVisible('\n').text

const SHELLS: ReadonlySet<string> = new Set(['Bash', 'exec'])
const EDITORS: ReadonlySet<string> = new Set([
  'Edit',
  'Write',
  'MultiEdit',
  'edit_file',
  'write_file',
  'append_file',
])

/** The command, else the file, else the arguments. */
export function callLine(tool: string, args: JsonObject): string {
  const { command, file_path: file } = args
  const about =
    typeof command === 'string'
      ? cutLine(command, MAX_COMMAND)
      : typeof file === 'string'
        ? cutLine(file, MAX_PATH)
        : cutLine(JSON.stringify(args), MAX_ARGUMENTS)
  return `${name(tool)}(${about})`
}

/** Of a call that waits for a person. */
export function waitingLine(tool: string, args: JsonObject, locale: Locale): string {
  return `${name(tool)}: ${callSummary(tool, args, locale)}`
}

/** `` `npm test` ``, ``file: `src/x.ts` ``, or the arguments. */
export function callSummary(tool: string, args: JsonObject, locale: Locale): string {
  const { command, file_path: file, path } = args
  if (SHELLS.has(tool) && typeof command === 'string') return quoted(command, locale)
  const edited = typeof file === 'string' ? file : path
  if (EDITORS.has(tool) && typeof edited === 'string') return `file: ${quoted(edited, locale)}`
  const { text, rest } = summed(JSON.stringify(args), locale)
  return `${text}${rest}`
}

/** Between backticks, of which there are none inside. */
function quoted(given: string, locale: Locale): string {
  const { text, rest } = summed(given, locale)
  return `\`${text.replaceAll('`', '⟨U+0060⟩')}\`${rest}`
}

function summed(given: string, locale: Locale): { text: string; rest: string } {
  const { text, leftOut } = cut(given, MAX_SUMMARY)
  return { text, rest: leftOut === 0 ? '' : ` ${leftOutMark(leftOut)} ${WHOLE[locale]}` }
}

const WHOLE: Record<Locale, string> = {
  en: '(the inbox has all of it)',
  zh: '(完整内容见收件箱)',
}

function cutLine(given: string, longest: number): string {
  const { text, leftOut } = cut(given, longest)
  return leftOut === 0 ? text : `${text}…`
}

/** Masked first: half a secret would not be known as one. */
function cut(given: string, longest: number): { text: string; leftOut: number } {
  const masked = createTextMasks()(given.slice(0, MAX_LOOKED_AT).toWellFormed()).replaceAll('\n', LINE_BREAK)
  const unread = Math.max(0, given.length - MAX_LOOKED_AT)
  if (masked.length <= longest) return { text: masked, leftOut: unread }
  const text = masked.slice(0, longest).toWellFormed()
  return { text, leftOut: masked.length - longest + unread }
}

function name(tool: string): string {
  return makeVisible(tool.slice(0, MAX_PATH).toWellFormed()).text
}
