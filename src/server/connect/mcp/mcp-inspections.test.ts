import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordWrappedMcp } from '../../../../test/fixtures/wrapped-mcp.ts'
import { createMcpInspections } from './mcp-inspections.ts'

let folder: string
let environment: { HOME: string; BANKSMAN_HOME: string }
let now: number
const inspections = () => createMcpInspections({ environment, project: folder }, () => now)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-mcp-'))
  environment = { HOME: join(folder, 'home'), BANKSMAN_HOME: join(folder, 'own') }
  now = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the look at the files of MCP clients, for the inbox', () => {
  it('finds what lost its wrapping, with the command that mends it', async () => {
    const wrapped = recordWrappedMcp(environment, ['files', "it's; rm -rf ~", '-x'])
    wrapped.lose(['files', "it's; rm -rf ~", '-x', 'new'])
    expect(await inspections()()).toMatchObject([
      { title: 'Cursor', key: 'files', state: 'lost', command: 'banksman connect cursor --mcp files' },
      { state: 'lost', command: `banksman connect cursor --mcp 'it'\\''s; rm -rf ~'` },
      { state: 'lost', command: 'banksman connect cursor --mcp' },
      { key: 'new', state: 'unwrapped' },
    ])
  })

  it('is taken once in half a minute, and once for all who ask meanwhile', async () => {
    const wrapped = recordWrappedMcp(environment, ['files'])
    wrapped.lose(['files'])
    const inspect = inspections()
    const [one, other] = await Promise.all([inspect(), inspect()])
    expect(one).toBe(other)
    writeFileSync(wrapped.file, '{')
    now = 29_999
    expect(await inspect()).toBe(one)
    now = 30_000
    expect(await inspect()).toMatchObject([{ key: 'files', state: 'unknown' }])
  })

  it('finds nothing where nothing was wrapped, and says so where that can’t be known', async () => {
    expect(await inspections()()).toEqual([])
    recordWrappedMcp(environment, ['files'])
    writeFileSync(join(environment.BANKSMAN_HOME, 'connections/mcp.json'), '{')
    await expect(inspections()()).rejects.toThrow(/mcp\.json can't be read/)
  })
})
