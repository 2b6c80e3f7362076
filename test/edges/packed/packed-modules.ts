/**
 * Which module a test gets here for the one it names: our packed package in place of the sources, and the frameworks that are
 * installed in this folder in place of those at the root. A link to the sources would give a framework a second copy of itself.
 */
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Where the packages are. */
export const FOLDER = dirname(import.meta.dirname)
const ROOT = resolve(FOLDER, '../..')

/** Doors of the package, by the source that tests import. */
const DOORS: Record<string, string> = {
  'src/index.ts': 'banksman',
  'src/client/create-client.ts': 'banksman/client',
  'src/client/index.ts': 'banksman/client',
  'src/testing/adapter-suite.ts': 'banksman/testing',
  'src/adapters/ai-sdk/index.ts': 'banksman/ai-sdk',
}

const FRAMEWORKS = /^(ai|zod|banksman)(\/|$)/

/** Programs that import a framework by its name, and are in a folder from which it isn't found. */
export const EXAMPLES = join(ROOT, 'examples', 'frameworks')

/** What to import from this folder instead; undefined where it is the module that was named. */
export function packedModule(name: string, importerFolder: string): string | undefined {
  const isOurs = !importerFolder.split(sep).includes('node_modules')
  if (!isOurs) return undefined
  if (name.startsWith('.')) {
    const path = relative(ROOT, resolve(importerFolder, name)).split(sep).join('/')
    return Object.hasOwn(DOORS, path) ? DOORS[path] : undefined
  }
  if (importerFolder === EXAMPLES) return isBuiltin(name) ? undefined : name
  return FRAMEWORKS.test(name) ? name : undefined
}
