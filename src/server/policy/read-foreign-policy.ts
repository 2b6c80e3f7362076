/** Reads the file of another program, JSON or YAML, and makes a policy of ours of what it says. */
import { LineCounter } from 'yaml'
import { BanksmanError } from '../../core/errors.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError, reasonIn } from '../../core/reasons/reasoned-error.ts'
import {
  type Detected,
  type Dialect,
  detectDialect,
  importDetected,
} from '../../policy/dialects/detect-dialect.ts'
import type { Imported } from '../../policy/dialects/imported.ts'
import { yamlReason } from '../configuration/yaml-problems.ts'
import { readYamlDocuments } from '../host/read-yaml.ts'

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
    throw reasonedError(error.code, whyNotImported(name, error), error.details)
  }
}

function whyNotImported(file: string, { message, details }: BanksmanError): Reason {
  const why = reasonIn(details) ?? message
  const pointer = String(details.pointer ?? '')
  return pointer === ''
    ? reasonOf('import.in-file', { file, why })
    : reasonOf('import.in-file-at', { file, pointer, why })
}

/** opencode takes comments in its file whatever that is called; others only where the name says so. */
const COMMENTED = /\.jsonc$|(?:^|[\\/])opencode\.json$/i

/** Several documents in one file, as Spring has them for its profiles, are a list of them. */
function parseForeign(text: string, name: string, mayHaveComments: boolean): unknown {
  const content = text.replace(/^\ufeff/, '')
  if (mayHaveComments) return parseJson(withoutComments(content), name)
  if (/\.json$/i.test(name) || /^\s*\{\s*"/.test(content)) return parseJson(content, name)
  const lines = new LineCounter()
  const values = readYamlDocuments(content, lines).map((document) => {
    const [problem] = document.errors
    if (problem !== undefined) {
      const { line, col } = lines.linePos(problem.pos[0])
      const why = yamlReason(problem.code, problem.message)
      const reason = reasonOf('mistake.in-file', { file: name, line, column: col, why })
      throw reasonedError('invalid_configuration', reason, { line, column: col })
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
    const reason = reasonOf('import.not-json', { file: name, why: error.message })
    throw reasonedError('invalid_configuration', reason, error.details)
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
