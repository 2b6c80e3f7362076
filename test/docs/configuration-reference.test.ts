/** The page on the configuration names every key that there is, and its examples are read as they are printed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { HOOKS_SCHEMA } from '../../src/agents/hooks/configuration/hook-configuration-schema.ts'
import { modelSchema } from '../../src/agents/models/configuration/model-configuration.ts'
import { engineAgentSchema } from '../../src/server/agent/engines.ts'
import { agentSchema } from '../../src/server/agent/loop-registration.ts'
import { CHANNELS } from '../../src/server/channels/registrations.ts'
import { readConfiguration } from '../../src/server/configuration/configuration.ts'
import { AT_NEXT_START } from '../../src/server/configuration/configuration-changes.ts'
import { proxySchema } from '../../src/server/configuration/proxy-configuration.ts'
import { secretarySchema } from '../../src/server/configuration/secretary-configuration.ts'
import { postgresSchema, redisSchema } from '../../src/server/configuration/store-configuration.ts'
import { ROOT } from '../architecture/source-files.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/reference/configuration.md')

/** All that stands in the tables as code, with the parts of dotted names. */
const named = new Set(
  [...page.matchAll(/^\|.*$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => [code, ...code.split('.')]),
  ),
)

describe('docs/reference/configuration.md', () => {
  it('names every key at the top of the file', () => {
    const keys = keysInRefusal(() => readConfiguration('nonsense: 1', '/x/banksman.yaml', 'ana'))
    expect(keys).toContain('policy')
    expect(missing(keys)).toEqual([])
  })

  it('names every key of a person and of the journal', () => {
    const people = keysInRefusal(() =>
      readConfiguration('people: { ana: { nonsense: 1 } }', '/x/banksman.yaml', 'ana'),
    )
    const journal = keysInRefusal(() =>
      readConfiguration('journal: { nonsense: 1 }', '/x/banksman.yaml', 'ana'),
    )
    expect([people, journal]).toEqual([['groups', 'quietHours', 'feishu', 'telegram'], ['checkpoints']])
    expect(missing([...people, ...journal])).toEqual([])
  })

  it.each<[string, z.ZodType]>([
    ['agent', agentSchema],
    ['agents', engineAgentSchema],
    ['agent.model', modelSchema],
    ['hooks', HOOKS_SCHEMA],
    ['secretary', secretarySchema],
    ...CHANNELS.flatMap(({ key, schema }) =>
      schema === undefined ? [] : [[key, schema] as [string, z.ZodType]],
    ),
    ['proxy', proxySchema],
    ['postgres', postgresSchema],
    ['redis', redisSchema],
  ])('names every key below %s', (_, schema) => {
    const keys = keysOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    expect(keys.length).toBeGreaterThan(1)
    expect(missing(keys)).toEqual([])
  })

  it.each(['docs/reference/configuration.md', 'docs/guide/hooks.md'])(
    'the examples in %s are read without error',
    (path) => {
      const examples = [...read(path).matchAll(/^```yaml(.*)\n([\s\S]*?)^```$/gm)].filter(
        ([, , text = '']) => !text.startsWith('# push.yaml'),
      )
      expect(examples.length).toBeGreaterThan(3)
      for (const [, , text = ''] of examples)
        expect(() => readConfiguration(text, '/x/banksman.yaml', 'ana'), text).not.toThrow()
    },
  )

  it('says what takes effect at the next start, as the program does', () => {
    const [, row = ''] = /^\| at once \| at the next start \|\n.*\n\|[^|]*\|(.*)\|$/m.exec(page) ?? []
    expect(row.replaceAll('`', '').trim()).toBe(AT_NEXT_START.join(', '))
  })

  it('names every variable that the help names', () => {
    const variables = [...read('src/cli/help.ts').matchAll(/\[\s*'([A-Z_]+)',/g)].map(([, name = '']) => name)
    expect(variables).toEqual(expect.arrayContaining(['BANKSMAN_HOME', 'ANTHROPIC_API_KEY']))
    expect(missing(variables)).toEqual([])
  })
})

function missing(keys: readonly string[]): string[] {
  return keys.filter((key) => !named.has(key))
}

/** The message for an unknown key lists those that there are. */
function keysInRefusal(doing: () => unknown): string[] {
  try {
    doing()
  } catch (error) {
    const [, list = ''] = /The keys here are (.+)$/.exec((error as Error).message) ?? []
    return list.split(', ')
  }
  return []
}

/** Of all objects in it, however deep; not of what people name themselves. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as object).flatMap(([name, inner]) => [name, ...keysOf(inner)])
      : keysOf(value),
  )
}
