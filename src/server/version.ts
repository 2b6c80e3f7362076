/** The version of this package, from its own package.json. */
import { createRequire } from 'node:module'

export const VERSION: string = (createRequire(import.meta.url)('../../package.json') as { version: string })
  .version
