/** `banksman/ai-sdk`: tools of the Vercel AI SDK, versions 6 and 7, behind a guard. */
export { CallRefused, SessionTerminated } from '../call-refused.ts'
export { type AiSdkContext, type AiSdkOptions, guardTools } from './guard-tools.ts'
export {
  type ApprovalMessage,
  type Pausing,
  pausing,
  type ToolApprovalAnswer,
  type ToolApprovalQuestion,
} from './pausing.ts'
export { sessionEnded } from './session-ended.ts'
