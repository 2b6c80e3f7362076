/**
 * Which model an agent talks to: as the value under `agent.model` in the configuration says, or, where there is none, as the
 * environment has it. Both are given; a key is only ever named in the configuration, never written there.
 */

import { BanksmanError } from '../../../core/errors.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Model } from '../model.ts'
import { createProviderModel, type ProviderModelOptions } from '../providers/provider-model.ts'
import { createScriptedModel } from '../scripted/scripted-model.ts'
import { readModelAddress, readModelConfiguration } from './model-configuration.ts'

export type ModelEnvironment = Readonly<Record<string, string | undefined>>

export interface ChosenModel {
  model: Model
  /** For the ready line: which one and why, without any secret. */
  because: string
}

export interface ChooseOptions {
  /** Gives the parsed value of a script file. Paths and formats are the caller's. */
  readScript?: (path: string) => unknown
  clock?: Clock
}

export function modelFromConfiguration(
  value: unknown,
  env: ModelEnvironment,
  options: ChooseOptions = {},
): ChosenModel {
  const chosen = readModelConfiguration(value)
  if (chosen.provider === 'scripted') return scripted(chosen.script, options)
  const { apiKeyEnv = chosen.provider === 'anthropic' ? 'ANTHROPIC_API_KEY' : undefined, ...rest } = chosen
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]
  if (apiKeyEnv !== undefined && (apiKey === undefined || apiKey === ''))
    throw new BanksmanError(
      'invalid_configuration',
      `agent.model: the key for ${chosen.provider} is to be in the environment variable ${apiKeyEnv}, which is not set`,
      { place: 'agent.model.apiKeyEnv' },
    )
  return open({ ...withoutAbsent(rest), apiKey, apiKeyEnv }, options, 'as configured')
}

/** Undefined where the environment names no model. */
export function modelFromEnvironment(
  env: ModelEnvironment,
  options: ChooseOptions = {},
): ChosenModel | undefined {
  const named = given(env, 'BANKSMAN_MODEL')
  const anthropicKey = given(env, 'ANTHROPIC_API_KEY')
  if (anthropicKey !== undefined) {
    const baseUrl = given(env, 'ANTHROPIC_BASE_URL')
    return open(
      {
        provider: 'anthropic',
        model: named ?? DEFAULT_MODELS.anthropic,
        apiKey: anthropicKey,
        apiKeyEnv: 'ANTHROPIC_API_KEY',
        ...(baseUrl === undefined
          ? {}
          : { baseUrl: readModelAddress(withVersion(baseUrl), 'ANTHROPIC_BASE_URL') }),
      },
      options,
      'ANTHROPIC_API_KEY is set',
    )
  }
  const openaiUrl = given(env, 'OPENAI_BASE_URL')
  if (openaiUrl !== undefined) {
    const apiKey = given(env, 'OPENAI_API_KEY')
    return open(
      {
        provider: 'openai-compatible',
        model: named ?? DEFAULT_MODELS.openai,
        baseUrl: readModelAddress(openaiUrl, 'OPENAI_BASE_URL'),
        apiKey,
        apiKeyEnv: 'OPENAI_API_KEY',
      },
      options,
      'OPENAI_BASE_URL is set',
    )
  }
  const ollama = given(env, 'OLLAMA_HOST')
  if (ollama === undefined) return undefined
  return open(
    {
      provider: 'openai-compatible',
      model: named ?? DEFAULT_MODELS.ollama,
      baseUrl: readModelAddress(ollamaUrl(ollama), 'OLLAMA_HOST'),
    },
    options,
    'OLLAMA_HOST is set',
  )
}

/** Used where only a server is named; `BANKSMAN_MODEL` names another. */
const DEFAULT_MODELS = { anthropic: 'claude-sonnet-5-5', openai: 'gpt-4.1', ollama: 'qwen3' }

function scripted(path: string, { readScript, clock }: ChooseOptions): ChosenModel {
  if (readScript === undefined)
    throw new BanksmanError('invalid_configuration', 'agent.model.script: scripts can not be read here')
  const script = readScript(path) as Parameters<typeof createScriptedModel>[0]
  const model = createScriptedModel(script, clock === undefined ? {} : { after: clock.after })
  return { model, because: `${model.name}, from ${path}` }
}

type Settings = {
  [Key in keyof ProviderModelOptions]: ProviderModelOptions[Key] | undefined
} & Pick<ProviderModelOptions, 'provider' | 'model'>

function open(settings: Settings, { clock }: ChooseOptions, why: string): ChosenModel {
  const model = createProviderModel(withoutAbsent({ ...settings, clock }) as ProviderModelOptions)
  const where = settings.baseUrl === undefined ? '' : ` at ${new URL(settings.baseUrl).host}`
  return { model, because: `${model.name}${where}, ${why}` }
}

function withoutAbsent<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value
}

function given(env: ModelEnvironment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

/** The libraries of Anthropic itself take the address without the version. */
function withVersion(value: string): string {
  const bare = value.replace(/\/+$/, '')
  return /\/v\d+$/.test(bare) ? bare : `${bare}/v1`
}

/** `host`, `host:port`, `:port` and whole addresses are all in use; only the first means Ollama's own port. */
function ollamaUrl(value: string): string {
  const isWhole = value.includes('://')
  const whole = isWhole ? value : `http://${value.startsWith(':') ? `127.0.0.1${value}` : value}`
  if (!URL.canParse(whole)) return whole
  const address = new URL(whole)
  // It is also the address that the server listens on, which is no address to connect to.
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1'
  if (address.port === '' && !isWhole) address.port = '11434'
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}/v1`
}
