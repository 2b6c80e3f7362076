/** The adapter for the AI SDK with version 7 of it, in one process and over HTTP. */
import * as sdk from 'ai'
import * as models from 'ai/test'
import { describe, expect, it } from 'vitest'
import { describeAdapter } from '../../src/testing/adapter-suite.ts'
import { openFar, openNear } from '../guard/open-guards.ts'
import { createAiSdkDriver } from './ai-sdk-driver.ts'

const driver = createAiSdkDriver(sdk, models, 7)
describeAdapter({ describe, expect, it }, 'AI SDK 7, in one process', driver, openNear)
describeAdapter({ describe, expect, it }, 'AI SDK 7, over HTTP', driver, openFar)
