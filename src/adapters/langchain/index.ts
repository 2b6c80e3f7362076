/** `banksman/langchain`: tool calls of LangChain 1.x agents and LangGraph graphs behind a guard. */
export { CallRefused, SessionTerminated } from '../call-refused.ts'
export { guardTools } from './guard-tools.ts'
export { banksman } from './middleware.ts'
export type { BanksmanInterrupt, LangChainContext, LangChainOptions } from './pass-call.ts'
