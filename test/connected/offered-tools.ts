/**
 * The tools that a coding agent offers to its model: started once with a model that only says hello, in a home of its own. Tools that
 * are named and given later count too.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toCatalogue } from '../../src/coding-agents/opencode/tool-names.ts'
import { compileCatalogue } from '../../src/policy/tools/catalogue.ts'
import { KNOWN_TOOLS } from '../../src/policy/tools/known-arguments.ts'
import { startModelServer } from '../../src/testing/model-server/model-server.ts'

export type OfferingAgent = 'claude-code' | 'codex' | 'opencode'

/** Nothing leaves the machine. */
const QUIET = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

/** Which tools Codex and opencode offer depends on the model's name. */
const MODELS: Readonly<Record<OfferingAgent, readonly string[]>> = {
  'claude-code': ['claude-opus-4-6'],
  codex: ['scripted', 'gpt-5.5', 'gpt-5.1-codex'],
  opencode: ['scripted', 'gpt-5.5'],
}

/** Longer than any takes. */
const GIVE_UP_MS = 120_000

export async function offeredTools(agent: OfferingAgent, program: string): Promise<string[]> {
  const names = new Set<string>()
  for (const model of MODELS[agent])
    for (const name of await offeredTo(agent, program, model)) names.add(name)
  return [...names].sort()
}

async function offeredTo(agent: OfferingAgent, program: string, name: string): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'banksman-offered-'))
  const project = join(home, 'shop')
  mkdirSync(project)
  const model = await startModelServer([{ steps: [{ say: 'Hello.' }], repeat: true }])
  try {
    const { args, env } = STARTS[agent](home, model.baseUrl, name)
    await new Promise<void>((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: home, ...QUIET, ...env },
        timeout: GIVE_UP_MS,
        stdio: 'ignore',
      })
      child.once('error', reject)
      child.once('close', () => resolve())
    })
    return model.requests.flatMap(({ body }) => namesIn(body))
  } finally {
    await model.close()
    rmSync(home, { recursive: true, force: true })
  }
}

type Start = (home: string, baseUrl: string, model: string) => { args: string[]; env: Record<string, string> }

const STARTS: Readonly<Record<OfferingAgent, Start>> = {
  'claude-code': (_, baseUrl, model) => ({
    args: ['-p', 'hello', '--model', model],
    env: { ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ''), ANTHROPIC_API_KEY: 'none' },
  }),
  codex(home, baseUrl, model) {
    mkdirSync(join(home, '.codex'))
    const settings = [
      'model_provider = "here"',
      'check_for_update_on_startup = false',
      `[model_providers.here]\nname = "here"\nbase_url = "${baseUrl}"\nwire_api = "responses"\nenv_key = "KEY"`,
      'request_max_retries = 0\nstream_max_retries = 0\nsupports_websockets = false',
      '[analytics]\nenabled = false',
    ]
    writeFileSync(join(home, '.codex', 'config.toml'), settings.join('\n'))
    return {
      args: ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', '-m', model, 'hello'],
      env: { KEY: 'none' },
    }
  },
  opencode(home, baseUrl, model) {
    const folder = join(home, '.config', 'opencode')
    const library = join(folder, 'node_modules/@opencode-ai/plugin')
    mkdirSync(library, { recursive: true })
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'here',
      options: { baseURL: baseUrl, apiKey: 'none' },
      models: { [model]: { name: model } },
    }
    const used = `here/${model}`
    const dependencies = { '@opencode-ai/plugin': '1.18.33' }
    const files = {
      'opencode.json': {
        ...{ autoupdate: false, share: 'disabled', model: used, small_model: used },
        provider: { here: provider },
      },
      'package.json': { dependencies },
      'package-lock.json': { name: 'opencode', lockfileVersion: 3, packages: { '': { dependencies } } },
      'node_modules/@opencode-ai/plugin/package.json': { name: '@opencode-ai/plugin', version: '1.18.33' },
    }
    for (const [file, value] of Object.entries(files))
      writeFileSync(join(folder, file), JSON.stringify(value))
    return { args: ['run', 'hello'], env: {} }
  },
}

interface OfferedTool {
  name?: string
  type?: string
  function?: { name?: string }
  /** Those of a namespace. */
  tools?: OfferedTool[]
}

/** Of the tools that a question to the model offers, and of those that its texts name as given later. */
function namesIn(body: unknown): string[] {
  const nameOf = (tool: OfferedTool): string[] =>
    tool.tools?.flatMap(nameOf) ?? [tool.name ?? tool.function?.name ?? tool.type ?? 'nameless']
  const text = JSON.stringify(body)
  const reminders = text.match(/<(system-reminder|available-deferred-tools)>.*?<\/\1>/gs) ?? []
  const later = reminders
    .filter((one) => /deferred.tools/.test(one))
    .flatMap((one) => one.split('\\n').filter((line) => /^[A-Za-z]\w*$/.test(line)))
  const inner = [...text.matchAll(/\btools\.(\w+)\(/g)].map(([, name = '']) => name)
  return [...((body as { tools?: OfferedTool[] }).tools ?? []).flatMap(nameOf), ...later, ...inner]
}

/** The name by which the policy sees a tool of the agent's own. */
function policyName(agent: OfferingAgent, name: string): string {
  if (agent === 'opencode') return toCatalogue(name, {})?.tool ?? name
  if (agent === 'claude-code') return name
  if (/^(?:exec_command|shell|shell_command|local_shell)$/.test(name)) return 'Bash'
  return name === 'apply_patch' ? name : `codex__${name}`
}

const catalogue = compileCatalogue({})

/** Those that neither the catalogue nor the lists of arguments know. */
export function unknownTools(agent: OfferingAgent, offered: readonly string[]): string[] {
  return offered.filter((name) => {
    const seen = policyName(agent, name)
    return !catalogue.has(seen) && !KNOWN_TOOLS.has(seen)
  })
}
