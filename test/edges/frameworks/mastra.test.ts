/** The adapter for Mastra, in one process and over HTTP. */
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
