import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../../core/errors.ts'
import { all, ask, join, KEY, live, serve } from '../providers/fixtures/served-model.ts'
import { modelFromConfiguration, modelFromEnvironment } from './choose-model.ts'
import { readModelConfiguration } from './model-configuration.ts'

describe('the model of the configuration', () => {
  it('is the one that stands there, with the key from the environment', async () => {
    const server = await serve([{ steps: [{ say: 'Hello.' }] }], { apiKey: KEY })
    for (const provider of ['anthropic', 'openai-compatible']) {
      const { model, because } = modelFromConfiguration(
        {
          provider,
          model: 'm/1',
          baseUrl: server.baseUrl,
          apiKeyEnv: 'MY_KEY',
          headers: { 'x-team': 'blue' },
          maxTokens: 99,
          temperature: 0.5,
        },
        { MY_KEY: KEY },
      )
      expect(model.name).toBe(`${provider}/m/1`)
      expect(because).toBe(`${provider}/m/1 at ${new URL(server.baseUrl).host}, as configured`)
      expect(join(await all(model.stream(ask('go'), live())), 'text')).toBe('Hello.')
      const request = server.requests.at(-1)
      expect(request?.headers['x-team']).toBe('blue')
      expect(request?.question).toMatchObject({ model: 'm/1', maxTokens: 99, temperature: 0.5 })
    }
  })

  it('may do without a key where the server needs none', async () => {
    const server = await serve([{ steps: [{ say: 'Hello.' }] }])
    const { model } = modelFromConfiguration(
      { provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl },
      { OPENAI_API_KEY: 'sk-not-for-this-server' },
    )
    await all(model.stream(ask('go'), live()))
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('is a script that the caller has read', async () => {
    const { model, because } = modelFromConfiguration(
      { provider: 'scripted', script: 'weather.yaml' },
      {},
      { readScript: (path) => ({ name: 'weather', scenes: [{ steps: [{ say: `from ${path}` }] }] }) },
    )
    expect(because).toBe('scripted/weather, from weather.yaml')
    expect(join(await all(model.stream(ask('go'), live())), 'text')).toBe('from weather.yaml')
  })

  it('P5: is refused where something is wrong, with the place and what would be right', () => {
    const served = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' }
    const wrong: [value: unknown, says: RegExp][] = [
      [undefined, /^agent\.model: must have a provider: anthropic, openai-compatible or scripted/],
      [{ provider: 'openai', model: 'm' }, /^agent\.model.*: must have a provider/],
      [{ provider: 'anthropic' }, /^agent\.model\.model: must be the name of a model/],
      [{ provider: 'openai-compatible', model: 'm' }, /^agent\.model\.baseUrl: /],
      [{ ...served, baseUrl: 'localhost:11434' }, /^agent\.model\.baseUrl: must be an address with http/],
      [{ ...served, baseUrl: 'http://a:b@localhost/v1' }, /baseUrl: must not have a name or password/],
      [{ ...served, baseUrl: 'http://localhost/v1?key=x' }, /baseUrl: must end with the path/],
      [{ ...served, apiKey: KEY }, /^agent\.model: "apiKey" is not known here/],
      [
        { ...served, apiKeyEnv: KEY },
        /apiKeyEnv: must be the name of an environment variable, never the key/,
      ],
      [{ ...served, apiKeyEnv: 'NOT_SET' }, /environment variable NOT_SET, which is not set/],
      [{ provider: 'anthropic', model: 'm' }, /environment variable ANTHROPIC_API_KEY, which is not set/],
      [{ ...served, headers: { 'a b': 'c' } }, /agent\.model\.headers/],
      [{ ...served, headers: { a: 'b\r\nc: d' } }, /headers\.a: must be a value that fits/],
      [{ ...served, temperature: 3 }, /temperature: must be between 0 and 2/],
      [{ ...served, maxTokens: 0 }, /maxTokens: must be at least 1/],
      [{ provider: 'scripted' }, /agent\.model\.script: must be the path of a script/],
    ]
    for (const [value, says] of wrong) {
      const error = caught(() => modelFromConfiguration(value, {}))
      expect(error, JSON.stringify(value)).toBeInstanceOf(BanksmanError)
      expect((error as BanksmanError).message).toMatch(says)
      expect((error as BanksmanError).message).not.toContain(KEY)
    }
  })

  it('can be checked without a key being there', () => {
    expect(readModelConfiguration({ provider: 'anthropic', model: 'm' })).toEqual({
      provider: 'anthropic',
      model: 'm',
    })
  })
})

describe('the model of the environment', () => {
  it('is none where nothing names one', () => {
    expect(modelFromEnvironment({})).toBeUndefined()
    expect(
      modelFromEnvironment({ ANTHROPIC_API_KEY: ' ', BANKSMAN_MODEL: 'm', OPENAI_API_KEY: 'k' }),
    ).toBeUndefined()
  })

  it.each([
    [{ ANTHROPIC_API_KEY: KEY }, 'anthropic/claude-sonnet-5-5, ANTHROPIC_API_KEY is set'],
    [
      { ANTHROPIC_API_KEY: KEY, BANKSMAN_MODEL: 'm', OLLAMA_HOST: 'x' },
      'anthropic/m, ANTHROPIC_API_KEY is set',
    ],
    [
      { OPENAI_BASE_URL: 'https://models.example/v1', BANKSMAN_MODEL: 'm' },
      'openai-compatible/m at models.example, OPENAI_BASE_URL is set',
    ],
    [{ OLLAMA_HOST: '0.0.0.0' }, 'openai-compatible/qwen3 at 127.0.0.1:11434, OLLAMA_HOST is set'],
    [{ OLLAMA_HOST: ':9999' }, 'openai-compatible/qwen3 at 127.0.0.1:9999, OLLAMA_HOST is set'],
    [{ OLLAMA_HOST: 'http://gpu.example:80' }, 'openai-compatible/qwen3 at gpu.example, OLLAMA_HOST is set'],
  ])('is named by %j', (env, because) => {
    expect(modelFromEnvironment(env)?.because).toBe(because)
  })

  it('talks to the server that is named, with the key that is meant for it', async () => {
    const server = await serve([{ steps: [{ say: 'Hello.' }] }], { apiKey: KEY })
    const { origin } = new URL(server.baseUrl)
    for (const env of [
      { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: origin },
      { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `${origin}/v1/` },
      { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: KEY },
    ])
      expect(join(await all(modelFromEnvironment(env)!.model.stream(ask('go'), live())), 'text')).toBe(
        'Hello.',
      )
    const open = await serve([{ steps: [{ say: 'Hello.' }] }])
    const ollama = modelFromEnvironment({ OLLAMA_HOST: new URL(open.baseUrl).host, OPENAI_API_KEY: KEY })!
    await all(ollama.model.stream(ask('go'), live()))
    expect(open.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('P5: is refused where the address is none', () => {
    expect(() => modelFromEnvironment({ OPENAI_BASE_URL: 'models' })).toThrow(
      /^OPENAI_BASE_URL: must be an address/,
    )
  })
})

function caught(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
