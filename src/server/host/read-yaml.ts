/**
 * The one reader of YAML. An agent may have written the text, and the parser can't be stopped: it takes seconds for deep
 * nesting, for many mistakes, and for many keys, since it compares each with each. So tokens and depth are counted first, by
 * the parser's own first two stages, and repeated keys are found with a set.
 *
 * What goes beyond a limit is a mistake of the document, which then has no contents.
 */
import {
  Document,
  isCollection,
  isNode,
  isScalar,
  Lexer,
  type LineCounter,
  Parser,
  parseAllDocuments,
  parseDocument,
  visit,
  YAMLParseError,
} from 'yaml'

/** Room for a thousand rules; nobody nests by hand as deep. Together they come to some 150 ms. */
export const YAML_LIMITS = { tokens: 20_000, depth: 64 } as const

export function readYaml(text: string, lineCounter?: LineCounter): Document {
  return beyondLimits(text, lineCounter) ?? withKeyMistakes(parseDocument(text, optionsFor(lineCounter)))
}

/** For files of other programs, which may hold several documents and merge keys. */
export function readYamlDocuments(text: string, lineCounter: LineCounter): Document[] {
  const beyond = beyondLimits(text, lineCounter)
  if (beyond !== undefined) return [beyond]
  const documents = [...parseAllDocuments(text, { ...optionsFor(lineCounter), merge: true })]
  return documents.map((document) => withKeyMistakes(document, '<<'))
}

function optionsFor(lineCounter: LineCounter | undefined) {
  return {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    version: '1.2',
    ...(lineCounter && { lineCounter }),
  } as const
}

function beyondLimits(text: string, lineCounter: LineCounter | undefined): Document | undefined {
  const parser = new Parser()
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    for (const _ of parser.next(token));
    // Each step of a quoted word that is no good is a mistake of its own.
    tokens += token.startsWith('"') ? token.split('\\').length : 1
    const isDeep = parser.stack.length > YAML_LIMITS.depth
    if (!isDeep && tokens <= YAML_LIMITS.tokens) continue
    lineCounter?.addNewLine(0)
    for (const { index } of text.slice(0, parser.offset).matchAll(/\n/g)) lineCounter?.addNewLine(index + 1)
    return refused(parser.offset, isDeep ? 'depth' : 'tokens')
  }
  return undefined
}

function refused(offset: number, limit: keyof typeof YAML_LIMITS): Document {
  const document = new Document(undefined)
  document.errors.push(new YAMLParseError([offset, offset + 1], 'RESOURCE_EXHAUSTION', limit))
  return document
}

/** A key that is a list or a mapping means nothing to us, and it takes long to write it as a text. */
function withKeyMistakes(document: Document, mayRepeat?: string): Document {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key
        const code = isCollection(key) ? 'NON_STRING_KEY' : seen.has(value) ? 'DUPLICATE_KEY' : undefined
        seen.add(value)
        if (code === undefined || (code === 'DUPLICATE_KEY' && value === mayRepeat)) continue
        const at = isNode(key) ? (key.range?.[0] ?? 0) : 0
        document.errors.push(new YAMLParseError([at, at + 1], code, code))
      }
    },
  })
  return document
}
