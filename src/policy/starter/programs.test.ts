import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { generatePrograms, readProfiles } from '../../../scripts/generate-programs.ts'
import { ENGLISH } from '../../core/reasons/english.ts'
import { knownPrograms } from '../known-programs.ts'
import type { Invocation, Profile } from './profile.ts'

const profiles = readProfiles()
const files = [...profiles.keys()]

const argumentKind = z.union([
  z.enum(['path', 'local', 'text', 'any', 'number', 'word', 'name', 'format', 'command', 'keys']),
  z.enum(['script:sed', 'script:awk', 'script:jq']),
  z.string().regex(/^(one of|list of|like|template of) [^|\s]+(\|[^|\s]+)*$/),
])
const valueKind = z.union([z.enum(['flag', 'optional']), argumentKind])
const words = z.string().regex(/^\S+( \S+)*$/)
const options = z.record(words, valueKind)
const invocation = z.strictObject({
  options: options.optional(),
  uses: z.array(z.string()).nonempty().optional(),
  needs: z.array(z.string().regex(/^\S+$/)).nonempty().optional(),
  arguments: z.array(argumentKind).optional(),
  rest: z.literal(true).optional(),
  get commands() {
    return z.record(words, z.union([invocation, z.array(invocation).nonempty()])).optional()
  },
  bundles: z.literal(false).optional(),
  singleDash: z.literal(true).optional(),
  dashes: z.literal(false).optional(),
  optionsAnywhere: z.literal(true).optional(),
  optionsFirst: z.literal(true).optional(),
  literal: z.literal(true).optional(),
  pages: z.literal(true).optional(),
})
const invocations = z.union([invocation, z.array(invocation).nonempty()])
const optionWords = z.string().regex(/^[^\s,]+( [^\s,]+)*$/)
const programOptions = z.strictObject({
  like: z.string().optional(),
  names: z.array(z.string().regex(/^[^\s,]+( [^\s,]+)*(, [^\s,]+( [^\s,]+)*)*$/)).optional(),
  means: z.record(optionWords, optionWords).optional(),
  prefixes: z.record(z.string().regex(/^\W\w{0,2}$/), optionWords).optional(),
  styles: z
    .array(z.enum(['words', 'bare', 'assignments', 'first', 'plus', 'none', 'nopt', 'late', 'anycase']))
    .optional(),
  writes: optionWords.optional(),
  writesWith: z.record(optionWords, optionWords).optional(),
  texts: optionWords.optional(),
  starts: z.string().optional(),
  passes: z.string().optional(),
  executes: z.enum(['words', 'script']).optional(),
  into: optionWords.optional(),
  mounts: optionWords.optional(),
  runs: optionWords.optional(),
  settings: z.record(optionWords, z.string()).optional(),
  loads: z.record(optionWords, z.string()).optional(),
  excludes: optionWords.optional(),
  negates: optionWords.optional(),
  deletes: optionWords.optional(),
  changes: optionWords.optional(),
  unless: optionWords.optional(),
  script: optionWords.optional(),
  get commands() {
    return z.record(words, programOptions).optional()
  },
})
const profile = z.strictObject({
  programs: z.array(z.string().regex(/^\S+$/)).nonempty(),
  why: z.string().regex(/^[A-Z].{10,300}\.$/),
  can: z
    .array(z.enum(['write', 'delete', 'code', 'network', 'privilege']))
    .nonempty()
    .optional(),
  reads: invocations.optional(),
  commands: z.record(words, invocations).optional(),
  before: options.optional(),
  help: z
    .array(z.string().regex(/^-\S+$/))
    .nonempty()
    .optional(),
  sets: z.record(z.string(), options).optional(),
  anyOptionReads: z.literal(true).optional(),
  shapes: z.array(z.string()).optional(),
  reveals: z
    .array(
      z.strictObject({
        command: z.array(z.string()).nonempty().optional(),
        options: z
          .array(z.string().regex(/^-\S+$/))
          .nonempty()
          .optional(),
        bare: z.literal(true).optional(),
      }),
    )
    .nonempty()
    .optional(),
  destroys: z
    .array(
      z.strictObject({
        options: z.array(z.array(z.string()).nonempty()).nonempty().optional(),
        alone: z.literal(true).optional(),
        command: z.array(z.string()).nonempty().optional(),
        argument: z.enum(['vital', 'device', 'any']).optional(),
        prefix: z.string().optional(),
        why: z.string().refine((code) => code.startsWith('destroys.') && code in ENGLISH),
      }),
    )
    .nonempty()
    .optional(),
  options: programOptions.optional(),
})

const read = (file: string) => profiles.get(file) as Profile

describe('the profiles of programs', () => {
  it.each(files)('%s is well formed', (file) => {
    expect(file).toMatch(/^[a-z0-9.-]+\.json$/)
    const parsed = profile.safeParse(read(file))
    expect(parsed.success ? '' : z.prettifyError(parsed.error)).toBe('')
  })

  it.each(files)('%s names nothing twice and nothing that is not there', (file) => {
    const one = read(file)
    const named = invocationsOf(one)
    expect(named.flatMap((each) => faultsOf(each, one))).toEqual([])
    expect(repeated(namesIn(one.before))).toEqual([])
    expect(repeated(namesIn(one.commands))).toEqual([])
  })

  it('no program has two', () => {
    expect(repeated(files.flatMap((file) => read(file).programs))).toEqual([])
  })

  it('all are known', () => {
    expect([...knownPrograms().keys()].sort()).toEqual(files.flatMap((file) => read(file).programs).sort())
    const written = readFileSync(join(import.meta.dirname, 'program-texts.ts'), 'utf8')
    expect(written, 'run: npm run generate:programs').toBe(generatePrograms())
  })

  it('those that coding agents run most are there', () => {
    const most =
      'git ls cat rg grep find sed awk npm node python cargo go docker kubectl curl head tail wc rm cp mv'
    expect(most.split(' ').filter((program) => !knownPrograms().has(program))).toEqual([])
  })
})

/** What the shape alone does not say. */
function faultsOf(one: Invocation, from: Profile): string[] {
  const own = namesIn(one.options)
  const used = (one.uses ?? []).flatMap((name) => namesIn(from.sets?.[name]))
  return [
    ...(one.uses ?? []).filter((name) => from.sets?.[name] === undefined).map((name) => `no set ${name}`),
    ...repeated([...own, ...used]).map((option) => `${option} twice`),
    ...(one.needs ?? [])
      .filter((o) => ![...own, ...used].includes(o))
      .map((o) => `needs ${o}, which is not named`),
    ...repeated(namesIn(one.commands)).map((command) => `${command} twice`),
    ...(one.rest === true && (one.arguments?.length ?? 0) === 0 ? ['rest of nothing'] : []),
    ...(one.literal === true && own.length > 0 ? ['options where nothing is one'] : []),
    // Without it, `program delete-everything` would be a program and a path.
    ...(from.commands !== undefined &&
    [from.reads].flat().includes(one) &&
    one.arguments === undefined &&
    one.commands === undefined
      ? ['it has sub-commands, so that the invocation without one must say what its arguments are']
      : []),
  ]
}

function invocationsOf(one: Profile): Invocation[] {
  const inner = (each: Invocation): Invocation[] => [
    each,
    ...Object.values(each.commands ?? {})
      .flat()
      .flatMap(inner),
  ]
  return [one.reads ?? [], ...Object.values(one.commands ?? {})].flat().flatMap(inner)
}

function namesIn(record: Record<string, unknown> | undefined): string[] {
  return Object.keys(record ?? {}).flatMap((key) => key.split(' '))
}

function repeated(names: string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
