/** Two engines that have little in common, and the same contract. */
import { describe, expect, it } from 'vitest'
import { describeEngine } from '../../testing/engine-suite.ts'
import { openEngineStore } from '../fixtures/engine-store.ts'
import { createLineEngine, linePrograms } from '../fixtures/line-engine.ts'
import { createScriptedLoop } from '../fixtures/loop-under-test.ts'

const runner = { describe, it, expect }

describeEngine(runner, 'our loop', { create: createScriptedLoop, open: openEngineStore })

describeEngine(runner, 'a program that speaks lines', {
  create: (script) => createLineEngine(script),
  programs: () => linePrograms.size,
  open: openEngineStore,
})

describeEngine(runner, 'a program that messages interrupt', {
  create: (script) => createLineEngine(script, 'interrupt'),
  programs: () => linePrograms.size,
  open: openEngineStore,
})
