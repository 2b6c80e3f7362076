import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { protectedResourcesAt } from './protected-resources.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-house-')))
  mkdirSync(join(folder, 'real/.banksman'), { recursive: true })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('P11: our paths are known as they were given and with links followed, also where nothing is yet', () => {
  const setup = protectedResourcesAt({
    files: [join(folder, 'link/banksman.yaml')],
    databases: [join(folder, 'link/.banksman/banksman.db')],
    folders: [join(folder, 'link/.banksman')],
    addresses: ['127.0.0.1:4790'],
    environment: { HOME: join(folder, 'link'), CODEX_HOME: '/srv/codex' },
    connected: [],
  })
  expect(setup.files).toEqual([join(folder, 'link/banksman.yaml'), join(folder, 'real/banksman.yaml')])
  expect(setup.folders).toEqual([join(folder, 'link/.banksman'), join(folder, 'real/.banksman')])
  expect(setup.agents?.homes).toEqual([join(folder, 'link'), join(folder, 'real')])
  expect(setup.agents?.environment.CODEX_HOME).toBe('/srv/codex')
  expect(setup.untouchable).toContain(join(folder, 'real/.banksman/banksman.db-wal'))
})
