/** What keeps the Banksman server from deciding keeps a call from running, and its client is told what it is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileConfigured } from '../../src/server/configuration/configuration.ts'
import { createConfigurationSource } from '../../src/server/configuration/configuration-source.ts'
import { writeTrusted } from '../../src/server/configuration/trust.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'
import { type GatedProxies, openGatedProxies } from './gated-proxy.ts'
import { textOf } from './proxy-driver.ts'

let gated: GatedProxies
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-mcp-closed-'))
})
afterEach(async () => {
  await gated.close()
  rmSync(folder, { recursive: true, force: true })
})

it('P5: a store that is locked: an allowed call is refused with that, and runs once the lock is gone', async () => {
  const path = join(folder, 'test.db')
  gated = await openGatedProxies({ open: (now) => openSqliteStore({ path, now, lockTimeoutMs: 20 }) })
  const proxy = gated.start()
  expect(textOf(await proxy.call('read', { a: 1 }).answer)).toBe('read done')
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  // Both are refused in the same time.
  const calls = [proxy.call('read', { a: 2 }), proxy.call('append', { line: 'a' })]
  for (const { answer } of calls) {
    const { result } = await answer
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toMatch(/locked/)
  }
  expect((await proxy.request('tools/list', {})).result.tools.length).toBeGreaterThan(5)
  expect(proxy.folder.effects()).toEqual(['read {"a":1}'])
  other.exec('ROLLBACK')
  other.close()
  // The server tries to write again by its own clock.
  await gated.http.setup.clock.advance(60_000)
  expect(textOf(await gated.waited(proxy.call('read', { a: 3 }).answer))).toBe('read done')
  expect(proxy.folder.effects()).toEqual(['read {"a":1}', 'read {"a":3}'])
  expect(await gated.pending(0)).toEqual([])
})

it('P5 P11: a policy that nobody has trusted allows nothing: what it would allow waits for a person', async () => {
  const file = join(folder, 'banksman.yaml')
  const trustFolder = join(folder, 'trusted')
  const text = 'policy: { allow: ["mcp__t__*"] }\n'
  writeFileSync(file, text)
  const source = createConfigurationSource({ file, trustFolder, defaultOwner: 'ana' })
  const policyInForce = () => compileConfigured(source.current(), {})
  gated = await openGatedProxies({ policyInForce })
  const proxy = gated.start({ words: ['--hold', '200ms'] })
  const refused = await gated.waited(proxy.call('read', { a: 1 }).answer)
  const [request] = await gated.pending()
  expect(refused.result).toMatchObject({ isError: true, _meta: { 'banksman/request': request!.id } })
  expect(textOf(refused)).toMatch(/Not refused: waiting for ana/)
  expect(proxy.folder.effects()).toEqual([])
  writeTrusted(trustFolder, file, text, 'ana', 1)
  source.refresh()
  expect(textOf(await proxy.call('read', { a: 2 }).answer)).toBe('read done')
  expect(proxy.folder.effects()).toEqual(['read {"a":2}'])
})
