import { isAbsolute, resolve } from 'node:path'
import type { Configuration } from '../configuration/configuration.ts'

/** The files that hooks are run from, also those that are not there yet: who could write them could decide (P11). */
export function hookFiles({ talk }: Configuration): string[] {
  return talk.hooks.processes.flatMap(({ command, dir = '.' }) =>
    command.flatMap((word) => {
      const path = isAbsolute(word) ? word : resolve(dir, word)
      // A bare program is looked up elsewhere; an option names nothing.
      if (word.startsWith('-') || (command[0] === word && !word.includes('/'))) return []
      return [path, ...SUFFIXES.map((suffix) => `${path}${suffix}`)]
    }),
  )
}

/** What a program may add to the name that it is given. */
const SUFFIXES = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '.py', '.sh', '/index.js', '/__main__.py']
