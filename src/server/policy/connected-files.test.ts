import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceFile } from '../host/replace-file.ts'
import { followConnectedFiles } from './connected-files.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-connected-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function record(name: string, content: unknown): void {
  mkdirSync(join(folder, 'connections'), { recursive: true })
  replaceFile(join(folder, 'connections', `${name}.json`), JSON.stringify(content), 0o600)
}
const codexAt = (path: string) => ({ version: 1, agent: 'codex', files: [{ path, before: null, after: '' }] })

it('P11: names what records say, each as it was given and with links followed, whenever one is written', () => {
  let at = 0
  const connected = followConnectedFiles(folder, () => (at += 250))
  expect([connected.current(), connected.refresh()]).toEqual([[], false])
  mkdirSync(join(folder, 'real'))
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  record('codex', codexAt(join(folder, 'link/hooks.json')))
  expect(connected.refresh()).toBe(true)
  const about = { agent: 'codex', level: 'user', holds: 'hooks' }
  expect(connected.current()).toEqual([
    { ...about, path: join(folder, 'link/hooks.json') },
    { ...about, path: join(folder, 'real/hooks.json') },
  ])
  // At once, again: a file system's clock may not have moved.
  record('codex', codexAt('/srv/other/hooks.json'))
  expect(connected.refresh()).toBe(true)
  expect(connected.current()).toEqual([{ ...about, path: '/srv/other/hooks.json' }])
  expect(connected.refresh()).toBe(false)
  rmSync(join(folder, 'connections/codex.json'))
  expect([connected.refresh(), connected.current()]).toEqual([true, []])
})

it('P11: MCP entries too, those of a project by themselves', () => {
  record('mcp', {
    version: 1,
    tokens: [],
    entries: [
      { client: 'codex', file: '/srv/c/config.toml', project: '/srv/shop' },
      { client: 'opencode', file: '/srv/shop/opencode.json', project: '/srv/shop' },
    ],
  })
  expect(followConnectedFiles(folder).current()).toEqual([
    { agent: 'codex', path: '/srv/c/config.toml', level: 'user', holds: 'mcp' },
    { agent: 'opencode', path: '/srv/shop/opencode.json', level: 'project', holds: 'mcp' },
  ])
})

it('P5, P11: a record that is torn takes no protection away', () => {
  record('codex', codexAt('/srv/c/hooks.json'))
  let at = 0
  const connected = followConnectedFiles(folder, () => (at += 250))
  writeFileSync(join(folder, 'connections/other.json'), '{')
  record('claude-code', { agent: 'claude-code', files: [{ path: '/srv/a/settings.json' }] })
  expect(connected.refresh()).toBe(true)
  expect(connected.current().map(({ path }) => path)).toEqual(['/srv/c/hooks.json', '/srv/a/settings.json'])
  expect(connected.refresh()).toBe(false)
  expect(followConnectedFiles(folder).current()).toHaveLength(2)
})

it('P11: the folder is looked at four times a second at most, however many calls are judged', () => {
  let at = 0
  const connected = followConnectedFiles(folder, () => at)
  record('codex', codexAt('/srv/c/hooks.json'))
  at = 249
  expect([connected.refresh(), connected.current()]).toEqual([false, []])
  at = 250
  expect([connected.refresh(), connected.current().length]).toEqual([true, 1])
})
