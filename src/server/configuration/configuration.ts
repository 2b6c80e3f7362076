/**
 * Reads `banksman.yaml`. A file that is not understood in full is refused as a whole, with the line and column of
 * what was not understood: a misspelt `deny` that was skipped would allow.
 */

import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { type Alias, type Document, isNode, LineCounter, parseDocument, visit } from 'yaml'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { parseDuration } from '../../core/time/duration.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
import { compilePolicy, type PolicyOptions } from '../../policy/compile-policy.ts'
import { nearestWord } from '../../policy/language/nearest-word.ts'
import type { Policy, PolicyWarning } from '../../policy/policy.ts'
import { agentSchema } from '../agent/loop-registration.ts'
import type { ChannelRegistration, ConfiguredChannel } from '../channels/channel-registration.ts'
import { duration } from '../channels/duration-schema.ts'
import { CHANNELS, readChannels } from '../channels/registrations.ts'
import {
  agentsSchema,
  CONVERSATION_KEYS,
  type ConversationConfiguration,
  readConversationConfiguration,
} from './agent-configuration.ts'
import {
  accountServices,
  type ConfiguredPerson,
  NAME,
  peopleSchema,
  readPeople,
} from './people-configuration.ts'
import { POLICY_KEYS, readPolicySource } from './policy-source.ts'
import { type ProxyConfiguration, proxySchema, readProxyConfiguration } from './proxy-configuration.ts'
import {
  postgresSchema,
  readStoreConfiguration,
  redisSchema,
  STORE_KEYS,
  type StoreConfiguration,
} from './store-configuration.ts'

export interface Configuration {
  /** The person this installation belongs to. */
  owner: string
  people: Map<string, ConfiguredPerson>
  policyBlock: unknown
  /** Whether anyone has written one. */
  hasPolicy: boolean
  /** What the policy is told of tools. */
  tools: unknown
  /** The folders that agents work in; absolute, with links followed. */
  roots: string[]
  /** What is read from another program's settings and means something else here. */
  policyNotes: PolicyWarning[]
  /** Where a part of the policy stands in the file. */
  locate: NonNullable<PolicyOptions['locate']>
  retentionMs: number
  expiresInMs: number | undefined
  claimWithinMs: number | undefined
  /** Where signed checkpoints of the journal are appended, besides the data folder. */
  checkpointFile: string | undefined
  /** The agent. */
  talk: ConversationConfiguration
  /** Where people are asked. */
  channels: readonly ConfiguredChannel[]
  /** Where the store is. */
  store: StoreConfiguration
  /** Other names by which the server may be called, such as that of a proxy in front of it. In lower case. */
  names: string[]
  /** Where that proxy comes in. */
  proxy: ProxyConfiguration
  /** What it was read from; absent where nobody has written anything. */
  text: string | undefined
  /** Of the text it was read from. */
  digest: string
}

function configurationSchema(channels: readonly ChannelRegistration[]) {
  return z.strictObject({
    ...STATIC,
    people: peopleSchema(accountServices(channels)),
    ...(Object.fromEntries(
      channels.flatMap(({ key, schema }) => (schema === undefined ? [] : [[key, schema.optional()]])),
    ) as Record<never, never>),
  })
}

/** What may be written whatever channels there are. */
const STATIC = {
  owner: NAME.optional(),
  policy: z.unknown().optional(),
  toolApproval: z.unknown().optional(),
  permissions: z.unknown().optional(),
  toolApprovalMode: z.unknown().optional(),
  tools: z.unknown().optional(),
  roots: z.array(z.string().min(1, 'must be the path of a folder')).optional(),
  retention: duration.optional(),
  expiresIn: duration.optional(),
  claimWithin: duration
    .refine((ms) => ms <= MAX_CLAIM_WITHIN_MS, 'must be at most 7d: an older approval is not one for now')
    .optional(),
  journal: z.strictObject({ checkpoints: z.string().min(1).optional() }).optional(),
  agent: agentSchema.optional(),
  agents: agentsSchema.optional(),
  hooks: z.unknown().optional(),
  store: z.string().min(1, 'must name a store, as in sqlite:banksman.db').optional(),
  postgres: postgresSchema.optional(),
  redis: redisSchema.optional(),
  names: z
    .array(
      z
        .string()
        .regex(
          /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::[1-9]\d{0,4})?$/i,
          'must be a host as browsers name it, with its port where that is not the usual one, as in approvals.example.org or approvals.example.org:8443',
        )
        .transform((name) => name.toLowerCase()),
    )
    .default([]),
  proxy: proxySchema.optional(),
}

function keysOf(channels: readonly ChannelRegistration[]): string[] {
  return [
    'owner',
    'people',
    'tools',
    'roots',
    ...POLICY_KEYS,
    'retention',
    'expiresIn',
    'claimWithin',
    'journal',
    'agent',
    'agents',
    'hooks',
    ...channels.flatMap(({ key, schema }) => (schema === undefined ? [] : [key])),
    'store',
    'postgres',
    'redis',
    'names',
    'proxy',
  ]
}

const RETENTION_MS = parseDuration('30d')

/** Used where there is no file, or none that anyone has trusted yet: everything is asked. */
export function emptyConfiguration(
  owner: string,
  file = resolve('banksman.yaml'),
  channels = CHANNELS,
): Configuration {
  return { ...readConfiguration('', file, owner, channels), text: undefined }
}

export function readConfiguration(
  text: string,
  name: string,
  defaultOwner: string,
  channels = CHANNELS,
): Configuration {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2' })
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0])
    invalid(name, line, col, yamlWords(problem.message))
  }
  const alias = firstAlias(document)
  if (alias !== undefined) {
    const { line, col } = lines.linePos(alias.range?.[0] ?? 0)
    invalid(
      name,
      line,
      col,
      `*${alias.source} is a reference in YAML; to mean the text, put it in quotes: "*${alias.source}"`,
    )
  }
  const value: unknown = document.toJS() ?? {}
  const result = configurationSchema(channels).safeParse(value)
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
        ? `${path.join('.')} ${wordsOf(issue, channels)}`.trim()
        : unknownKeyText(unknownKey, issue.path, channels),
    )
  }
  const { owner, people, retention, expiresIn, claimWithin, journal, tools } = result.data
  const locate = (pointer: string) => {
    const [line, column] = positionOf(document, lines, stepsOf(pointer))
    return { file: name, line, column }
  }
  try {
    const source = readPolicySource(value as Record<string, unknown>)
    const configuration: Configuration = {
      owner: owner ?? defaultOwner,
      people: readPeople(people, accountServices(channels)),
      policyBlock: source.policyBlock,
      hasPolicy: POLICY_KEYS.some((key) => (value as Record<string, unknown>)[key] !== undefined),
      tools,
      roots: rootsOf(result.data.roots, name),
      policyNotes: source.warnings,
      locate: (pointer) =>
        locate(/^\/(?:tools|proxy)/.test(pointer) ? pointer : source.sourcePointer(pointer)),
      retentionMs: retention ?? RETENTION_MS,
      expiresInMs: expiresIn,
      claimWithinMs: claimWithin,
      checkpointFile: journal?.checkpoints,
      talk: readConversationConfiguration(result.data, name),
      channels: readChannels(result.data, name, channels),
      store: readStoreConfiguration(result.data),
      names: result.data.names,
      proxy: readProxyConfiguration(result.data.proxy),
      text,
      digest: digestOf(text),
    }
    try {
      compileConfigured(configuration, {})
    } catch (error) {
      throw placed(error, configuration.locate)
    }
    return configuration
  } catch (error) {
    throw placed(error, locate)
  }
}

/** The file's own folder unless it names others. One that is not there yet is taken as it is written. */
function rootsOf(written: readonly string[] | undefined, file: string): string[] {
  const folder = dirname(resolve(file))
  return (written ?? ['.']).map((root) => {
    const path = resolve(
      folder,
      root === '~' || root.startsWith('~/') ? `${homedir()}${root.slice(1)}` : root,
    )
    try {
      return realpathSync(path)
    } catch {
      return path
    }
  })
}

function placed(error: unknown, locate: Configuration['locate']): unknown {
  const isPlaceable =
    isBanksmanError(error, 'invalid_policy') || isBanksmanError(error, 'invalid_configuration')
  if (!isPlaceable || error.details.line !== undefined) return error
  const { file, line, column } = locate(pointerOf(error))!
  return new BanksmanError(error.code, `${file}:${line}:${column}: ${error.message}`, {
    ...error.details,
    line,
    column,
  })
}

/** Some readers name the place with dots. */
function pointerOf({ details }: BanksmanError): string {
  if (typeof details.pointer === 'string') return details.pointer
  return typeof details.place === 'string' ? `/${details.place.replaceAll('.', '/')}` : ''
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function compileConfigured(
  configuration: Configuration,
  options: Omit<PolicyOptions, 'tools' | 'roots' | 'home' | 'locate'>,
): Policy {
  const { tools, roots, locate } = configuration
  return compilePolicy(configuration.policyBlock, {
    ...options,
    ...defined({ tools }),
    roots,
    home: homedir(),
    locate,
  })
}

/** The parser repeats the place, which we give in front. */
function yamlWords(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '') || 'this is not YAML'
}

/** In our words where the reader's own would not help: what is expected there, with an example. */
function wordsOf(issue: z.core.$ZodIssue, channels: readonly ChannelRegistration[]): string {
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.path.length === 0)
    return `the file must be a list of keys with values: ${keysOf(channels).join(', ')}`
  if (issue.path[0] === 'people' && issue.path.length === 2)
    return 'must be written as in { groups: [approvers] }'
  return `must be ${issue.expected === 'array' ? 'a list' : `of the kind ${issue.expected}`}`
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}

/** A name with a star in front that nobody has put in quotes. References are of no use in such a file. */
function firstAlias(document: Document): Alias | undefined {
  let found: Alias | undefined
  visit(document, {
    Alias(_, node) {
      found = node
      return visit.BREAK
    },
  })
  return found
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

function unknownKeyText(
  key: string,
  path: readonly PropertyKey[],
  channels: readonly ChannelRegistration[],
): string {
  const known = knownKeys(path, channels)
  const near = nearestWord(key, known)
  return `unknown key ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`} The keys here are ${known.join(', ')}`
}

function knownKeys(
  path: readonly PropertyKey[],
  channels: readonly ChannelRegistration[],
): readonly string[] {
  const [first] = path.map(String)
  if (first === undefined) return keysOf(channels)
  if (first === 'people') return ['groups', ...accountServices(channels).map(({ name }) => name)]
  if (first === 'proxy') return Object.keys(proxySchema.shape)
  const schema = channels.find(({ key }) => key === first)?.schema
  if (schema !== undefined) return Object.keys(schema.shape)
  return CONVERSATION_KEYS[first] ?? STORE_KEYS[first] ?? ['checkpoints']
}

function invalid(name: string, line: number, column: number, message: string): never {
  throw new BanksmanError('invalid_configuration', `${name}:${line}:${column}: ${message}`, { line, column })
}
