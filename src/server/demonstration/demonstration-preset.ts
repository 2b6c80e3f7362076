/**
 * The demonstration: an agent that follows a script, in a workspace of its own. The workspace is the same for the same data folder,
 * since the paths in its calls are part of what was asked: after a restart it finds its own requests again.
 */
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  claudeCodingScript,
  codingScript,
  DEMONSTRATION_SHOP,
} from '../../agents/demonstration/coding-script.ts'
import { createDemonstrationModel } from '../../agents/demonstration/demonstration-model.ts'
import { DEMONSTRATION_TOOLS } from '../../agents/demonstration/tools.ts'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { DemonstrationPreset } from '../channels/configured-channels.ts'
import { readSecretaryConfiguration, secretarySchema } from '../configuration/secretary-configuration.ts'
import { hostClock } from '../host/host.ts'

export { DEMONSTRATION_POLICY } from '../../agents/demonstration/tools.ts'

/** The folder of its coding sessions, below its workspace. */
const SHOP = 'shop'

export function demonstrationAt(data: string): DemonstrationPreset {
  const workspace = join(tmpdir(), `banksman-demonstration-${digestOf(resolve(data)).slice(0, 12)}`)
  claimFolder(workspace)
  const shop = join(workspace, SHOP)
  // What a session has changed there stays until the demonstration is run again.
  if (!existsSync(shop)) fillShop(workspace)
  const pages = fileURLToPath(new URL('../../../examples/vue-chat/dist', import.meta.url))
  return {
    model: createDemonstrationModel({ after: hostClock.after }),
    tools: DEMONSTRATION_TOOLS,
    workspace,
    coding: {
      settings: readSecretaryConfiguration(
        secretarySchema.parse({ engine: 'loop', folders: [shop], approvalTimeout: 'none' }),
        workspace,
      ),
      scripts: { claude: claudeCodingScript(realpathSync(shop)), loop: codingScript() },
    },
    ...(existsSync(pages) ? { pages } : {}),
  }
}

/**
 * Puts the folder of its coding sessions back to how they find it first: with a test that fails. What is there is removed and not
 * written over, since an agent may have left a link that leads elsewhere.
 */
export function fillShop(workspace: string): void {
  const shop = join(workspace, SHOP)
  rmSync(shop, { recursive: true, force: true })
  mkdirSync(shop)
  for (const [name, text] of Object.entries(DEMONSTRATION_SHOP))
    writeFileSync(join(shop, name), text, { flag: 'wx' })
}

/** The name can be guessed, so somebody else may have put a link or a folder of theirs there. */
function claimFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const found = lstatSync(path)
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  if (found.isDirectory() && isOurs) return
  throw new BanksmanError(
    'invalid_configuration',
    `the demonstration works in ${path}, which is not a folder of yours; remove it, or set TMPDIR to a folder of your own`,
  )
}
