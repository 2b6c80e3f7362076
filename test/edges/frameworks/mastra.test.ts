/** The adapter for Mastra, in one process and over HTTP. */
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { resumeRun } from 'banksman/mastra'
import { describeAdapter } from 'banksman/testing'
import { describe, expect, it } from 'vitest'
import { describeProcesses } from '../../adapters/describe-processes.ts'
import { openFar, openNear } from '../packed/open-packed-guards.ts'
import { createMastraDriver } from './mastra-driver.ts'

const driver = createMastraDriver()
describeAdapter({ describe, expect, it }, 'Mastra, in one process', driver, openNear)
describeAdapter({ describe, expect, it }, 'Mastra, over HTTP', driver, openFar)
describeProcesses('mastra', 'on one SQLite file')
describeProcesses('mastra', 'over HTTP')

it('a run that is not suspended is an error, so that nobody waits for it', async () => {
  const main = new Agent({ id: 'main', name: 'main', instructions: 'Do it.', model: 'none/none' })
  const mastra = new Mastra({ agents: { main }, storage: new InMemoryStore(), logger: false })
  await expect(resumeRun(mastra.getAgent('main'), 'run-7')).rejects.toMatchObject({
    code: 'invalid_resume',
    message: expect.stringContaining('no run "run-7" is suspended'),
  })
})
