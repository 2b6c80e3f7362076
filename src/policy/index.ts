/** `banksman/policy`: rules in, verdict out. */

export type { AskTerms, Facts, Verdict } from '../core/verdict.ts'
// what it is given
export type { JudgedCall, OwnHouse } from './built-in-denies.ts'
// compiling a policy and judging calls by it
export {
  compilePolicy,
  type EvaluationContext,
  type Policy,
  type PolicyOptions,
} from './compile-policy.ts'
export { MODES, type Mode } from './policy-block.ts'
// putting verdicts together
export { strictest, strictness } from './strictest.ts'
