/** What connecting leaves on the disk, in cases that a program of an agent doesn't get into by itself. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codexSetup } from '../../coding-agents/codex/setup.ts'
import { connectAgent, type HookTokens, type WantedConnection } from './connect-agent.ts'
import { connectionFiles, readConnection } from './connection-record.ts'
import { disconnectAgent, planDisconnection } from './disconnect-agent.ts'

const CONFIGURATION = 'model = "mine"\n'

let home: string
let wanted: WantedConnection
let revoked: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'banksman-connect-'))
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), CONFIGURATION)
  revoked = []
  wanted = {
    setup: codexSetup,
    place: { home, environment: { HOME: home, BANKSMAN_HOME: join(home, 'own') } },
    found: { program: '/usr/bin/codex', version: '0.166.0' },
    mode: 'everything',
    server: { kind: 'socket', path: join(home, 'x.sock') },
    sender: { kind: 'curl', program: '/usr/bin/curl' },
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const tokens: HookTokens = {
  create: async () => ({ id: 'tok_1', secret: 'secret' }),
  revoke: async (id) => void revoked.push(id),
  lastSession: async () => undefined,
}
const connect = (prove: () => Promise<void> = async () => {}) => connectAgent(wanted, tokens, { prove })
const disconnect = () => {
  const record = readConnection(wanted.place.environment, 'codex')!
  disconnectAgent(codexSetup, wanted.place, record, planDisconnection(codexSetup, wanted.place, record))
}
const own = () => connectionFiles(wanted.place.environment, 'codex')
const inCodex = () => readdirSync(join(home, '.codex')).sort()
const modeOf = (path: string) => statSync(path).mode & 0o777

it('what others could write or run before is ours alone', async () => {
  const { script, token } = own()
  await connect()
  for (const path of [script, token]) chmodSync(path, 0o777)
  // The same text, and another one.
  for (const text of [readFileSync(script, 'utf8'), '#!/bin/sh\n']) {
    writeFileSync(script, text)
    chmodSync(script, 0o777)
    await connect()
    expect([modeOf(script), modeOf(token)]).toEqual([0o700, 0o600])
  }
})

it('a link in the place of the script is not followed', async () => {
  const { script } = own()
  const elsewhere = join(home, 'elsewhere')
  writeFileSync(elsewhere, 'theirs')
  mkdirSync(join(home, 'own', 'hooks'), { recursive: true })
  symlinkSync(elsewhere, script)
  await connect()
  expect(readFileSync(elsewhere, 'utf8')).toBe('theirs')
  expect(modeOf(script)).toBe(0o700)
})

describe('a folder that was made for a file of ours', () => {
  it('is gone again', async () => {
    await connect()
    expect(inCodex()).toEqual(['config.toml', 'hooks.json', 'rules'])
    await connect()
    disconnect()
    expect(inCodex()).toEqual(['config.toml'])
  })

  it('is gone again when connecting fails', async () => {
    await expect(connect(() => Promise.reject(new Error('not proved')))).rejects.toThrow('not proved')
    expect(inCodex()).toEqual(['config.toml'])
  })

  it('stays where it was there before, or where somebody has put something into it', async () => {
    const rules = join(home, '.codex', 'rules')
    mkdirSync(rules)
    await connect()
    disconnect()
    expect(readdirSync(rules)).toEqual([])
    rmSync(rules, { recursive: true })
    await connect()
    writeFileSync(join(rules, 'mine.rules'), '')
    disconnect()
    expect(readdirSync(rules)).toEqual(['mine.rules'])
  })
})

it('a file that can’t be taken back keeps none of the others, and can be taken back later', async () => {
  const rules = join(home, '.codex', 'rules', 'banksman.rules')
  const failed = connect(async () => {
    // Nothing can be put in the place of a folder.
    rmSync(rules)
    mkdirSync(rules)
    throw new Error('not proved')
  })
  await expect(failed).rejects.toThrow(/not proved.*banksman\.rules.*banksman disconnect codex/s)
  expect(readFileSync(join(home, '.codex', 'config.toml'), 'utf8')).toBe(CONFIGURATION)
  expect(existsSync(join(home, '.codex', 'hooks.json'))).toBe(false)
  expect([existsSync(own().script), existsSync(own().token), revoked]).toEqual([false, false, ['tok_1']])
  rmSync(rules, { recursive: true })
  disconnect()
  expect(inCodex()).toEqual(['config.toml'])
})
