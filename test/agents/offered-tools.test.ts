/** The policy's catalogue knows every tool that the pinned opencode offers to its model. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { offeredTools, unknownTools } from '../connected/offered-tools.ts'
import { hasOpencode } from './connected-opencode.ts'

it.skipIf(!hasOpencode)('P5: opencode offers no tool that nobody listed', async () => {
  const program = join(import.meta.dirname, 'node_modules/opencode-linux-x64-baseline/bin/opencode')
  const offered = await offeredTools('opencode', program)
  expect(offered).toEqual(expect.arrayContaining(['apply_patch', 'bash']))
  expect(unknownTools('opencode', offered)).toEqual([])
})
