/**
 * Reads `banksman.yaml`. A file that is not understood in full is refused as a whole, with the line and column of
 * what was not understood: a misspelt `deny` that was skipped would allow.
 */

import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { parseDuration } from '../../core/time/duration.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
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
import { describeMistake } from './configuration-mistakes.ts'
import {
  accountServices,
  type ConfiguredPerson,
  NAME,
  peopleSchema,
  readPeople,
} from './people-configuration.ts'
import { parsePlaced, withPlace } from './placed-document.ts'
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
  const { value, locate, refuse } = parsePlaced(text, name)
  const result = configurationSchema(channels).safeParse(value)
  if (!result.success) {
    const { path, message } = describeMistake(result.error.issues[0]!, (at) => knownKeys(at, channels))
    return refuse(path, message)
  }
  const { owner, people, retention, expiresIn, claimWithin, journal, tools } = result.data
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
      throw withPlace(error, configuration.locate)
    }
    return configuration
  } catch (error) {
    throw withPlace(error, locate)
  }
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

/** The keys that may stand below a path of the file. */
function knownKeys(
  path: readonly PropertyKey[],
  channels: readonly ChannelRegistration[],
): readonly string[] {
  const [first] = path.map(String)
  if (first === undefined) return keysOf(channels)
  if (path[2] === 'quietHours') return ['from', 'to', 'zone']
  if (first === 'people')
    return ['groups', 'quietHours', ...accountServices(channels).map(({ name }) => name)]
  if (first === 'proxy') return Object.keys(proxySchema.shape)
  const schema = channels.find(({ key }) => key === first)?.schema
  if (schema !== undefined) return Object.keys(schema.shape)
  return CONVERSATION_KEYS[first] ?? STORE_KEYS[first] ?? ['checkpoints']
}
