/** What is wrong with a text as YAML, in words for whoever wrote it, and where the mistake began. */
import { type Document, isMap, Scalar, visit } from 'yaml'

export interface YamlProblem {
  /** Where it begins in the text. */
  offset: number
  message: string
  /** Where the thing began that was not closed, if that is elsewhere. */
  begun?: { offset: number; sign: string }
  /** Whether nothing can be said of what the text means. */
  isFatal: boolean
}

export function yamlProblems(document: Document): YamlProblem[] {
  const found = [...document.errors, ...document.warnings].map(({ code, message, pos: [offset] }) => {
    const isQuote = code === 'MISSING_CHAR' && /closing .quote/.test(message)
    const quote = isQuote ? openQuoteBefore(document, offset) : undefined
    const bracket = /end with a [\]}]/.test(message) ? openBracketBefore(document, offset) : undefined
    return {
      offset: quote ?? offset,
      message: quote === undefined ? wordsFor(code, message) : UNCLOSED_QUOTE,
      isFatal: code !== 'DUPLICATE_KEY',
      ...(bracket === undefined ? {} : { begun: bracket }),
    }
  })
  return withoutConsequences([...found, ...aliasProblems(document)])
}

const UNCLOSED_QUOTE = 'this quote is never closed; put the same quote at the end of the text'

/**
 * What is found at or after the place where a quote was left open is the text that it swallowed, and what comes after
 * something that has no place in YAML is not read as it was meant.
 */
function withoutConsequences(problems: readonly YamlProblem[]): YamlProblem[] {
  const misleading = problems.filter(({ message }) => message === UNCLOSED_QUOTE || UNEXPECTED.test(message))
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

function wordsFor(code: string, message: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return "a tab can't indent YAML; use spaces"
    case 'DUPLICATE_KEY':
      return 'keys must be unique, and this one is here twice; leave one of them'
    default:
      // The parser repeats the place, which we give in front.
      return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '') || 'this is not YAML'
  }
}

/** A name with a star in front that nobody has put in quotes. References are of no use in such a file. */
function aliasProblems(document: Document): YamlProblem[] {
  const found: YamlProblem[] = []
  visit(document, {
    Alias(_, { source, range }) {
      const message = `*${source} is a reference in YAML; to mean the text, put it in quotes: "*${source}"`
      found.push({ offset: range?.[0] ?? 0, message, isFatal: true })
    },
  })
  return found
}
