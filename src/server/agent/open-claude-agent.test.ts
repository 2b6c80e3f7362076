/** Claude Code under `agents:`. The SDK itself is in `test/edges`; here it isn't installed. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadClaudeSdk } from '../../agents/claude/claude-sdk.ts'
import { claudeRegistration } from './claude-registration.ts'
import type { ServerAgentParts } from './engine-registration.ts'

let top: string
let parts: ServerAgentParts
const said: string[] = []
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-claude-agent-')))
  for (const name of ['shop', 'shop/data', 'other']) mkdirSync(join(top, name))
  writeFileSync(join(top, 'file'), '')
  symlinkSync(join(top, 'shop'), join(top, 'link'))
  said.length = 0
  parts = {
    folder: join(top, 'shop', 'data'),
    configuration: { roots: [] },
    environment: {},
    say: (line: string) => void said.push(line),
  } as unknown as ServerAgentParts
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const open = (block: object) => {
  const source = { name: 'coder', folder: top, place: 'agents.coder' }
  const agent = claudeRegistration.read(
    claudeRegistration.schema.parse({ engine: 'claude', ...block }),
    source,
  )
  return claudeRegistration.open(agent, parts)
}

describe('an agent that is Claude Code', () => {
  it('works in the folder that is named, and says what to install where the SDK is missing', async () => {
    const { engine, workspace, close } = await open({ workspace: './other', idle: '5m' })
    expect(engine).toMatchObject({ kind: 'claude', lease: 'open', whenBusy: 'interrupt', idleMs: 300_000 })
    expect(workspace).toBe(join(top, 'other'))
    expect(said).toEqual([expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk')])
    await expect(loadClaudeSdk()).rejects.toMatchObject({ code: 'missing_dependency' })
    await close()
  })

  it.each(['./shop', './shop/data', './link', '/'])(
    'P11: is refused in %s, which has the data folder in it or is in it',
    async (workspace) => {
      await expect(open({ workspace })).rejects.toMatchObject({
        code: 'invalid_configuration',
        message: expect.stringContaining('agents.coder.workspace'),
      })
    },
  )

  it.each(['./nothing', './file'])('is refused in %s, which is no folder', async (workspace) => {
    await expect(open({ workspace })).rejects.toMatchObject({
      message: expect.stringContaining('not a folder'),
    })
  })

  it.each([
    { maxTurns: 0 },
    { settings: 'user' },
    { idle: 5 },
    { model: 7 },
    { allowedTools: ['Bash'] },
    { permissionMode: 'bypassPermissions' },
  ])('%j is refused', (block) => {
    expect(claudeRegistration.schema.safeParse({ engine: 'claude', ...block }).success).toBe(false)
  })
})
