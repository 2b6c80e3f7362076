/**
 * Values that are hidden because of their names (P9). The name alone says little of what the value is, and a mask must
 * never hide an action; so a value is told apart that is plainly a secret. Any other one that is hidden has to be uncovered
 * before it can be approved.
 *
 * In three forms a part of a text is hidden and the rest is shown: the password of a connection string, and what stands
 * behind the name in a line of headers or of the environment. What is shown around such a mask is plain ASCII.
 */
import { CONNECTION_PASSWORD } from './mask-label.ts'
import { isSecretName } from './secret-names.ts'

export interface NamedSecret {
  /** The name that was the reason, fit to be shown. */
  name: string
  kind: 'named value' | typeof CONNECTION_PASSWORD
  /** What is hidden, within the value. */
  start: number
  end: number
}

/**
 * One word that can't be a command, a path, an address or a sentence. Only characters that are listed count, since a script
 * without blanks between words, or a sign that looks like a slash, would hide as much as a blank.
 */
export function isPlainlySecret(value: string): boolean {
  return (
    value.length <= LONGEST_SECRET &&
    /^[A-Za-z0-9_][A-Za-z0-9_+\-.:,@]*={0,2}$/.test(value) &&
    // A host, an address, a file.
    !/[A-Za-z0-9]\.[A-Za-z0-9]/.test(value) &&
    // A port, a drive.
    !/:[0-9]{0,5}$|^[A-Za-z]:/.test(value)
  )
}

const LONGEST_SECRET = 256

/** The name as it is told in a mask. One that can't be shown as it is stands for no more than that. */
export function shownName(name: string): string {
  return /^[\w.\-[\]]{1,40}$/.test(name) ? name : 'a secret'
}

/**
 * The password of a connection string. The parser must give back exactly the same text: otherwise the password may not be
 * where it seems to be.
 */
export function passwordIn(value: string): NamedSecret | undefined {
  if (value.length > LONGEST_URL || !/^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*:[^/?#]+@/.test(value)) return undefined
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  if (url.href !== value || url.password === '') return undefined
  const start = url.protocol.length + '//'.length + url.username.length + ':'.length
  const end = start + url.password.length
  if (value.slice(start, end) !== url.password || value[end] !== '@') return undefined
  return { kind: CONNECTION_PASSWORD, name: 'password', start, end }
}

const LONGEST_URL = 4096

/** `Authorization: Bearer …` in a list of headers, `API_KEY=…` in a list of variables. */
export function behindNameIn(value: string, list: 'headers' | 'environment'): NamedSecret | undefined {
  const found = (list === 'headers' ? HEADER : VARIABLE).exec(value)
  if (found === null || !isSecretName(found[1]!)) return undefined
  const start = found[0].length
  if (start === value.length) return undefined
  return { kind: 'named value', name: shownName(found[1]!), start, end: value.length }
}

const HEADER = /^([A-Za-z][\w-]{0,39}): ?/
const VARIABLE = /^([A-Za-z_]\w{0,39})=/

/** What kind of lines a member of this name holds. */
export function linesUnder(key: string): 'headers' | 'environment' | undefined {
  if (/^(?:(?:http|request|extra|custom|default)[-_]?)?headers?$/i.test(key)) return 'headers'
  return /^(?:envs?|env[-_]?vars?|environment|environment[-_]?variables|variables)$/i.test(key)
    ? 'environment'
    : undefined
}

/** A value here may be a command line or a part of one, in which nothing is hidden in part. */
export function isOfCommand(key: string): boolean {
  return /(?:^|[^a-z])(?:command|cmd|script|code|shell|exec|run|program|executable|args|argv|arguments|words|query|sql)s?$/i.test(
    key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_'),
  )
}
