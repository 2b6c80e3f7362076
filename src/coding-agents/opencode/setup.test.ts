import { expect, it } from 'vitest'
import type { HookWiring } from '../setup/agent-setup.ts'
import { diskOf } from '../setup/fixtures/disk.ts'
import { opencodeSetup } from './setup.ts'

const wiring: HookWiring = {
  mode: 'everything',
  script: '/home/ana/.config/banksman/hooks/opencode',
  tokenFile: '/home/ana/.config/banksman/hooks/opencode.token',
  server: { kind: 'socket', path: '/srv/bm/banksman.sock' },
}

function others(files: Record<string, string>, environment: Record<string, string> = {}): string[] {
  return opencodeSetup.otherHooks({ home: '/home/ana', environment }, wiring, '/srv/shop/app', diskOf(files))
}

it.each([
  '/home/ana/.config/opencode/plugin/mine.js',
  '/home/ana/.config/opencode/plugins/mine.ts',
  '/home/ana/.opencode/plugins/mine.js',
  '/srv/shop/app/.opencode/plugin/theirs.js',
  '/srv/shop/.opencode/plugins/theirs.mjs',
])('names the plugin %s', (path) => {
  expect(others({ [path]: '' })).toEqual([path])
})

it.each([
  '/home/ana/.config/opencode/opencode.json',
  '/home/ana/.config/opencode/opencode.jsonc',
  '/srv/shop/app/opencode.json',
  '/srv/shop/.opencode/opencode.jsonc',
  '/etc/opencode/opencode.json',
])('names the plugins that %s lists', (path) => {
  expect(others({ [path]: '{ "plugin": ["lint@1", ["fmt", {}]], /* mine */ }' })).toEqual(['lint@1', 'fmt'])
  expect(others({ [path]: 'no JSON' })).toEqual([])
})

it('ours, tools and packages of plugins are none', () => {
  const folder = '/home/ana/.config/opencode'
  const names = ['plugins/banksman.js', 'tool/x.ts', 'plugins/node_modules/x/index.js', 'plugins/notes.md']
  expect(others(Object.fromEntries(names.map((name) => [`${folder}/${name}`, ''])))).toEqual([])
})

it('looks where a variable has moved the folder, and in the usual one', () => {
  const files = { '/srv/oc/plugins/one.js': '', '/home/ana/.config/opencode/plugins/two.js': '' }
  expect(others(files, { OPENCODE_CONFIG_DIR: '/srv/oc' })).toEqual(Object.keys(files))
  expect(others({ '/srv/xdg/opencode/plugins/one.js': '' }, { XDG_CONFIG_HOME: '/srv/xdg' })).toHaveLength(1)
})
