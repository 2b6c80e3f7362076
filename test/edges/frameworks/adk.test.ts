/** The adapter for Google's Agent Development Kit, in one process and over HTTP. */
import { describeAdapter } from 'banksman/testing'
import { describe, expect, it } from 'vitest'
import { describeProcesses } from '../../adapters/describe-processes.ts'
import { openFar, openNear } from '../packed/open-packed-guards.ts'
import { createAdkDriver } from './adk-driver.ts'

const driver = createAdkDriver()
describeAdapter({ describe, expect, it }, 'ADK, in one process', driver, openNear)
describeAdapter({ describe, expect, it }, 'ADK, over HTTP', driver, openFar)
describeProcesses('adk', 'on one SQLite file')
describeProcesses('adk', 'over HTTP')
