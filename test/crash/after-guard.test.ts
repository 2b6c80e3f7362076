import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it('P4 P10: a process that is killed on the line after guard leaves a call that is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-after-guard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'after.db')
  const child = join(import.meta.dirname, 'after-guard.ts')
  for (let times = 0; times < 3; times++) {
    rmSync(path, { force: true })
    const { signal, stdout, stderr } = spawnSync(process.execPath, [child, path, join(folder, 'shown')], {
      encoding: 'utf8',
    })
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
    expect(stdout).toContain('"result":"ran"')
    const store = openSqliteStore({ path })
    expect(await store.list({ state: 'running' })).toMatchObject({ items: [] })
    expect(await store.list({ state: 'done' })).toMatchObject({
      items: [{ progress: { outcome: { kind: 'ok' } } }],
    })
    await store.close()
  }
})
