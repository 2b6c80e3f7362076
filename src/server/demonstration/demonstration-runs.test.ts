import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { DemonstrationPreset } from '../channels/configured-channels.ts'
import { type Server, startServer } from '../start-server.ts'
import { DEMONSTRATION_POLICY, demonstrationAt } from './demonstration-preset.ts'

describe('running the demonstration again', () => {
  let folder: string
  let preset: DemonstrationPreset
  let server: Server
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'banksman-runs-'))
    const data = join(folder, 'data')
    preset = demonstrationAt(data)
    server = await startServer({
      host: '127.0.0.1',
      port: 0,
      data,
      configuration: join(folder, 'banksman.yaml'),
      environment: { BANKSMAN_HOME: join(folder, 'home') },
      demonstration: preset,
      policy: DEMONSTRATION_POLICY,
      report: ({ error }) => {
        throw error
      },
      say: () => {},
    })
  })
  afterEach(async () => {
    await server.close()
    for (const path of [folder, preset.workspace]) rmSync(path, { recursive: true, force: true })
  })

  const pending = async () => (await server.gateway.list({ state: 'pending' }, server.self)).items
  async function rejectAll(): Promise<void> {
    await until(async () => (await pending()).length === 4)
    for (const { id, digest } of await pending())
      await server.gateway.decide(id, { decision: 'reject', digest }, server.self)
    await until(async () => (await server.demonstration!.state()).state === 'ready')
    // The folder of a session that still works is left alone.
    await until(async () => {
      const sessions = (await server.secretary?.list({ all: true }, server.self)) ?? []
      return sessions.every(({ state }) => state !== 'running' && state !== 'waiting')
    })
  }

  it('of two who press at once, one begins it', async () => {
    const runs = server.demonstration!
    const ended = await Promise.allSettled([runs.run('en', server.self), runs.run('zh', server.self)])
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'already_running' },
    })
    await rejectAll()
  })

  it('speaks the language of who runs it', async () => {
    await server.demonstration!.run('zh', server.self)
    await until(async () => (await pending()).some(({ bytes }) => bytes.includes('杭州')))
  })

  it('P3: writes through no link that an agent has left in its folder', async () => {
    await server.demonstration!.run('en', server.self)
    await rejectAll()
    const outside = join(folder, 'outside.txt')
    writeFileSync(outside, 'mine')
    const file = join(preset.workspace, 'shop', 'price.js')
    rmSync(file)
    symlinkSync(outside, file)
    await server.demonstration!.run('en', server.self)
    expect(readFileSync(outside, 'utf8')).toBe('mine')
    expect(lstatSync(file).isSymbolicLink()).toBe(false)
    await rejectAll()
  })
})
