/** The SQLite store keeps the contract, on a real file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeStore } from '../../testing/store-suite.ts'
import type { Store } from '../store.ts'
import { openSqliteStore } from './store.ts'

describeStore({ describe, it, expect }, 'sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-store-'))
  const opened: Store[] = []
  let at = 0
  const open = (namespace = 'default') => {
    const store = openSqliteStore({ path: join(folder, 'test.db'), namespace, now: () => at })
    opened.push(store)
    return store
  }
  return {
    store: open(),
    setTime(time) {
      at = time
    },
    another: async (options) => open(options?.namespace),
    async dispose() {
      for (const store of opened) await store.close()
      rmSync(folder, { recursive: true })
    },
  }
})
