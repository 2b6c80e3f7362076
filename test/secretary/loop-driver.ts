/** Our loop in the place of a coding agent, with tools that are called as Claude Code calls its own. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { createHookChain } from '../../src/agents/hooks/chain/create-hook-chain.ts'
import { createLoopEngine } from '../../src/agents/loop/create-loop-engine.ts'
import { createMemoryMediaStore } from '../../src/agents/media/memory-media-store.ts'
import { readScript } from '../../src/agents/models/scripted/script.ts'
import { createScriptedModel } from '../../src/agents/models/scripted/scripted-model.ts'
import { spawn as spawnTool } from '../../src/agents/tools/built-in/spawn.ts'
import { createToolRegistry } from '../../src/agents/tools/registry/tool-registry.ts'
import { defineTool } from '../../src/agents/tools/tool.ts'
import type { SecretaryDriver } from './secretary-driver.ts'

export const loopDriver: SecretaryDriver = {
  name: 'our loop',
  time: 'moved',
  task: (task) => ({ tool: 'spawn', arguments: { task } }),
  async open({ script, placeOf, gateway, clock, report }) {
    const media = createMemoryMediaStore()
    const hooks = createHookChain([], { clock, media, report: () => {} })
    const engine = createLoopEngine({
      gateway,
      model: createScriptedModel(readScript(script)),
      tools: createToolRegistry([bash, read, write, spawnTool]),
      hooks,
      media,
      workspace: '/',
      workspaceOf: async (session) => (await placeOf(session)).folder,
      clock,
      random: () => 0.5,
      report,
      settings: { instructions: '', maxSteps: 100, subAgents: {}, maxDepth: 3 },
    })
    return { engine, close: () => hooks.close() }
  },
}

const bash = defineTool({
  name: 'Bash',
  description: 'Runs a command.',
  schema: z.strictObject({ command: z.string() }),
  run: ({ command }, { workspace, signal }) =>
    new Promise((done, fail) => {
      const child = spawn('sh', ['-c', command], { cwd: workspace, detached: true, signal: undefined })
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      child.stderr.on('data', (chunk) => {
        text += chunk
      })
      signal.addEventListener('abort', () => {
        try {
          process.kill(-child.pid!, 'SIGKILL')
        } catch {}
      })
      child.on('error', fail)
      child.on('close', (code) => done({ text, ...(code === 0 ? {} : { isError: true }) }))
    }),
})

const read = defineTool({
  name: 'Read',
  description: 'Reads a file.',
  schema: z.strictObject({ file_path: z.string() }),
  run: async ({ file_path: path }, { workspace }) => ({
    text: await readFile(resolve(workspace, path), 'utf8'),
  }),
})

const write = defineTool({
  name: 'Write',
  description: 'Writes a file.',
  schema: z.strictObject({ file_path: z.string(), content: z.string() }),
  async run({ file_path: path, content }, { workspace }) {
    await writeFile(resolve(workspace, path), content)
    return { text: 'written' }
  },
})
