/** `xargs`: what it runs is known, and a part of the words comes from its input. */
import {
  innerWords,
  notFollowed,
  RUNS_NOTHING,
  UNKNOWN_WORDS,
  type WrapperLook,
} from '../commands/inner-command.ts'
import type { ShellWord } from '../reading.ts'
import { parseOptions } from './wrapper-options.ts'

const OPTIONS =
  '-0 --null, -r --no-run-if-empty, -t --verbose, -p --interactive, -x --exit, -o --open-tty, --show-limits, -I=, -J=, ' +
  '-L=, -n --max-args=, -P --max-procs=, -s --max-chars=, -S=, -R=, -d --delimiter=, -E=, -a --arg-file=, --process-slot-var=, ' +
  '-i --replace[=], -l --max-lines[=], -e --eof[=]'

export function lookAtXargs(words: readonly ShellWord[], at: number): WrapperLook {
  const options = parseOptions(words, at + 1, OPTIONS)
  if (options.unknown !== undefined) return notFollowed(words, options.unknown, 'part.not-followed')
  if (options.end >= words.length) return RUNS_NOTHING
  const mark =
    options.found.get('-I') ??
    options.found.get('-J') ??
    options.found.get('-i') ??
    options.found.get('--replace')
  const marked = ['-I', '-J', '-i', '--replace'].some((name) => options.found.has(name))
  const text = mark?.value || '{}'
  const inner = words
    .slice(options.end)
    .map((word) => (marked && word.text.includes(text) ? { ...word, value: undefined } : word))
  if (!marked) inner.push(UNKNOWN_WORDS)
  return { transparent: false, inner: [innerWords(inner)], doubts: [] }
}
