/** The adapter for LangChain: agents by the middleware, graphs of one's own by their tools; in one process and over HTTP. */
import { describe, expect, it } from 'vitest'
import { describeAdapter } from '../../src/testing/adapter-suite.ts'
import { openFar, openNear } from '../guard/open-guards.ts'
import { createLangChainDriver } from './langchain-driver.ts'

const runner = { describe, expect, it }
describeAdapter(runner, 'LangChain agents, in one process', createLangChainDriver('agent'), openNear)
describeAdapter(runner, 'LangChain agents, over HTTP', createLangChainDriver('agent'), openFar)
describeAdapter(runner, 'LangGraph with ToolNode, in one process', createLangChainDriver('graph'), openNear)
describeAdapter(runner, 'LangGraph with ToolNode, over HTTP', createLangChainDriver('graph'), openFar)
