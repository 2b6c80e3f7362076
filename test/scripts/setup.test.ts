import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SETUP = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url))

/** A clone in small: its dependencies are there, its package and its inbox are built by programs that print a lot. */
describe('what is printed before the server is ready', () => {
  let clone: string
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'banksman-setup-'))
    for (const folder of ['scripts', 'src', 'inbox/src', 'node_modules/.bin'])
      mkdirSync(join(clone, folder), { recursive: true })
    copyFileSync(SETUP, join(clone, 'scripts/setup.mjs'))
    symlinkSync(process.execPath, join(clone, 'node_modules/.bin/node'))
    writeFileSync(join(clone, 'package-lock.json'), '{}')
    writeFileSync(
      join(clone, 'node_modules/.banksman-setup'),
      `${createHash('sha256').update('{}').digest('hex')}\n`,
    )
    writeFileSync(join(clone, 'src/a.ts'), '')
    writeFileSync(join(clone, 'bundle.mjs'), BUNDLER)
    write('package.json', { scripts: { 'build:package': 'node bundle.mjs package' }, workspaces: ['inbox'] })
    write('inbox/package.json', { name: 'inbox', scripts: { build: 'node ../bundle.mjs inbox' } })
  })
  afterEach(() => rmSync(clone, { recursive: true, force: true }))

  const write = (name: string, value: object) => writeFileSync(join(clone, name), JSON.stringify(value))
  const setUp = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['scripts/setup.mjs', 'start'], {
      cwd: clone,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })

  it('says what is built, and nothing of what the bundler says', () => {
    const { status, stdout, stderr } = setUp()
    expect(stdout.trimEnd().split('\n')).toEqual([
      'banksman setup: building the package…',
      'banksman setup: building the inbox…',
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('says all of it where the build fails', () => {
    const { status, stderr } = setUp({ BUNDLE_FAILS: 'inbox' })
    expect(status).toBe(1)
    expect(stderr).toContain('inbox/dist/app.js  41.20 kB')
    expect(stderr).toContain('inbox: unexpected token')
    expect(stderr).toContain('the inbox could not be built')
    expect(stderr).not.toContain('package/dist')
  })
})

const BUNDLER = `
const [, , what] = process.argv
console.log(what + '/dist/app.js  41.20 kB')
if (process.env.BUNDLE_FAILS === what) {
  console.error(what + ': unexpected token')
  process.exit(1)
}
console.error('warning: 1 chunk is large')
`
