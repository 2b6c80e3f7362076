/**
 * Shells that are given a text to run: `sh -c`, `su -c`. The text is read like the line itself. What a shell reads from
 * a file or from its input is not looked into.
 */
import {
  type InnerCommand,
  inlineCode,
  innerScript,
  innerWords,
  notFollowed,
  RUNS_NOTHING,
  type WrapperLook,
} from '../commands/inner-command.ts'
import { isFixed } from '../commands/word-values.ts'
import type { ShellWord } from '../reading.ts'
import { looseScript } from './loose-script.ts'
import { type ParsedOptions, parseOptions } from './wrapper-options.ts'

/** Shells whose language is near enough to bash's that reading it as such shows what would run. */
const ALIKE = 'sh bash dash zsh ksh ksh93 mksh ash rbash yash'.split(' ')

/** Shells with a language of their own: what they would run is shown as well as can be, and is a doubt. */
const FOREIGN = 'fish csh tcsh pwsh powershell nu xonsh elvish'.split(' ')

export const SHELLS: ReadonlySet<string> = new Set([...ALIKE, ...FOREIGN])

/** `+x` turns an option off. */
const SHELL_OPTIONS =
  '-c, -e, -u, -n, -x, -v --verbose, -l --login, -i, -f, -m, -b, -h, -B, -C, -E, -H, -P, -T, -o=, --norc, --noprofile'

const HARMLESS_SETTINGS: ReadonlySet<string> = new Set([
  'pipefail',
  'errexit',
  'nounset',
  'xtrace',
  'noclobber',
])

export function lookAtShell(words: readonly ShellWord[], at: number): WrapperLook {
  const first = words[at + 1]
  if (words.length === at + 2 && /^--(version|help)$/.test(first?.value ?? '')) return RUNS_NOTHING
  const options = parseOptions(words, at + 1, SHELL_OPTIONS)
  const text = words[options.unknown ?? options.end]
  const isForeign = FOREIGN.includes(nameOf(words[at]))
  if (!isForeign && onlyChecks(words, options)) return RUNS_NOTHING
  const isKnown = options.unknown === undefined || !isFixed(text)
  if (!isKnown) return inlineCode('part.code', scriptsAfter(words, at))
  if (!options.found.has('-c')) return inlineCode('part.code-input')
  if (text === undefined) return inlineCode('part.code')
  if (!isFixed(text)) return inlineCode('part.code-late', [innerScript(looseScript(text))])
  const inner: InnerCommand[] = [innerScript(text.value)]
  if (options.end + 1 < words.length && /(^|[;&|(\n])[ \t]*(exec )?"?\$[@*]/.test(text.value))
    inner.push({ kind: 'anywhere', from: options.end + 1 })
  if (isForeign) return inlineCode('part.foreign-shell', inner)
  const setting = options.found.get('-o')
  if (setting !== undefined && !HARMLESS_SETTINGS.has(setting.value ?? ''))
    return {
      transparent: false,
      inner,
      doubts: [{ kind: 'redefinition', text: setting.text, why: 'part.redefinition' }],
    }
  return { transparent: true, inner, doubts: [] }
}

/** `bash -n script` looks for mistakes and runs nothing, unless a later word turns that off again. */
function onlyChecks(words: readonly ShellWord[], { found, end, unknown }: ParsedOptions): boolean {
  if (!found.has('-n') || found.has('-i') || found.has('-c') || unknown !== undefined) return false
  return end < words.length && words.slice(end).every((word) => isFixed(word) && !/^[-+]/.test(word.value))
}

/** `su user -c text`, and `runuser -u user program words`. */
export function lookAtSu(words: readonly ShellWord[], at: number): WrapperLook {
  const table =
    '-l --login, -m -p --preserve-environment, -P --pty, -f --fast, -c --command=, --session-command=, -g --group=, ' +
    '-G --supp-group=, -s --shell=, -u --user='
  const found = new Map<string, ShellWord | undefined>()
  const loose: number[] = []
  for (let from = at + 1; from < words.length; ) {
    const options = parseOptions(words, from, table)
    for (const [name, value] of options.found) found.set(name, value)
    if (options.unknown !== undefined) return notFollowed(words, options.unknown, 'part.not-followed')
    if (found.has('-u') || found.has('--user')) return direct(words, options.end)
    if (options.end < words.length) loose.push(options.end)
    from = options.end + 1
  }
  const text = found.get('-c') ?? found.get('--command') ?? found.get('--session-command')
  if (text === undefined)
    return inlineCode('part.shell', loose.length > 0 ? [{ kind: 'anywhere', from: loose[0] ?? at }] : [])
  if (!isFixed(text)) return inlineCode('part.code-late', [innerScript(looseScript(text))])
  return { transparent: false, inner: [innerScript(text.value)], doubts: [] }
}

function direct(words: readonly ShellWord[], from: number): WrapperLook {
  if (from >= words.length) return inlineCode('part.shell')
  return { transparent: false, inner: [innerWords(words, from)], doubts: [] }
}

/** Where options are not understood, any later word may be the text. */
function scriptsAfter(words: readonly ShellWord[], at: number): InnerCommand[] {
  const texts = words.slice(at + 1).filter(isFixed)
  return [
    ...texts.filter((word) => /\s/.test(word.value)).map((word) => innerScript(word.value)),
    { kind: 'anywhere', from: at + 1 },
  ]
}

function nameOf(word: ShellWord | undefined): string {
  return word?.value?.slice(word.value.lastIndexOf('/') + 1) ?? ''
}

/** `script -c text file` keeps what it shows in a file. */
export function lookAtScript(words: readonly ShellWord[], at: number): WrapperLook {
  const names =
    '-a --append, -e --return, -f --flush, -q --quiet, -c --command=, -E --echo=, -I=, -T=, -B=, -O=, -t[=]'
  const options = parseOptions(words, at + 1, names)
  const script = options.found.get('-c') ?? options.found.get('--command')
  const later = words.findIndex(
    (word, index) => index > options.end && /^(-[aefq]*c|--command)$/.test(word.value ?? ''),
  )
  const word = script ?? (later === -1 ? undefined : words[later + 1])
  const rest: InnerCommand = { kind: 'anywhere', from: options.end }
  if (options.unknown === undefined && isFixed(word) && words.length - options.end <= 1)
    return { transparent: false, inner: [innerScript(word.value)], doubts: [] }
  return inlineCode('part.not-followed', isFixed(word) ? [innerScript(word.value), rest] : [rest])
}
