/** The text that is in the configuration file now, whoever wrote it, and what is wrong with it. */
import { readFileSync, statSync } from 'node:fs'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { isMistake, type Mistake, mistakesError, mistakesOf } from '../../policy/language/mistakes.ts'
import { type Configuration, readConfiguration } from './configuration.ts'

export type FoundText =
  | { kind: 'text'; text: string; digest: string }
  /** There is something in its place that is no text, or none that anybody has written by hand. */
  | { kind: 'unreadable'; mistake: string }

/** Room for thousands of rules. What is longer was not written to be read by a person. */
const MAX_BYTES = 512 * 1024

/** Undefined where there is no file. */
export function findConfigurationText(file: string): FoundText | undefined {
  try {
    const found = statSync(file)
    // Reading from a pipe would wait for whoever writes into it.
    if (!found.isFile()) return { kind: 'unreadable', mistake: 'it is not a file' }
    const { size } = found
    if (size > MAX_BYTES)
      return { kind: 'unreadable', mistake: `it is ${size} bytes long; at most ${MAX_BYTES} are read` }
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8')
    // What is shown must be what is read: bytes that are no text would be shown as something else.
    if (!Buffer.from(text, 'utf8').equals(bytes))
      return { kind: 'unreadable', mistake: 'it is not UTF-8 text' }
    return { kind: 'text', text, digest: digestOf(text) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    return { kind: 'unreadable', mistake: `it can't be read (${code ?? 'for a reason that is not known'})` }
  }
}

/**
 * Reads a text as the file would be read, of which it need not be the text. What is wrong is told with the line and the
 * column in the text, and without the name of the file.
 */
export function readCandidate(text: string, file: string, defaultOwner: string): Configuration {
  try {
    return readConfiguration(text, file, defaultOwner)
  } catch (error) {
    if (!isBanksmanError(error))
      throw new BanksmanError(
        'invalid_configuration',
        'the text could not be read as YAML',
        {},
        { cause: error },
      )
    const inText = ({ line, column, message }: Mistake) =>
      line === undefined ? message : `line ${line}, column ${column}: ${message}`
    throw isMistake(error) ? mistakesError(error.code, mistakesOf(error), inText) : error
  }
}
