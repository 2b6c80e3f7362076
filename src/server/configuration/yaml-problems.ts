/** What is wrong with a text as YAML, in words for whoever wrote it, and where the mistake began. */

import { type Document, isMap, Scalar, visit } from 'yaml'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { YAML_LIMITS } from '../host/read-yaml.ts'

export interface YamlProblem {
  /** Where it begins in the text. */
  offset: number
  reason: Reason
  /** Where the thing began that was not closed, if that is elsewhere. */
  begun?: { offset: number; sign: string }
  /** Whether what comes after it isn't read as it was meant. */
  isMisleading: boolean
  /** Whether nothing can be said of what the text means. */
  isFatal: boolean
}

/** Whoever mends the first of them reads it again. */
const MAX_MISTAKES = 20

export function yamlProblems(document: Document): YamlProblem[] {
  // To find where one began, the document is gone through.
  const mistakes = [...document.errors, ...document.warnings].slice(0, MAX_MISTAKES)
  const found = mistakes.map(({ code, message, pos: [offset] }) => {
    const isQuote = code === 'MISSING_CHAR' && /closing .quote/.test(message)
    const quote = isQuote ? openQuoteBefore(document, offset) : undefined
    const bracket = /end with a [\]}]/.test(message) ? openBracketBefore(document, offset) : undefined
    return {
      offset: quote ?? offset,
      reason: quote === undefined ? yamlReason(code, message) : reasonOf('yaml.quote'),
      isMisleading: quote !== undefined || UNEXPECTED.test(message),
      isFatal: code !== 'DUPLICATE_KEY',
      ...(bracket === undefined ? {} : { begun: bracket }),
    }
  })
  return withoutConsequences([...found, ...aliasProblems(document)])
}

/**
 * What is found at or after the place where a quote was left open is the text that it swallowed, and what comes after
 * something that has no place in YAML is not read as it was meant.
 */
function withoutConsequences(problems: readonly YamlProblem[]): YamlProblem[] {
  const misleading = problems.filter(({ isMisleading }) => isMisleading)
  const end = Math.min(...misleading.map(({ offset }) => offset))
  const places = new Set<number>()
  return problems.filter((one) => {
    const isFirst = !places.has(one.offset)
    places.add(one.offset)
    return one.offset === end
      ? one === misleading.find(({ offset }) => offset === end)
      : isFirst && one.offset < end
  })
}

const UNEXPECTED = /^Unexpected .* token in YAML stream/

/** The parser tells where the text of the quote ended for it, which may be the end of the file. */
function openQuoteBefore(document: Document, end: number): number | undefined {
  let begun: number | undefined
  visit(document, {
    Scalar(_, { type, range }) {
      const isQuoted = type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE
      if (isQuoted && range && range[0] < end && end <= range[2] + 1) begun = range[0]
    },
  })
  return begun
}

/** The innermost one that is open there. */
function openBracketBefore(document: Document, end: number): YamlProblem['begun'] {
  let begun: YamlProblem['begun']
  visit(document, {
    Collection(_, node) {
      if (node.flow && node.range && node.range[0] < end && end <= node.range[2])
        begun = { offset: node.range[0], sign: isMap(node) ? '{' : '[' }
    },
  })
  return begun
}

/** What we have no sentence for is told in the parser's own words. */
export function yamlReason(code: string, message: string): Reason {
  switch (code) {
    case 'TAB_AS_INDENT':
      return reasonOf('yaml.tab')
    case 'RESOURCE_EXHAUSTION':
      return message === 'depth'
        ? reasonOf('yaml.deep', { limit: YAML_LIMITS.depth })
        : reasonOf('yaml.long', { limit: YAML_LIMITS.tokens })
    case 'DUPLICATE_KEY':
      return reasonOf('yaml.twice')
    case 'NON_STRING_KEY':
      return reasonOf('yaml.key')
    default: {
      // The parser repeats the place, which we give in front.
      const why = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
      return why === '' ? reasonOf('yaml.not') : reasonOf('yaml.other', { why })
    }
  }
}

/** A name with a star in front that nobody has put in quotes. References are of no use in such a file. */
function aliasProblems(document: Document): YamlProblem[] {
  const found: YamlProblem[] = []
  visit(document, {
    Alias(_, { source, range }) {
      const reason = reasonOf('yaml.reference', { name: `*${source}`, quoted: `"*${source}"` })
      found.push({ offset: range?.[0] ?? 0, reason, isMisleading: false, isFatal: true })
    },
  })
  return found
}
