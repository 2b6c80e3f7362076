/**
 * The one file that knows the parser. It gives a tree of bash syntax and a list of mistakes; words, substitutions and
 * here-documents are read only when they are looked at, and each substitution has mistakes of its own.
 *
 * The parser is tolerant: what it could not make sense of is left out of the tree. So a tree with mistakes says what
 * the line would run at least, never what it would run at most.
 */
import { type ParsedScript, parse } from 'unbash'
import type { LineBudget } from './line-budget.ts'
import { parsingSteps } from './parse-cost.ts'

export type {
  AndOr,
  ArithmeticExpression,
  Assignment,
  Case,
  Command,
  CommandNode,
  CompoundList,
  If,
  ParameterExpansionPart,
  ParsedScript as Script,
  Pipeline,
  PipelineNode,
  Redirection as RedirectionNode,
  Statement,
  TestExpression,
  Word,
  WordPart,
} from 'unbash'

/** The parser can't be stopped, so what it will cost is spent before. */
export function parseShell(source: string, budget: LineBudget): ParsedScript {
  budget.spend('parsed', source.length)
  budget.spend('steps', parsingSteps(source, budget.left('steps')))
  return parse(source)
}
