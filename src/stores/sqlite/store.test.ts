/** The SQLite store keeps the contract, on a real file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeStore } from '../../testing/store-suite.ts'
import { underTest } from '../fixtures/under-test.ts'
import { openSqliteStore } from './store.ts'

describeStore({ describe, it, expect }, 'sqlite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-store-'))
  const path = join(folder, 'test.db')
  return underTest(
    (namespace, now) => openSqliteStore({ path, namespace, now }),
    () => rmSync(folder, { recursive: true }),
  )
})
