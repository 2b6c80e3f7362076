/**
 * `npm run agents:newest`: starts the newest Claude Code, Codex and opencode with a model on loopback that only says hello, and says which
 * tools they offer that the policy's catalogue doesn't know. Ends with 1 where there are some.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OfferingAgent, offeredTools, unknownTools } from '../test/connected/offered-tools.ts'

const AGENTS: readonly { agent: OfferingAgent; packages: readonly string[]; program: string }[] = [
  {
    agent: 'claude-code',
    packages: ['@anthropic-ai/claude-code'],
    program: '@anthropic-ai/claude-code-*/claude',
  },
  { agent: 'codex', packages: ['@openai/codex'], program: '.bin/codex' },
  {
    agent: 'opencode',
    packages: ['opencode-linux-x64-baseline'],
    program: 'opencode-linux-x64-baseline/bin/opencode',
  },
]

const folder = mkdtempSync(join(tmpdir(), 'banksman-newest-'))
let areNew = false
try {
  for (const { agent, packages, program } of AGENTS) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
    const installed = spawnSync('npm', ['install', ...quiet, ...packages.map((name) => `${name}@latest`)], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [found] = globSync(`node_modules/${program}`, { cwd: folder })
    if (installed.status !== 0 || found === undefined) {
      console.log(`${agent}: can't be installed on this machine`)
      areNew = true
      continue
    }
    const manifest = readFileSync(join(folder, 'node_modules', packages[0]!, 'package.json'), 'utf8')
    const offered = await offeredTools(agent, join(folder, found))
    const unknown = unknownTools(agent, offered)
    areNew ||= unknown.length > 0 || offered.length === 0
    const told = unknown.length === 0 ? 'all are known' : `not known: ${unknown.join(', ')}`
    console.log(`${agent} ${JSON.parse(manifest).version}: ${offered.length} tools, ${told}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = areNew ? 1 : 0
