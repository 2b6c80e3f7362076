/** The adapter for the AI SDK with the oldest version that it promises to work with: before 6.0.231 a run that is stopped ends as if it were finished. */
import * as sdk from 'ai'
import * as models from 'ai/test'
import { describeAdapter } from 'banksman/testing'
import { describe, expect, it } from 'vitest'
import { createAiSdkDriver } from '../../adapters/ai-sdk-driver.ts'
import { describeProcesses } from '../../adapters/describe-processes.ts'
import { openFar, openNear } from '../packed/open-packed-guards.ts'

const driver = createAiSdkDriver(sdk as never, models, 6)
describeAdapter({ describe, expect, it }, 'AI SDK 6, in one process', driver, openNear)
describeAdapter({ describe, expect, it }, 'AI SDK 6, over HTTP', driver, openFar)
describeProcesses('ai-sdk-6', 'on one SQLite file')
