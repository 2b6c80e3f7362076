/**
 * Reads `banksman.yaml`. A file that is not understood in full is refused as a whole, with the line and column of
 * what was not understood: a misspelt `deny` that was skipped would allow.
 */

import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { LAX_MODES, type LaxMode } from '../../core/session.ts'
import {
  checkEach,
  checkTogether,
  isMistake,
  type Mistake,
  mistakesError,
  mistakesOf,
} from '../../core/support/mistakes.ts'
import { parseDuration } from '../../core/time/duration.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
import type { AskLimits } from '../../gateway/lifecycle/admission.ts'
import { DEFAULT_LAX_MODES } from '../../gateway/sessions/session-modes.ts'
import { compilePolicy, type PolicyOptions } from '../../policy/compile-policy.ts'
import type { Policy, PolicyWarning } from '../../policy/policy.ts'
import { agentSchema } from '../agent/loop-registration.ts'
import type { ChannelRegistration, ConfiguredChannel } from '../channels/channel-registration.ts'
import { duration } from '../channels/duration-schema.ts'
import { CHANNELS, readChannels } from '../channels/registrations.ts'
import { realPath } from '../facts/real-path.ts'
import {
  agentsSchema,
  CONVERSATION_KEYS,
  type ConversationConfiguration,
  readConversationConfiguration,
} from './agent-configuration.ts'
import { describeMistakes } from './configuration-mistakes.ts'
import {
  accountServices,
  type ConfiguredPerson,
  NAME,
  peopleSchema,
  readPeople,
} from './people-configuration.ts'
import { type PlacedDocument, parsePlaced, withPlace } from './placed-document.ts'
import { POLICY_KEYS, readPolicySource } from './policy-source.ts'
import { type ProxyConfiguration, proxySchema, readProxyConfiguration } from './proxy-configuration.ts'
import { secretaryKeys, secretarySchema } from './secretary-configuration.ts'
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
  /** The modes that ask less than `default` and may be set. */
  modes: readonly LaxMode[]
  expiresInMs: number | undefined
  claimWithinMs: number | undefined
  runWithinMs: number | undefined
  /** How much one agent may have people asked. */
  limits: AskLimits
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

const host = z
  .string()
  .regex(
    /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::[1-9]\d{0,4})?$/i,
    'must be a host as browsers name it, with its port where that is not the usual one, as in approvals.example.org or approvals.example.org:8443',
  )
  .transform((name) => name.toLowerCase())

const count = z.int('must be a whole number').min(1).max(1_000_000)

const limitsSchema = z
  .strictObject({ pending: count.default(1000), perMinute: count.default(600) })
  .default({ pending: 1000, perMinute: 600 })

const rootsSchema = z.array(z.string().min(1, 'must be the path of a folder')).optional()

const modesSchema = z.array(z.enum(LAX_MODES)).default([...DEFAULT_LAX_MODES])

/** In the order in which an error lists the keys. */
function configurationSchema(channels: readonly ChannelRegistration[]) {
  const ofChannels = channels.flatMap(({ key, schema }) =>
    schema === undefined ? [] : [[key, schema.optional()]],
  )
  return z.strictObject({
    owner: NAME.optional(),
    people: peopleSchema(accountServices(channels)),
    tools: z.unknown().optional(),
    roots: rootsSchema,
    ...POLICY,
    modes: modesSchema,
    retention: duration.optional(),
    expiresIn: duration.optional(),
    claimWithin: duration
      .refine((ms) => ms <= MAX_CLAIM_WITHIN_MS, 'must be at most 7d: an older approval is not one for now')
      .optional(),
    runWithin: duration
      .refine((ms) => ms >= 60_000 && ms <= MAX_RUN_WITHIN_MS, 'must be at least 1m and at most 7d')
      .optional(),
    limits: limitsSchema,
    journal: z.strictObject({ checkpoints: z.string().min(1).optional() }).optional(),
    agent: agentSchema.optional(),
    agents: agentsSchema.optional(),
    hooks: z.unknown().optional(),
    secretary: secretarySchema.optional(),
    ...(Object.fromEntries(ofChannels) as Record<never, never>),
    store: z.string().min(1, 'must name a store, as in sqlite:banksman.db').optional(),
    postgres: postgresSchema.optional(),
    redis: redisSchema.optional(),
    names: z.array(host).default([]),
    proxy: proxySchema.optional(),
  })
}

/** What is in them is read with the policy. */
const POLICY = Object.fromEntries(POLICY_KEYS.map((key) => [key, z.unknown().optional()]))

const RETENTION_MS = parseDuration('30d')
/** Whoever has not reported by then won't. */
const MAX_RUN_WITHIN_MS = parseDuration('7d')

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
  const document = parsePlaced(text, name)
  const { value, locate } = document
  const services = accountServices(channels)
  try {
    const [, data, policy] = checkTogether(
      () => document.checkKeys(),
      () => checkShape(document, channels),
      () => readPolicy(document, name),
    )
    const [people, talk, configuredChannels, store, proxy] = checkTogether(
      () => readPeople(data.people, services),
      () => readConversationConfiguration(data, name),
      () => readChannels(data, name, channels),
      () => readStoreConfiguration(data),
      () => readProxyConfiguration(data.proxy),
    )
    return {
      owner: data.owner ?? defaultOwner,
      people,
      ...policy,
      hasPolicy: POLICY_KEYS.some((key) => (value as Record<string, unknown>)[key] !== undefined),
      modes: data.modes,
      retentionMs: data.retention ?? RETENTION_MS,
      expiresInMs: data.expiresIn,
      claimWithinMs: data.claimWithin,
      runWithinMs: data.runWithin,
      limits: data.limits,
      checkpointFile: data.journal?.checkpoints,
      talk,
      channels: configuredChannels,
      store,
      names: data.names,
      proxy,
      text,
      digest: digestOf(text),
    }
  } catch (error) {
    throw withPlace(error, locate)
  }
}

/** The members of the file, each of the kind that it must be. */
function checkShape(
  { value, mistakeAt }: PlacedDocument,
  channels: readonly ChannelRegistration[],
): z.output<ReturnType<typeof configurationSchema>> {
  const result = configurationSchema(channels).safeParse(value)
  if (result.success) return result.data
  const mistakes = result.error.issues.flatMap((issue) =>
    describeMistakes(issue, (at) => knownKeys(at, channels)),
  )
  checkEach(
    mistakes.map(({ path, reason }) => () => {
      throw mistakeAt(path, reason)
    }),
  )
  throw result.error
}

/** Reads and compiles the policy, also of a file in which other things are wrong. */
function readPolicy(
  { value, locate: locateInFile }: PlacedDocument,
  file: string,
): Pick<Configuration, 'policyBlock' | 'tools' | 'roots' | 'policyNotes' | 'locate'> {
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const source = readPolicySource(members)
  const locate = (pointer: string) =>
    locateInFile(/^\/(?:tools|proxy|people)(?:\/|$)/.test(pointer) ? pointer : source.sourcePointer(pointer))
  const { tools } = members
  const roots = rootsOf(rootsSchema.safeParse(members.roots).data, file)
  const policy = { policyBlock: source.policyBlock, tools, roots, policyNotes: source.warnings, locate }
  try {
    compileConfigured(policy, {})
  } catch (error) {
    throw withPlace(error, locate)
  }
  return policy
}

/** The file's own folder unless it names others. */
function rootsOf(written: readonly string[] | undefined, file: string): string[] {
  const folder = dirname(resolve(file))
  return (written ?? ['.']).map((root) => {
    const isBelowHome = root === '~' || root.startsWith('~/')
    return realPath(resolve(folder, isBelowHome ? `${homedir()}${root.slice(1)}` : root))
  })
}

export function compileConfigured(
  configuration: Pick<Configuration, 'policyBlock' | 'tools' | 'roots' | 'locate'>,
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

/** The keys that may stand below a path of the file. */
function knownKeys(
  path: readonly PropertyKey[],
  channels: readonly ChannelRegistration[],
): readonly string[] {
  const [first] = path.map(String)
  if (first === undefined) return Object.keys(configurationSchema(channels).shape)
  if (path[2] === 'quietHours') return ['from', 'to', 'zone']
  if (first === 'people')
    return ['groups', 'quietHours', ...accountServices(channels).map(({ name }) => name)]
  if (first === 'secretary') return secretaryKeys(path)
  if (first === 'proxy') return Object.keys(proxySchema.shape)
  const schema = channels.find(({ key }) => key === first)?.schema
  if (schema !== undefined) return Object.keys(schema.shape)
  if (first === 'limits') return ['pending', 'perMinute']
  return CONVERSATION_KEYS[first] ?? STORE_KEYS[first] ?? ['checkpoints']
}

/**
 * Reads a text as the file would be read, of which it need not be the text. What is wrong is told with the line and the
 * column in the text, and without the name of the file.
 */
export function readCandidate(text: string, file: string, defaultOwner: string): Configuration {
  try {
    return readConfiguration(text, file, defaultOwner)
  } catch (error) {
    if (!isBanksmanError(error))
      throw reasonedError('invalid_configuration', reasonOf('file.not-yaml'), {}, { cause: error })
    const inText = ({ line, column }: Mistake, why: Reason) =>
      line === undefined
        ? why
        : reasonOf('mistake.in-text', { line: Number(line), column: Number(column), why })
    throw isMistake(error) ? mistakesError(error.code, mistakesOf(error), inText) : error
  }
}
