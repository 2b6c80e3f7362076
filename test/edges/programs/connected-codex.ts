/** The Codex from npm. It may do everything without asking, so whatever isn't stopped by the hook runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectedAgent, MCP_SERVER, openAgent, type Scenes } from '../../connected/connected-agent.ts'
import { FOLDER } from '../packed/packed-modules.ts'
import { type CodexAppServer, openCodexAppServer } from './codex-app-server.ts'

const PROGRAM = join(FOLDER, 'node_modules/.bin/codex')

export interface CodexHook {
  key: string
  eventName: string
  command: string
  currentHash: string
  trustStatus: string
}

export interface ConnectedCodex extends ConnectedAgent {
  /** Of its own folder. Undefined: there is no such file. */
  file(name: string): string | undefined
  write(name: string, text: string): void
  change(name: string, change: (text: string) => string): void
  /** The script that its hook runs. It is no part of what Codex trusts. */
  readonly script: string
  openAppServer(): Promise<CodexAppServer>
  /** All hooks, as Codex lists them. */
  hooks(): Promise<CodexHook[]>
  /** As its user does it: every hook that is listed is trusted. */
  trustAll(): Promise<void>
}

/** As people write it by hand. Nothing of it leaves the machine. */
export const usersConfiguration = (baseUrl: string) => `# mine
model = "scripted" # not the real one
model_provider = "here"
check_for_update_on_startup = false

[model_providers.here]
name = "here"
base_url = "${baseUrl}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[mcp_servers.shop]
command = ${JSON.stringify(MCP_SERVER.command)}
args = ${JSON.stringify(MCP_SERVER.args)}

[analytics]
enabled = false

[features] # hooks are on unless they are switched off
apps = false
plugins = false
# the end`

export async function openCodex(
  scenes: Scenes,
  policy: object,
  options: readonly string[] = [],
): Promise<ConnectedCodex> {
  const environment = {
    SCRIPTED_KEY: 'none',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
  }
  const agent = await openAgent(
    {
      name: 'codex',
      program: PROGRAM,
      banksman: join(FOLDER, 'node_modules/banksman/bin/banksman.js'),
      options,
      prepare(home, model) {
        mkdirSync(join(home, '.codex'))
        writeFileSync(join(home, '.codex', 'config.toml'), usersConfiguration(model.baseUrl))
      },
      environment: () => environment,
      // Which tools Codex offers depends on the model's name: `words` may begin with one.
      parameters(words) {
        const model = /^(gpt-\S+): /.exec(words)?.[1]
        const named = model === undefined ? [] : ['-m', model]
        return ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', ...named, words]
      },
    },
    scenes,
    policy,
  )
  const pathOf = (name: string) => join(agent.home, '.codex', name)
  const file = (name: string) => (existsSync(pathOf(name)) ? readFileSync(pathOf(name), 'utf8') : undefined)
  const openAppServer = () =>
    openCodexAppServer({
      program: PROGRAM,
      cwd: agent.project,
      env: { ...agent.place.environment, ...environment },
    })
  async function hooks(): Promise<CodexHook[]> {
    const server = await openAppServer()
    const { data } = await server.call('hooks/list', { cwds: [agent.project] })
    await server.close()
    return (data as unknown as [{ hooks: CodexHook[] }])[0].hooks
  }
  return {
    ...agent,
    file,
    write: (name, text) => writeFileSync(pathOf(name), text),
    change: (name, change) => writeFileSync(pathOf(name), change(file(name) ?? '')),
    script: join(agent.home, 'hooks', 'codex'),
    hooks,
    openAppServer,
    async trustAll() {
      const untrusted = (await hooks()).filter(({ trustStatus }) => trustStatus !== 'trusted')
      const state = untrusted.map(
        ({ key, currentHash }) => `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`,
      )
      writeFileSync(pathOf('config.toml'), `${file('config.toml')}\n${state.join('')}`)
    },
  }
}
