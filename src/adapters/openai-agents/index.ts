/** `banksman/openai-agents`: tools of the OpenAI Agents SDK behind a guard. */
export { CallRefused, SessionTerminated } from '../call-refused.ts'
export {
  guardedTool,
  guardTools,
  type OpenAIAgentsContext,
  type OpenAIAgentsOptions,
} from './guard-tools.ts'
export { type PausingAgents, pausing, type RunStateShape } from './pausing.ts'
