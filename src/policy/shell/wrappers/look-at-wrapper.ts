/** Wrappers that the table knows: where their own words end, and what they run. */
import { codeOf } from '../commands/code-variables.ts'
import { isHarmless } from '../commands/harmless-variables.ts'
import {
  type InnerCommand,
  type InnerDoubt,
  inlineCode,
  innerScript,
  notFollowed,
  RUNS_NOTHING,
  type WrapperLook,
} from '../commands/inner-command.ts'
import { isFixed } from '../commands/word-values.ts'
import type { ShellWord } from '../reading.ts'
import { looseScript } from './loose-script.ts'
import { isOneWord, type ParsedOptions, parseOptions } from './wrapper-options.ts'
import type { Wrapper } from './wrapper-table.ts'

export function lookAtWrapper(wrapper: Wrapper, words: readonly ShellWord[], at: number): WrapperLook {
  const options = skipOptions(wrapper, words, at + 1)
  if (options.unknown !== undefined) {
    if (wrapper.joined && wrapper.inShell) return notAllKnown(words, at + 1)
    return notFollowed(words, options.unknown, 'part.not-followed')
  }
  if (wrapper.quiet?.some((name) => options.found.has(name))) return RUNS_NOTHING
  const doubts: InnerDoubt[] = []
  const set: InnerCommand[] = []
  let from = options.end
  for (let count = wrapper.positionals ?? 0; count > 0; count--, from++)
    if (from < words.length && !isOneWord(words[from])) return notFollowed(words, from, 'part.not-followed')
  if (wrapper.assignments) from = skipAssignments(words, from, doubts, set)
  const script = wrapper.script?.map((name) => options.found.get(name)).find((word) => word !== undefined)
  if (script !== undefined || isScriptOption(wrapper, words[from])) {
    const word = script ?? words[from + 1]
    return isFixed(word)
      ? { transparent: false, inner: [innerScript(word.value)], doubts }
      : inlineCode('part.code-late', word === undefined ? [] : [innerScript(looseScript(word))])
  }
  if (from >= words.length) {
    const opens = wrapper.opensShell === true || wrapper.opensShell?.some((name) => options.found.has(name))
    return opens ? inlineCode('part.shell') : RUNS_NOTHING
  }
  if (words[from]?.value === undefined && !wrapper.joined)
    return notFollowed(words, from, 'part.not-followed')
  const inner = innerOf(wrapper, words, from, options)
  if (inner === undefined) return notAllKnown(words, from)
  return { transparent: wrapper.transparent === true, inner: [inner, ...set], doubts }
}

/** The text is shown as it stands, for the sake of what is denied. */
function notAllKnown(words: readonly ShellWord[], from: number): WrapperLook {
  const text = words.slice(from).map(looseScript).join(' ')
  return inlineCode('part.code-late', [innerScript(text)])
}

function innerOf(
  wrapper: Wrapper,
  words: readonly ShellWord[],
  from: number,
  options: ParsedOptions,
): InnerCommand | undefined {
  const place = { inShell: wrapper.inShell === true, elsewhere: wrapper.elsewhere === true }
  if (!wrapper.joined || wrapper.unjoined?.some((name) => options.found.has(name)))
    return { kind: 'words', words, from, ...place }
  const text: string[] = []
  for (const word of words.slice(from)) {
    if (!isFixed(word)) return undefined
    text.push(word.value)
  }
  return { kind: 'script', text: text.join(' '), ...place }
}

function skipOptions(wrapper: Wrapper, words: readonly ShellWord[], from: number): ParsedOptions {
  const found = new Map<string, ShellWord | undefined>()
  let start = from
  for (let count = 0; ; count++) {
    const options = parseOptions(words, start, wrapper.options ?? '', wrapper.numbers)
    for (const [name, value] of options.found) found.set(name, value)
    const stop = words[options.unknown ?? options.end]?.value ?? ''
    const isSkipped = (wrapper.dash && stop === '-') || (wrapper.numbers && /^--?\d+$/.test(stop))
    if (!isSkipped || count === MAX_SKIPPED) return { ...options, found }
    start = (options.unknown ?? options.end) + 1
  }
}

/** Each time all words that follow are read. */
const MAX_SKIPPED = 8

function skipAssignments(
  words: readonly ShellWord[],
  from: number,
  doubts: InnerDoubt[],
  set: InnerCommand[],
): number {
  let at = from
  for (; at < words.length; at++) {
    const word = words[at]
    const name = /^([A-Za-z_]\w*)=/.exec(word?.value ?? word?.text ?? '')?.[1]
    if (word === undefined || name === undefined || word.pattern) break
    const { script, doubt } = codeOf(name, word.value?.slice(name.length + 1), word.text)
    if (script !== undefined) set.push(innerScript(script))
    if (doubt !== undefined) doubts.push(doubt)
    if (word.value === undefined || !isHarmless(name, word.value.slice(name.length + 1)))
      doubts.push({
        kind: 'assignment',
        text: word.text,
        why: 'part.variable',
      })
  }
  return at
}

/** `flock file -c script`: the option comes after the positional. */
function isScriptOption(wrapper: Wrapper, word: ShellWord | undefined): boolean {
  return word?.value !== undefined && wrapper.script?.includes(word.value) === true
}
