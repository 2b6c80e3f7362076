/**
 * Lets a person edit the arguments of a call in their own editor, as JSON in a file that only they can read. The
 * file's text is read as strictly as an agent's: what JSON would silently change is refused (P3).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../client/index.ts'
import { canonicalize } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { safeJson } from '../output/safe-text.ts'
import type { EditResult } from './watch-state.ts'

export async function editArguments(
  args: JsonObject,
  draft: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<EditResult> {
  const folder = mkdtempSync(join(tmpdir(), 'banksman-edit-'))
  try {
    const file = join(folder, 'arguments.json')
    // Characters that an editor would not show are written as escapes (P9).
    writeFileSync(file, draft ?? `${safeJson(args, 2)}\n`, { mode: 0o600 })
    const failure = await runEditor(file, environment)
    if (failure !== undefined) return { kind: 'failed', why: failure }
    return readEdit(readFileSync(file, 'utf8'), args)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function readEdit(text: string, before: JsonObject): EditResult {
  try {
    const value = parseStrictJson(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { kind: 'failed', why: 'the arguments must be a JSON object, in { }', text }
    }
    if (canonicalize(value) === canonicalize(before)) return { kind: 'unchanged' }
    return { kind: 'arguments', arguments: value }
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error), text }
  }
}

/** Undefined when it ended well. Like every child of ours it inherits nothing that begins with BANKSMAN_ (P11). */
async function runEditor(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const isWindows = process.platform === 'win32'
  const editor = environment.VISUAL || environment.EDITOR || (isWindows ? 'notepad' : 'vi')
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('BANKSMAN_')),
  )
  // Through a shell, since `EDITOR` may have options in it, as in "code --wait"; the file's name is not in its text.
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env })
    : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${editor} could not be started: ${error.message}`))
    child.once('close', (code, signal) => {
      resolve(code === 0 ? undefined : `${editor} ended with ${signal ?? `exit code ${code}`}`)
    })
  })
}
