/**
 * The adapter for the Claude Agent SDK with the real SDK and the program that it brings, which talk to a model server that follows a
 * script. The program has a home, settings and an environment of its own, and reaches this machine only.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Options, query, type SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { type Actor, type Asked, type Gateway, type Guard, type JsonObject, openGateway } from 'banksman'
import { banksman, type ClaudeOptions } from 'banksman/claude-agent-sdk'
import { type ModelServer, startModelServer } from 'banksman/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FOLDER } from './packed/packed-modules.ts'

const ana: Actor = { subject: 'ana', role: 'admin', via: 'test' }
const closing: (() => unknown)[] = []
let folder: string
let gateway: Gateway
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-claude-'))
  mkdirSync(join(folder, 'work'))
  gateway = await openGateway({
    store: `sqlite:${join(folder, 'banksman.db')}`,
    policy: { allow: ['Read', 'Bash(echo *)'], deny: ['Bash(rm *)'] },
    owner: 'ana',
  })
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await gateway.close()
  rmSync(folder, { recursive: true, force: true })
})

type Call = { tool: string; arguments: JsonObject }
const touch = (name: string): Call => ({
  tool: 'Bash',
  arguments: { command: `touch ${name}`, description: `make ${name}` },
})
const exists = (name: string) => existsSync(join(folder, 'work', name))

interface Run {
  messages: SDKMessage[]
  error: unknown
  model: ModelServer
  /** What the model was told of its calls. */
  told: string
}

/** Each list is one answer of the model; after them it says that it is done. */
async function run(
  steps: Call[][],
  { claude = {}, gate = {}, guard = gateway as Guard, subAgent = [] }: RunParts = {},
): Promise<Run> {
  const model = await startScript(steps, subAgent)
  const messages: SDKMessage[] = []
  let error: unknown
  const options: Options = {
    ...claudeOptions(model),
    ...banksman(guard, { session: 'chat-7', ...gate }),
    ...claude,
  }
  try {
    for await (const message of query({ prompt: PROMPT, options })) messages.push(message)
  } catch (thrown) {
    error = thrown
  }
  return { messages, error, model, told: JSON.stringify(model.requests.at(-1)?.body ?? {}) }
}

const PROMPT = 'begin the work'
/** What a sub-agent is told, which begins the scene of its own. */
const SUB_AGENT = 'look around'
/** The model's server never gives an id twice, whoever asks. */
const withIds = (calls: Call[]) => calls.map((call) => ({ ...call, id: `toolu_${randomUUID()}` }))
const scene = (steps: Call[][]) => [
  ...steps.map((calls) => ({ say: 'So.', calls: withIds(calls) })),
  { say: 'Done.' },
]

interface RunParts {
  /** The answers of the model to a sub-agent. */
  subAgent?: Call[][]
  claude?: Options
  gate?: ClaudeOptions
  guard?: Guard
}

async function startScript(steps: Call[][], subAgent: Call[][] = []): Promise<ModelServer> {
  const model = await startModelServer([
    { when: SUB_AGENT, steps: scene(subAgent) },
    { when: PROMPT, steps: scene(steps) },
    { steps: [{ say: 'Done.' }], repeat: true },
  ])
  closing.push(() => model.close())
  return model
}

function claudeOptions(model: ModelServer): Options {
  const env = environment(model)
  return { cwd: join(folder, 'work'), env, permissionMode: 'default', settingSources: [], maxTurns: 10 }
}

/** All that the program gets: no key, no home and no address of this machine's. */
function environment(model: ModelServer): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'home', '.claude'),
    ANTHROPIC_BASE_URL: model.baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  }
}

/** A person who answers every request as it comes. */
function answering(answer: (id: string, digest: string) => Parameters<Gateway['decide']>[1]): ClaudeOptions {
  return {
    onAsked({ requestId, state }: Asked) {
      if (state !== 'pending') return
      void gateway
        .get(requestId, ana)
        .then(({ digest }) => gateway.decide(requestId, answer(requestId, digest), ana))
    },
  }
}
const approving = answering((_, digest) => ({ decision: 'approve', digest }))
const requests = async (state: 'done' | 'rejected' | 'pending' | 'terminated' | 'answered') =>
  (await gateway.list({ state }, ana)).items

describe('the Claude Agent SDK behind a guard', () => {
  it('P3: runs what was approved, and reports that it ran', async () => {
    const { told } = await run([[touch('a')]], { gate: approving })
    expect(exists('a')).toBe(true)
    expect(told).toContain('tool_result')
    const [request] = await requests('done')
    expect(request).toMatchObject({ tool: 'Bash', session: 'chat-7', outcome: { kind: 'ok' } })
  })

  it('reports a command that failed as failed', async () => {
    await run([[{ tool: 'Bash', arguments: { command: 'touch a; exit 3' } }]], { gate: approving })
    const [request] = await requests('done')
    expect(request!.outcome).toMatchObject({ kind: 'error' })
  })

  it('P5: read-only tools, tools in allowedTools and allowed settings reach the policy', async () => {
    const settings = join(folder, 'home', '.claude')
    mkdirSync(settings, { recursive: true })
    writeFileSync(
      join(settings, 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash', 'Write'] }, disableAllHooks: true }),
    )
    const rejecting = answering((_, digest) => ({ decision: 'reject', digest, reason: 'not today' }))
    const { told } = await run(
      [
        [touch('a')],
        [{ tool: 'Write', arguments: { file_path: join(folder, 'work', 'b'), content: 'x' } }],
        [{ tool: 'Bash', arguments: { command: 'ls' } }],
      ],
      {
        gate: rejecting,
        claude: { allowedTools: ['Bash', 'Write'], settingSources: ['user', 'project', 'local'] },
      },
    )
    expect([exists('a'), exists('b')]).toEqual([false, false])
    expect((await requests('rejected')).map(({ tool }) => tool).sort()).toEqual(['Bash', 'Bash', 'Write'])
    expect(told).toContain('not today')
  })

  it('P5: a deny of the policy counts in bypassPermissions too', async () => {
    await run([[touch('a')], [{ tool: 'Bash', arguments: { command: 'rm a' } }]], {
      gate: approving,
      claude: { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true },
    })
    expect(exists('a')).toBe(true)
  })

  it('P3: a person’s edit is what runs, and the model is told so', async () => {
    const editing = answering((_, digest) => ({
      decision: 'edit',
      digest,
      arguments: { command: 'touch edited', description: 'make a' },
    }))
    const { told } = await run([[touch('a')]], { gate: editing })
    expect([exists('a'), exists('edited')]).toEqual([false, true])
    expect(told).toContain('ana changed the arguments of this call before it ran')
  })

  it('P4: two calls at once each get their own answer', async () => {
    const crosswise = answering((id, digest) =>
      id === first ? { decision: 'approve', digest } : { decision: 'reject', digest, reason: 'only one' },
    )
    let first: string | undefined
    const { told } = await run([[touch('a'), touch('b')]], {
      gate: {
        onAsked(asked) {
          first ??= asked.requestId
          crosswise.onAsked!(asked)
        },
      },
    })
    expect([exists('a'), exists('b')].filter(Boolean)).toHaveLength(1)
    expect(told).toContain('only one')
  })

  it('a person’s words take the place of the result', async () => {
    const responding = answering((_, digest) => ({
      decision: 'respond',
      digest,
      text: 'It is there already.',
    }))
    const { told } = await run([[touch('a')]], { gate: responding })
    expect(exists('a')).toBe(false)
    expect(told).toContain('It is there already.')
  })

  it('P5: a person who ends the session ends the turn: the model is not called again', async () => {
    const ending = answering((_, digest) => ({ decision: 'terminate', digest, reason: 'enough' }))
    const { messages, model } = await run([[touch('a'), touch('b')], [touch('c')]], { gate: ending })
    expect([exists('a'), exists('b'), exists('c')]).toEqual([false, false, false])
    expect(model.requests).toHaveLength(1)
    expect(messages.at(-1)).toMatchObject({ type: 'result' })
  })

  it('AskUserQuestion is a question to a person, and the model gets the answer', async () => {
    const options = [
      { label: 'Postgres', description: 'the large one' },
      { label: 'SQLite', description: 'the small one' },
    ]
    const question = { question: 'Which database?', header: 'Database', multiSelect: false, options }
    const choosing = answering((_, digest) => ({
      decision: 'answer',
      digest,
      answers: { q1: { choices: ['SQLite'] } },
    }))
    const { told } = await run([[{ tool: 'AskUserQuestion', arguments: { questions: [question] } }]], {
      gate: choosing,
    })
    expect(told).toContain('SQLite')
    const [request] = await requests('answered')
    expect(request!.questions).toMatchObject([{ question: 'Which database?', freeText: true }])
  })

  it('where the user’s settings ask, what was approved runs, and nothing else', async () => {
    const settings = join(folder, 'home', '.claude')
    mkdirSync(settings, { recursive: true })
    writeFileSync(join(settings, 'settings.json'), JSON.stringify({ permissions: { ask: ['Bash'] } }))
    const { canUseTool } = banksman(gateway, { session: 'other' })
    await run([[touch('a')]], { gate: approving, claude: { settingSources: ['user'] } })
    expect(exists('a')).toBe(true)
    await run([[touch('b')]], { gate: approving, claude: { settingSources: ['user'], canUseTool } })
    expect(exists('b')).toBe(false)
  })

  it('P5: what Claude Code refuses after we let it through is on the record as not run', async () => {
    await run([[touch('a')]], { gate: approving, claude: { permissionMode: 'plan' } })
    expect(exists('a')).toBe(false)
    const [request] = await requests('done')
    expect(request!.outcome).toMatchObject({ kind: 'error' })
  })

  it('P5: nothing runs where the guard fails, answers garbage or rejects', async () => {
    const broken = (hold: () => unknown) => ({ ...gateway, hold }) as unknown as Guard
    const guards = [
      broken(() => Promise.reject(new Error('the store is away'))),
      broken(() => Promise.resolve(undefined)),
      broken(() => Promise.resolve({ kind: 'held' })),
    ]
    for (const guard of guards) {
      const { messages } = await run([[touch('a')]], { guard, claude: { allowedTools: ['Bash'] } })
      expect(exists('a')).toBe(false)
      expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success' })
    }
  })

  it('when the query is aborted while a person is asked, nothing runs and the request goes on', async () => {
    const abortController = new AbortController()
    await run([[touch('a')]], {
      gate: { onAsked: () => abortController.abort(), signal: abortController.signal },
      claude: { abortController, allowedTools: ['Bash'] },
    })
    expect(exists('a')).toBe(false)
    expect(await requests('pending')).toHaveLength(1)
  })

  it('P5: after kill -9 while a person is asked, neither this call nor a later one runs', async () => {
    const model = await startScript([[touch('a')], [touch('b')]])
    const options = {
      store: `sqlite:${join(folder, 'host.db')}`,
      prompt: PROMPT,
      ...claudeOptions(model),
      allowedTools: ['Bash'],
    }
    const host = spawn(process.execPath, [join(FOLDER, 'claude-host.ts'), JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(host.stdout, 'data')
    host.kill('SIGKILL')
    // Claude Code lives on, and asks its model what to do about two calls that were refused.
    await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(3)
    expect([exists('a'), exists('b')]).toEqual([false, false])
  })

  it('calls of a sub-agent carry its name, below the agent that started it', async () => {
    const asked: string[] = []
    const start = { description: 'd', prompt: SUB_AGENT, subagent_type: 'general-purpose' }
    await run([[{ tool: 'Agent', arguments: start }], [touch('b')]], {
      subAgent: [[touch('a')]],
      gate: {
        agent: { name: 'fixer' },
        onAsked(one) {
          asked.push(one.requestId)
          approving.onAsked!(one)
        },
      },
    })
    const agents = await Promise.all(asked.map(async (id) => (await gateway.get(id, ana)).agent))
    expect(agents).toContainEqual({ name: 'general-purpose', parents: ['fixer'] })
    expect(agents).toContainEqual({ name: 'fixer', parents: [] })
    expect([exists('a'), exists('b')]).toEqual([true, true])
  })
})
