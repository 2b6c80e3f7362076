/** What the program that embeds us must run on; the command line checks the same before it loads anything. */
import { BanksmanError } from '../../core/errors.ts'

const NEEDED = [22, 13] as const

export function checkRuntime(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  throw new BanksmanError(
    'unsupported_runtime',
    `Banksman needs Node ${NEEDED.join('.')} or newer; this is ${version}. Install a newer one, or the npm package "node" beside it`,
    { found: version },
  )
}
