/**
 * `npm run torture`: one list of cases against the approvals that agent frameworks bring, and against Banksman, side by side. The
 * frameworks have a lock of their own in test/torture. Our package is tested as it's published: packed.
 */
import { join } from 'node:path'
import { buildPackage, folderOf, installLocked, run, unpackPacked } from './install-apart.mjs'

const folder = folderOf('torture')
buildPackage()
installLocked(folder)
unpackPacked(folder)
// The benchmark of pauses uses the same installation.
if (process.argv.includes('--install')) process.exit(0)
run(folder, 'tsc', '-p', 'tsconfig.json')
run(folder, 'node', join(folder, 'run.ts'), ...process.argv.slice(2))
