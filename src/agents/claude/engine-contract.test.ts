/** The Claude engine keeps the contract of engines, with a stand-in of its SDK. `test/edges` has it with the real one. */
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { describeEngine } from '../../testing/engine-suite.ts'
import { openEngineStore } from '../fixtures/engine-store.ts'
import { createScriptedClaude, folder } from './fixtures/claude-under-test.ts'
import { openQueries } from './fixtures/stand-in-sdk.ts'

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const transcripts = new Map()

describeEngine({ describe, it, expect }, 'Claude', {
  create: (script) => createScriptedClaude(script, transcripts).engine,
  programs: () => openQueries.size,
  open: openEngineStore,
})
