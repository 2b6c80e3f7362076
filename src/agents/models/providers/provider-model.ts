/**
 * Models behind somebody's server: Anthropic's own, and all that speak the wire of OpenAI (vLLM, Ollama and most others).
 *
 * The libraries' `doStream` is used and nothing above it: it hands on the raw text of a call's arguments, where the layers
 * above repair it. Nothing is read from the environment, although the libraries would: whoever sets a model up says which
 * key goes to which address.
 */

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { defined } from '../../../core/defined.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { Model, ModelRequest } from '../model.ts'
import { thisMachine } from '../wait-for.ts'
import { loadLibrary } from './load-library.ts'
import { type FaultContext, providerFault } from './provider-fault.ts'
import { readStream } from './read-stream.ts'
import { toPrompt } from './to-prompt.ts'
import { createWatchedFetch } from './watched-fetch.ts'

export type ProviderName = 'anthropic' | 'openai-compatible'

export interface ProviderModelOptions {
  provider: ProviderName
  model: string
  /** Where it is, with the version: `http://127.0.0.1:11434/v1`. Only Anthropic has one of its own. */
  baseUrl?: string
  apiKey?: string
  /** Where the key came from, for the message when it is not accepted. */
  apiKeyEnv?: string
  headers?: Record<string, string>
  maxTokens?: number
  temperature?: number
  /** How much it is to think before it answers. Absent: as the model does by itself. */
  reasoning?: 'none' | 'low' | 'medium' | 'high'
  /** How long there may be nothing to hear from the server. Absent: two minutes. */
  idleTimeoutMs?: number
  clock?: Clock
  fetch?: typeof globalThis.fetch
}

export function createProviderModel(options: ProviderModelOptions): Model {
  const { provider, clock = thisMachine } = options
  const name = `${provider}/${options.model}`
  const about: FaultContext = {
    name,
    provider,
    model: options.model,
    baseUrl: shownUrl(baseUrlOf(options)),
    apiKeyEnv: options.apiKeyEnv,
    secrets: [options.apiKey, ...Object.values(options.headers ?? {})].filter(
      (secret) => secret !== undefined,
    ),
    now: clock.now,
  }
  return {
    name,
    async prepare() {
      await LIBRARIES[provider]()
    },
    async *stream(request, signal) {
      signal.throwIfAborted()
      const watched = createWatchedFetch({
        signal,
        idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
        clock,
        fetch: options.fetch ?? globalThis.fetch,
        name,
      })
      try {
        const model = await openModel(options, modelId(request, options), watched.fetch)
        const { stream } = await model.doStream(callOptions(request, options, watched.signal))
        yield* readStream(stream, provider)
      } catch (error) {
        signal.throwIfAborted()
        throw watched.fault() ?? providerFault(error, about)
      } finally {
        // Whoever stops listening does not want the rest either.
        watched.stop()
      }
    },
  }
}

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'
const IDLE_TIMEOUT_MS = 120_000

function baseUrlOf({ provider, baseUrl }: ProviderModelOptions): string {
  return baseUrl ?? (provider === 'anthropic' ? ANTHROPIC_URL : '')
}

/** What stands before and behind the address may be secret. */
function shownUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { protocol, host, pathname } = new URL(baseUrl)
  return `${protocol}//${host}${pathname}`
}

/** A hook may have chosen another, by its whole name or by the provider's. */
function modelId({ model }: ModelRequest, options: ProviderModelOptions): string {
  if (model === undefined) return options.model
  const prefix = `${options.provider}/`
  return model.startsWith(prefix) ? model.slice(prefix.length) : model
}

/** Optional, and each the size of all of us: whoever wants a model installs its library. */
const LIBRARIES = {
  anthropic: () => loadLibrary('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic')),
  'openai-compatible': () =>
    loadLibrary('@ai-sdk/openai-compatible', () => import('@ai-sdk/openai-compatible')),
} as const satisfies Record<ProviderName, () => Promise<unknown>>

async function openModel(
  options: ProviderModelOptions,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const settings = {
    baseURL: baseUrlOf(options),
    // An empty one keeps the library from looking for another in the environment.
    apiKey: options.apiKey ?? '',
    fetch,
    ...defined({ headers: options.headers }),
  }
  if (options.provider === 'anthropic') {
    const { createAnthropic } = await LIBRARIES.anthropic()
    return createAnthropic(settings).languageModel(model)
  }
  const { createOpenAICompatible } = await LIBRARIES['openai-compatible']()
  return createOpenAICompatible({ name: 'openaiCompatible', includeUsage: true, ...settings }).languageModel(
    model,
  )
}

function callOptions(
  request: ModelRequest,
  options: ProviderModelOptions,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const maxOutputTokens = request.maxTokens ?? options.maxTokens
  const temperature = request.temperature ?? options.temperature
  return {
    prompt: toPrompt(request.messages, options.provider),
    abortSignal,
    // To be able to tell that no part of a call's arguments was left out.
    includeRawChunks: true,
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, schema }) => ({
            type: 'function',
            name,
            description,
            inputSchema: schema,
          })),
        }),
    ...defined({ maxOutputTokens, temperature, reasoning: options.reasoning }),
  }
}
