/**
 * The one place where arguments are parsed. Whatever is not understood is a usage error that says what would be: an
 * option that was skipped over could turn a careful command into another one.
 */
import { parseArgs } from 'node:util'
import { nearestWord } from '../../core/support/nearest-word.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'
import type { OptionSpecs, PositionalSpec, ValuesOf } from './option-specs.ts'

export interface ParsedCommandLine<O extends OptionSpecs> {
  values: ValuesOf<O>
  positionals: string[]
  /** For standard error: what was taken and should be written another way. */
  notes: string[]
}

export function parseArguments<O extends OptionSpecs>(
  args: readonly string[],
  options: O,
  positionals: readonly PositionalSpec[],
): ParsedCommandLine<O> {
  // The words of another program are its own: whatever they look like, they are not ours to read.
  const isForeign = positionals.some(({ rest }) => rest === true)
  const at = isForeign ? args.indexOf('--') : -1
  const foreign = at === -1 ? [] : args.slice(at + 1)
  const own = positionals.filter(({ rest }) => rest !== true)
  const { tokens } = parseArgs({
    args: at === -1 ? [...args] : args.slice(0, at),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([name, spec]) => {
        const type = { type: spec.kind === 'flag' ? ('boolean' as const) : ('string' as const) }
        const former = formerName(spec)
        return [[name, type], ...(former === undefined ? [] : [[former, type] as const])]
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values: Record<string, boolean | string | undefined> = {}
  for (const [name, spec] of Object.entries(options)) values[name] = spec.kind === 'flag' ? false : undefined
  const seen = new Set<string>()
  const found: string[] = []
  const notes: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') found.push(refuseSecret(token.value))
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    const name = currentName(token.name, options)
    if (name !== token.name) notes.push(`${rawName} is now --${name}, and will be gone in the next release`)
    const spec = Object.hasOwn(options, name) ? options[name] : undefined
    if (spec === undefined) throw unknownOption(rawName, name, Object.keys(options))
    const isAgain = seen.has(name)
    if (isAgain && !(spec.kind === 'text' && spec.repeats)) throw usageError(`${rawName} is there twice`)
    seen.add(name)
    const isNextOption = inlineValue !== true && value !== undefined && /^-./.test(value)
    if (spec.kind === 'text' && isNextOption) {
      throw usageError(
        `${rawName} needs a value; one that begins with a dash is written ${rawName}=${spec.value}`,
      )
    }
    const given = spec.kind === 'flag' ? flagValue(rawName, value) : textValue(rawName, spec, value)
    values[name] = isAgain ? `${values[name]}\n${given}` : given
  }
  checkCount(found, own, isForeign)
  return { values: values as ValuesOf<O>, positionals: [...found, ...foreign], notes }
}

function formerName(spec: OptionSpecs[string]): string | undefined {
  return spec.kind === 'text' ? spec.formerly : undefined
}

function currentName(name: string, options: OptionSpecs): string {
  return Object.entries(options).find(([, spec]) => formerName(spec) === name)?.[0] ?? name
}

function flagValue(name: string, value: string | undefined): true {
  if (value !== undefined) throw usageError(`${name} takes no value; write ${name} alone`)
  return true
}

function textValue(
  name: string,
  spec: Extract<OptionSpecs[string], { kind: 'text' }>,
  value: string | undefined,
): string {
  if (value === undefined || value === '') throw usageError(`${name} needs a value: ${name} ${spec.value}`)
  refuseSecret(value)
  if (spec.oneOf !== undefined && !spec.oneOf.includes(value)) {
    const near = nearestWord(value, spec.oneOf)
    throw usageError(
      `${name} must be one of ${spec.oneOf.join(', ')}; found ${visible(JSON.stringify(value))}${near === undefined ? '' : `. Did you mean ${near}?`}`,
    )
  }
  return value
}

/** Every other user of the machine can read a running program's arguments, and the shell keeps them. */
function refuseSecret(value: string): string {
  if (/\bbm[apl]_[A-Za-z0-9_-]{20,}/.test(value)) {
    throw usageError(
      'a token must not be an argument: others can see it with `ps`, and the shell remembers it. Revoke that one, and give tokens in a file with --token-file, or in the environment as BANKSMAN_TOKEN',
    )
  }
  return value
}

function unknownOption(rawName: string, name: string, known: readonly string[]): Error {
  if (['token', 'key', 'password', 'secret'].includes(name)) {
    return usageError(
      `there is no ${rawName}: a token must not be an argument, since others can see it with \`ps\`. Use --token-file FILE, or BANKSMAN_TOKEN in the environment`,
    )
  }
  const near = nearestWord(name, [...known, 'help'])
  return usageError(
    `unknown option ${visible(rawName)}${near === undefined ? '' : `; did you mean --${near}?`}`,
  )
}

function checkCount(found: readonly string[], specs: readonly PositionalSpec[], isForeign: boolean): void {
  const missing = specs[found.length]
  if (missing?.required === true) throw usageError(`<${missing.name}> is missing`)
  const extra = found[specs.length]
  if (extra !== undefined && specs.at(-1)?.several !== true) {
    const hint = isForeign ? '; write the command of the other program after --' : ''
    throw usageError(`${visible(JSON.stringify(extra))} is one argument too many${hint}`)
  }
}
