/** `banksman/policy`: rules in, verdict out. */

// how it is written
export { MODES, type Mode } from '../core/session.ts'
export type { AskTerms, Facts, Verdict } from '../core/verdict.ts'
// what it is given
export type { OwnHouse } from './built-in-denies/compile-built-in-denies.ts'
// compiling a policy and judging calls by it
export { compilePolicy, type PolicyOptions } from './compile-policy.ts'
// putting verdicts together
export { strictest, strictness } from './judge/strictest.ts'
export type { PolicyBlock, ToolBlock } from './language/language.ts'
export type {
  EvaluationContext,
  Explanation,
  JudgedCall,
  Lookups,
  Policy,
  PolicyWarning,
  Suggestion,
} from './policy.ts'
export { runPolicyTests, type TestResult } from './run-policy-tests.ts'
// trying it out
export { lexicalFacts } from './subject/lexical-facts.ts'
