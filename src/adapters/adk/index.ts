/** `banksman/adk`: tools of Google's Agent Development Kit behind a guard. */
export { CallRefused, SessionTerminated } from '../call-refused.ts'
export { type AdkContext, type AdkOptions, guardTools } from './guard-tools.ts'
export { type AdkMessage, type AdkSession, type PausingAdk, pausing } from './pausing.ts'
export type { AdkConfirmation } from './step-calls.ts'
