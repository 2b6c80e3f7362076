/**
 * Installs the peers on demand, in this folder, as its package.json pins them. Their install scripts are not run: one of
 * them reports to its vendor. No lock file is written, because the peers are measured and never shipped.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname

/** Where a file of an installed peer is. */
export function peerFile(name: string, file: string, folder = FOLDER): string {
  return join(folder, 'node_modules', name, file)
}

/** Those of another folder are installed there. */
export function installPeers(folder = FOLDER): Record<string, string> {
  const { dependencies } = readJson(join(folder, 'package.json')) as { dependencies: Record<string, string> }
  if (areInstalled(dependencies, folder)) return dependencies
  const size = folder === FOLDER ? ', about 560 MB' : ''
  console.error(`installing the peers${size}…`)
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  // The npm that started us, if one did; its path is a script of Node's.
  const npm = process.env.npm_execpath
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const { status, error } = spawnSync(program, [...first, 'install', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0 || !areInstalled(dependencies, folder)) {
    throw new Error(
      `the peers could not be installed (${error?.message ?? `npm ended with ${status}`}); what npm printed says why`,
    )
  }
  return dependencies
}

function areInstalled(dependencies: Record<string, string>, folder: string): boolean {
  return Object.entries(dependencies).every(([name, version]) => {
    const file = peerFile(name, 'package.json', folder)
    return existsSync(file) && (readJson(file) as { version: string }).version === version
  })
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
