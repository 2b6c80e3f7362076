/** opencode with a provider on loopback, in a home where nothing has to be fetched. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectedAgent, MCP_SERVER, openAgent, type Scenes } from '../connected/connected-agent.ts'

const FOLDER = import.meta.dirname
const PROGRAM = join(FOLDER, 'node_modules/opencode-linux-x64-baseline/bin/opencode')

/** Its package is for one kind of machine. */
export const hasOpencode = existsSync(PROGRAM)

export function openOpencode(scenes: Scenes, policy: object): Promise<ConnectedAgent> {
  return openAgent(
    {
      name: 'opencode',
      program: PROGRAM,
      banksman: join(FOLDER, 'node_modules/banksman/bin/banksman.js'),
      prepare(home, model) {
        const folder = join(home, '.config', 'opencode')
        const library = join(folder, 'node_modules/@opencode-ai/plugin')
        mkdirSync(library, { recursive: true })
        const provider = {
          npm: '@ai-sdk/openai-compatible',
          name: 'scripted',
          options: { baseURL: model.baseUrl, apiKey: 'none' },
          models: { scripted: { name: 'scripted' } },
        }
        const scripted = 'scripted/scripted'
        const settings = {
          autoupdate: false,
          share: 'disabled',
          model: scripted,
          small_model: scripted,
          provider: { scripted: provider },
          mcp: { shop: { type: 'local', command: [MCP_SERVER.command, ...MCP_SERVER.args] } },
        }
        const dependencies = { '@opencode-ai/plugin': '1.18.33' }
        // It installs this library into its folder at the first start, and waits for it, unless it finds it there.
        const files = {
          'opencode.json': settings,
          'package.json': { dependencies },
          'package-lock.json': { name: 'opencode', lockfileVersion: 3, packages: { '': { dependencies } } },
          'node_modules/@opencode-ai/plugin/package.json': {
            name: '@opencode-ai/plugin',
            version: '1.18.33',
          },
        }
        for (const [name, value] of Object.entries(files))
          writeFileSync(join(folder, name), JSON.stringify(value))
      },
      environment: () => ({
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        HTTP_PROXY: 'http://127.0.0.1:9',
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost',
      }),
      parameters: (words) => ['run', words],
    },
    scenes,
    policy,
  )
}
