/**
 * Reads files of git's settings, with what they include. What isn't understood, and an include under a condition that names
 * an address, leaves it unknown where a remote leads.
 */
import { dirname, isAbsolute, join } from 'node:path'
import { readSettings } from './read-settings.ts'

/** In the order in which git reads them. Sections and keys are in lower case, sub-sections as they are written. */
export type GitSettings = readonly { section: string; name: string; key: string; value: string }[]

const MAX_FILES = 16

/** Undefined where a file can't be read or understood. */
export async function readGitSettings(
  files: readonly string[],
  home: string,
): Promise<GitSettings | undefined> {
  const found: GitSettings[number][] = []
  let count = 0
  const read = async (file: string, isConditional: boolean): Promise<boolean> => {
    if (++count > MAX_FILES) return false
    const text = await readSettings(file)
    if (text === 'none') return true
    const settings = text === undefined ? undefined : parseGitSettings(text)
    if (settings === undefined) return false
    for (const setting of settings) {
      const { section, key, value } = setting
      if (section.startsWith('include')) {
        const path = key === 'path' ? pathOf(value, file, home) : undefined
        if (path === undefined || !(await read(path, isConditional || section === 'includeif'))) return false
      } else if (isConditional && leads(setting)) return false
      else found.push(setting)
    }
    return true
  }
  for (const file of files) if (!(await read(file, false))) return undefined
  return found
}

function leads({ section }: GitSettings[number]): boolean {
  return ['remote', 'url', 'branch', 'core', 'http', 'extensions'].includes(section)
}

function pathOf(path: string, file: string, home: string): string | undefined {
  if (path.startsWith('~/')) return join(home, path.slice(2))
  if (path.startsWith('~') || path.startsWith('%')) return undefined
  return isAbsolute(path) ? path : join(dirname(file), path)
}

/** Undefined where the text is not what git would take, or may be read in two ways. */
export function parseGitSettings(text: string): GitSettings[number][] | undefined {
  const found: GitSettings[number][] = []
  let section: { section: string; name: string } | undefined
  for (const line of text
    .replace(/^\ufeff/, '')
    .replaceAll('\\\n', '')
    .split(/\r?\n/)) {
    let rest = line.trim()
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(rest)
    if (header !== null) {
      const [whole, name = '', sub] = header
      // `[remote.origin]` is an old way to write `[remote "origin"]`.
      const dot = name.indexOf('.')
      section =
        sub === undefined && dot !== -1
          ? { section: name.slice(0, dot).toLowerCase(), name: name.slice(dot + 1).toLowerCase() }
          : { section: name.toLowerCase(), name: (sub ?? '').replace(/\\(.)/g, '$1') }
      rest = rest.slice(whole.length).trim()
    }
    if (rest === '' || /^[#;]/.test(rest)) continue
    const [, key, , written] = /^([a-z][\w-]*)\s*(=\s*(.*))?$/is.exec(rest) ?? []
    const value = written === undefined ? 'true' : readValue(written)
    if (section === undefined || key === undefined || value === undefined) return undefined
    found.push({ ...section, key: key.toLowerCase(), value })
  }
  return found
}

function readValue(written: string): string | undefined {
  let value = ''
  let kept = 0
  let quoted = false
  for (let at = 0; at < written.length; at++) {
    const character = written[at]!
    if (character === '"') quoted = !quoted
    else if (character === '\\') {
      const next = ESCAPES[written[++at] ?? '']
      if (next === undefined) return undefined
      value += next
    } else if (!quoted && /[#;]/.test(character)) break
    else value += character
    // White space at the end counts only in quotes.
    if (quoted || !/\s/.test(character)) kept = value.length
  }
  return quoted ? undefined : value.slice(0, kept)
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }
