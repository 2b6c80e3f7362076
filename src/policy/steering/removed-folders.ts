/**
 * Taking away a whole folder of dependencies puts nothing into any file, and what lay there is fetched again by name:
 * people do it every day. Taking away a single file of the list is another matter: without `.npmrc` or a hook of git's
 * programs do something else than they were told to.
 */
import type { ShellCommand } from '../shell/reading.ts'
import type { Steering } from '../steering-files/find-steering.ts'

/** Folders that a program fills by itself, and that hold no settings of a person. */
const REFILLED = /^(?:node_modules|\.venv|venv|\.virtualenv|__pycache__|[^/]*\.egg-info)$/

const REMOVERS = new Set([
  'rm',
  'grm',
  'rmdir',
  'grmdir',
  'unlink',
  'gunlink',
  'rimraf',
  'trash',
  'trash-put',
])
const RUNNERS = new Set(['npx', 'bunx', 'pnpx'])

export function onlyRemoves({ program = '', words, redirections }: ShellCommand): boolean {
  if (redirections.some(({ kind }) => kind === 'write')) return false
  if (REMOVERS.has(program)) return true
  const first = words.find(({ value = '-' }) => !value.startsWith('-'))?.value
  if (RUNNERS.has(program)) return first === 'rimraf' && words[0]?.value === first
  return program === 'git' && words[0]?.value === 'rm'
}

/** Whether the path is that of such a folder itself, and it is of the list by nothing but that folder's name. */
export function isRefilled(path: string, { written, isFolder }: Steering): boolean {
  const last = path.replace(/\/+$/, '').toLowerCase()
  return (
    isFolder &&
    written.length === 1 &&
    REFILLED.test(written[0]!.replace('*', '')) &&
    REFILLED.test(last.slice(last.lastIndexOf('/') + 1))
  )
}
