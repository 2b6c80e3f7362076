/** `banksman/mastra`: tools of Mastra agents behind a guard. */
export { CallRefused, SessionTerminated } from '../call-refused.ts'
export { type BanksmanSuspension, guardTools, type MastraContext, type MastraOptions } from './guard-tools.ts'
export { resumeRun, type SuspendableAgent } from './resume-run.ts'
