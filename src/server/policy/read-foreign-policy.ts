/** Reads the file of another program, JSON or YAML, and makes a policy of ours of what it says. */
import { LineCounter, parseAllDocuments } from 'yaml'
import { BanksmanError } from '../../core/errors.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import {
  type Detected,
  type Dialect,
  detectDialect,
  importDetected,
} from '../../policy/dialects/detect-dialect.ts'
import type { Imported } from '../../policy/dialects/imported.ts'

export interface ForeignPolicy extends Imported, Pick<Detected, 'dialect' | 'pointer'> {}

export function readForeignPolicy(text: string, name: string, from?: Dialect): ForeignPolicy {
  const isRules = from === 'codex' || (from === undefined && /\.rules$/i.test(name))
  const file = isRules
    ? text.replace(/^\ufeff/, '')
    : parseForeign(text, name, from === 'opencode' || COMMENTED.test(name))
  try {
    const detected = detectDialect(file, from)
    const { dialect, pointer } = detected
    return { dialect, pointer, ...importDetected(detected, file) }
  } catch (error) {
    if (!(error instanceof BanksmanError)) throw error
    const pointer = String(error.details.pointer ?? '')
    throw new BanksmanError(
      error.code,
      `${name}${pointer === '' ? '' : ` at ${pointer}`}: ${error.message}`,
      error.details,
    )
  }
}

/** opencode takes comments in its file whatever that is called; others only where the name says so. */
const COMMENTED = /\.jsonc$|(?:^|[\\/])opencode\.json$/i

/** Several documents in one file, as Spring has them for its profiles, are a list of them. */
function parseForeign(text: string, name: string, mayHaveComments: boolean): unknown {
  const content = text.replace(/^\ufeff/, '')
  if (mayHaveComments) return parseJson(withoutComments(content), name)
  if (/\.json$/i.test(name) || /^\s*\{\s*"/.test(content)) return parseJson(content, name)
  const lines = new LineCounter()
  const documents = [
    ...parseAllDocuments(content, { lineCounter: lines, uniqueKeys: true, version: '1.2', merge: true }),
  ]
  const values = documents.map((document) => {
    const [problem] = document.errors
    if (problem !== undefined) {
      const { line, col } = lines.linePos(problem.pos[0])
      const message = (problem.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
      throw new BanksmanError('invalid_configuration', `${name}:${line}:${col}: ${message}`, {
        line,
        column: col,
      })
    }
    return document.toJS({ maxAliasCount: 100 }) as unknown
  })
  return values.length === 1 ? values[0] : values
}

function parseJson(text: string, name: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    if (!(error instanceof BanksmanError)) throw error
    throw new BanksmanError('invalid_configuration', `${name}: ${error.message}`, error.details)
  }
}

/** Comments, and commas before the end of a list or an object, as JSONC has them; what they stood on stays as it is. */
function withoutComments(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ')
  return text
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
      found.startsWith('"') ? found : blank(found),
    )
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g, (found) => (found === ',' ? ' ' : found))
}
