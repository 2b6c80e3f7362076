/**
 * `npm run test:edges` and `npm run test:agents`: tests with packages that nothing else needs. They have a lock of their own
 * in test/<name>, outside the workspaces, and test our package as it's published: packed, and installed there.
 */
import { buildPackage, folderOf, installLocked, installPacked, run } from './install-apart.mjs'

const [name, ...rest] = process.argv.slice(2)
const folder = folderOf(name)
if (folder === undefined) {
  console.error('usage: node scripts/test-apart.mjs edges|agents [parameters of vitest]')
  process.exit(2)
}
buildPackage()
installLocked(folder)
installPacked(folder)
run(folder, 'tsc', '-p', 'tsconfig.json')
run(folder, 'vitest', 'run', ...rest)
