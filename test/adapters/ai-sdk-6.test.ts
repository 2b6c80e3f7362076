/** The adapter for the AI SDK with version 6 of it, which `vitest.config.ts` gives it for `ai`. */
import * as sdk from 'ai-6'
import * as models from 'ai-6/test'
import { describe, expect, it } from 'vitest'
import { describeAdapter } from '../../src/testing/adapter-suite.ts'
import { openFar, openNear } from '../guard/open-guards.ts'
import { createAiSdkDriver } from './ai-sdk-driver.ts'

it('the adapter has version 6', async () => {
  expect((await import('ai')).generateText).toBe(sdk.generateText)
})

const driver = createAiSdkDriver(sdk as never, models, 6)
describeAdapter({ describe, expect, it }, 'AI SDK 6, in one process', driver, openNear)
describeAdapter({ describe, expect, it }, 'AI SDK 6, over HTTP', driver, openFar)
