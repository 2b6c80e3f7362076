/**
 * Claude Code's settings as it reads them itself. It takes a file whole or not at all: with a comment, a comma too many or a member of
 * another form in it, nothing of the file counts, our hooks neither, and it doesn't say so where nobody looks.
 */

import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ReadIfThere, SetupFile } from '../setup/agent-setup.ts'
import { isObject } from '../setup/hook-groups.ts'
import { notPlainBecause, readJsonText } from '../setup/json-text.ts'

/** Throws where Claude Code leaves the file out. */
function readSettings(text: string): JsonObject {
  const settings = readPlain(text)
  if (!isObject(settings as JsonObject)) throw leftOut('it must be an object')
  const wrong = wrongPart(settings as JsonObject)
  if (wrong !== undefined) throw leftOut(wrong)
  return settings as JsonObject
}

function readPlain(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '')
  try {
    return plain.trim() === '' ? {} : parseJson(plain)
  } catch {
    throw leftOut(notPlainBecause(plain))
  }
}

/** The same file, which is only written to, and only counts as there, where Claude Code reads it. */
export function readByClaudeCode(file: SetupFile): SetupFile {
  return {
    ...file,
    add(text) {
      const added = file.add(text)
      // First as people have it before them: it is their line that is named.
      readPlain(text ?? '')
      readSettings(added)
      return added
    },
    find(text) {
      const found = file.find(text)
      if (text !== undefined && found === 'there') readSettings(text)
      return found
    },
  }
}

/**
 * What a session in this folder takes its settings from, besides those of the user. Those that are not committed count from the top of the
 * repository too, and in a linked worktree from its main checkout.
 */
export function projectFiles(project: string, read: ReadIfThere): string[] {
  const local = '.claude/settings.local.json'
  const tops = topsOf(project, read).filter((folder) => folder !== project)
  return [`${project}/.claude/settings.json`, `${project}/${local}`, ...tops.map((top) => `${top}/${local}`)]
}

/** What a file says, also where Claude Code might not take it: an older version may. Undefined: nothing that counts. */
export function settingsIn(path: string, read: ReadIfThere): JsonObject | undefined {
  const text = read(path)
  if (text === undefined) return undefined
  try {
    return readJsonText(text.replace(/^\uFEFF/, '')) as JsonObject
  } catch {
    return undefined
  }
}

function topsOf(project: string, read: ReadIfThere): string[] {
  const steps = project.split('/').filter((step) => step !== '')
  for (let count = steps.length; count > 0; count--) {
    const folder = `/${steps.slice(0, count).join('/')}`
    if (read(`${folder}/.git/HEAD`) !== undefined) return [folder]
    const link = /^gitdir: *(.+?)\/\.git\/worktrees\/[^/]+\s*$/.exec(read(`${folder}/.git`) ?? '')?.[1]
    if (link !== undefined) return [folder, link.startsWith('/') ? link : `${folder}/${link}`]
  }
  return []
}

/** Known to make it leave the whole file out. It has more of them. */
function wrongPart({ permissions, hooks }: JsonObject): string | undefined {
  if (permissions !== undefined && !isObject(permissions)) return 'permissions must be an object'
  if (!isObject(hooks)) return undefined
  for (const [event, groups] of Object.entries(hooks)) {
    for (const group of Array.isArray(groups) ? groups.filter((one) => isObject(one)) : []) {
      const { matcher, hooks: entries } = group
      if (matcher !== undefined && typeof matcher !== 'string') return `a matcher of ${event} must be a text`
      if (!Array.isArray(entries)) return `the hooks of a group of ${event} must be a list`
      if (!entries.every((entry) => isObject(entry) && typeof entry.type === 'string'))
        return `each hook of ${event} must say its type`
    }
  }
  return undefined
}

function leftOut(why: string): BanksmanError {
  return new BanksmanError(
    'invalid',
    `${why}. Claude Code leaves out such a file as a whole, with all its hooks`,
  )
}
