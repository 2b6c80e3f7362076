/** The adapter for the OpenAI Agents SDK, with tools that it makes and with tools that exist; in one process and over HTTP. */
import { describeAdapter } from 'banksman/testing'
import { describe, expect, it } from 'vitest'
import { describeProcesses } from '../../adapters/describe-processes.ts'
import { openFar, openNear } from '../packed/open-packed-guards.ts'
import { createOpenAIAgentsDriver } from './openai-agents-driver.ts'

const runner = { describe, expect, it }
const made = createOpenAIAgentsDriver('guardedTool')
const given = createOpenAIAgentsDriver('guardTools')
describeAdapter(runner, 'OpenAI Agents, guardedTool, in one process', made, openNear)
describeAdapter(runner, 'OpenAI Agents, guardedTool, over HTTP', made, openFar)
describeAdapter(runner, 'OpenAI Agents, guardTools, in one process', given, openNear)
describeAdapter(runner, 'OpenAI Agents, guardTools, over HTTP', given, openFar)
describeProcesses('openai-agents', 'on one SQLite file')
describeProcesses('openai-agents', 'over HTTP')
