/**
 * Reads `banksman.yaml`. A file that is not understood in full is refused as a whole, with the line and column of
 * what was not understood: a misspelt `deny` that was skipped would allow.
 */
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { digestOf } from '../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../core/errors.ts'
import { compilePolicy, type Policy, type PolicyOptions } from '../policy/index.ts'
import { nearestWord } from '../policy/nearest-word.ts'

export interface Configuration {
  /** The person this installation belongs to. */
  owner: string
  people: Map<string, { groups: string[] }>
  policyBlock: unknown
  retentionMs: number
  expiresInMs: number | undefined
  /** Where signed checkpoints of the journal are appended, besides the data folder. */
  checkpointFile: string | undefined
  /** Of the text it was read from. */
  digest: string
}

const NAME = z.string().regex(/^[^\p{C}\p{Z}:]{1,128}$/u, 'must be a name without spaces or colons')
const DURATION = /^(\d+)(ms|s|m|h|d)$/
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const duration = z
  .string()
  .regex(DURATION, 'must be a number with a unit: ms, s, m, h or d, as in 30d')
  .transform(parseDuration)

const schema = z.strictObject({
  owner: NAME.optional(),
  people: z.record(NAME, z.strictObject({ groups: z.array(NAME).default([]) }).nullable()).default({}),
  policy: z.unknown().optional(),
  retention: duration.optional(),
  expiresIn: duration.optional(),
  journal: z.strictObject({ checkpoints: z.string().min(1).optional() }).optional(),
})

const KEYS = ['owner', 'people', 'policy', 'retention', 'expiresIn', 'journal'] as const

const RETENTION_MS = 30 * UNIT_MS.d

/** Used where there is no file, or none that anyone has trusted yet: everything is asked. */
export function emptyConfiguration(owner: string): Configuration {
  return readConfiguration('', 'the built-in configuration', owner)
}

export function readConfiguration(text: string, name: string, defaultOwner: string): Configuration {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' })
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0])
    invalid(name, line, col, yamlWords(problem.message))
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {}
  const result = schema.safeParse(value)
  if (!result.success) {
    const issue = result.error.issues[0]!
    const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey]
    const [line, column] = positionOf(document, lines, path)
    invalid(
      name,
      line,
      column,
      unknownKey === undefined
        ? `${path.join('.')} ${wordsOf(issue)}`.trim()
        : unknownKeyText(unknownKey, issue.path),
    )
  }
  const { owner, people, policy, retention, expiresIn, journal } = result.data
  const configuration: Configuration = {
    owner: owner ?? defaultOwner,
    people: new Map(
      Object.entries(people).map(([person, entry]) => [person, { groups: entry?.groups ?? [] }]),
    ),
    policyBlock: policy ?? {},
    retentionMs: retention ?? RETENTION_MS,
    expiresInMs: expiresIn,
    checkpointFile: journal?.checkpoints,
    digest: digestOf(text),
  }
  try {
    compilePolicy(configuration.policyBlock)
  } catch (error) {
    if (!isBanksmanError(error, 'invalid_policy')) throw error
    const pointer = String(error.details.pointer ?? '')
    const [line, column] = positionOf(document, lines, ['policy', ...pointer.split('/').slice(1)])
    throw new BanksmanError('invalid_policy', `${name}:${line}:${column}: ${error.message}`, {
      ...error.details,
      line,
      column,
    })
  }
  return configuration
}

export function compileConfigured(configuration: Configuration, options: PolicyOptions): Policy {
  return compilePolicy(configuration.policyBlock, options)
}

export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? []
  if (amount === undefined)
    throw new BanksmanError(
      'invalid',
      `${JSON.stringify(text)} is no duration; write it as in 90s, 15m, 24h or 30d`,
    )
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/** The parser repeats the place, which we give in front. */
function yamlWords(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '') || 'this is not YAML'
}

/** In our words where the reader's own would not help: what is expected there, with an example. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.path.length === 0) return `the file must be a list of keys with values: ${KEYS.join(', ')}`
  if (issue.path[0] === 'people' && issue.path.length === 2)
    return 'must be written as in { groups: [approvers] }'
  return `must be ${issue.expected === 'array' ? 'a list' : `of the kind ${issue.expected}`}`
}

/** The place of a value, or of the nearest thing around it that is in the file. */
function positionOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): [number, number] {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1]
    const around = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true)
    const items = (around as { items?: { key?: unknown }[] } | null)?.items
    const pair = items?.find(
      (item) => String((item.key as { value?: unknown } | undefined)?.value) === String(key),
    )
    const node = isNode(pair?.key) ? pair.key : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0])
      return [line, col]
    }
  }
  return [1, 1]
}

function unknownKeyText(key: string, path: readonly PropertyKey[]): string {
  const known: readonly string[] =
    path.length === 0 ? KEYS : path[0] === 'people' ? ['groups'] : ['checkpoints']
  const near = nearestWord(key, known)
  return `unknown key ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`} The keys here are ${known.join(', ')}`
}

function invalid(name: string, line: number, column: number, message: string): never {
  throw new BanksmanError('invalid_configuration', `${name}:${line}:${column}: ${message}`, { line, column })
}
