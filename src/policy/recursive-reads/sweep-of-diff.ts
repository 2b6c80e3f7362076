/**
 * `diff` of two folders. Without `-r` it compares the files right in them that have the same name, and with `-N` it shows
 * those that only one of them has. Of a file and a folder it reads the file of that name in the folder.
 *
 * Nothing tells whether a word is the path of a folder: it may be unless it ends as files do.
 */
import { posix } from 'node:path'
import { readWritten } from '../shell/options/read-options.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { excludedNames, type Sweep, sweep } from './sweep.ts'
import { pathsOf } from './word-paths.ts'

const FILE_NAME = /[^/.][^/]*\.(?!d$)\w+$/

export function sweepOfDiff({ words }: ShellCommand): Sweep | undefined {
  const options = readWritten('diff', words)
  const named = options.values('--from-file', '--to-file')
  const excludes = excludedNames(options.values('-x', '--exclude'))
  const all = [...pathsOf(options.arguments), ...named]
  if (options.has('-r', '--recursive')) return sweep(all, { excludes })
  if (options.has('-N', '-P', '--new-file', '--unidirectional-new-file'))
    return sweep(all, { excludes, shallow: true })
  const isFile = (path = '') => FILE_NAME.test(path)
  const others = options.arguments.filter(({ value }) => !isFile(value))
  const folders = [...pathsOf(others), ...named.filter((path) => !isFile(path))]
  if (folders.length === 0) return undefined
  const files = [...options.arguments.map(({ value }) => value), ...named].filter(isFile)
  const includes = folders.length > 1 ? [] : files.map((path = '') => posix.basename(path))
  return sweep(folders, { excludes, includes, shallow: true })
}
