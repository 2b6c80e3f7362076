/**
 * The demonstration: an agent that follows a script, in a workspace of its own, and begins to talk by itself. The workspace
 * is the same for the same data folder, since the paths in its calls are part of what was asked: after a restart it finds
 * its own requests again.
 */
import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  claudeCodingScript,
  codingScript,
  DEMONSTRATION_SHOP,
  DEMONSTRATION_TASK,
} from '../agents/demonstration/coding-script.ts'
import { createDemonstrationModel } from '../agents/demonstration/demonstration-model.ts'
import { DEMONSTRATION_WORDS } from '../agents/demonstration/demonstration-words.ts'
import { DEMONSTRATION_TOOLS } from '../agents/demonstration/tools.ts'
import type { TurnEvent } from '../core/conversation.ts'
import { digestOf } from '../core/digest.ts'
import { BanksmanError } from '../core/errors.ts'
import type { DemonstrationPreset } from './channels/configured-channels.ts'
import { readSecretaryConfiguration, secretarySchema } from './configuration/secretary-configuration.ts'
import { hostClock } from './host/host.ts'
import type { Server } from './start-server.ts'

export { DEMONSTRATION_POLICY } from '../agents/demonstration/tools.ts'

/** The session in which it begins by itself. */
const SESSION = 'demonstration'

export function demonstrationAt(data: string): DemonstrationPreset {
  const workspace = join(tmpdir(), `banksman-demonstration-${digestOf(resolve(data)).slice(0, 12)}`)
  claimFolder(workspace)
  const shop = join(workspace, 'shop')
  fillFolder(shop, DEMONSTRATION_SHOP)
  const pages = fileURLToPath(new URL('../../examples/vue-chat/dist', import.meta.url))
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

/** Has it begin, once for a data folder, and tells what it does a line at a time. */
export async function startDemonstration(
  server: Server,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { agent } = server.agent ?? {}
  if (agent === undefined) return
  const { self } = server
  await startCoding(server, say)
  const isNew = await agent.entries(SESSION, { limit: 1 }, self).then(
    () => false,
    () => true,
  )
  if (isNew) await agent.say({ session: SESSION, text: DEMONSTRATION_WORDS.en.tour.opening }, self)
  else if ((await agent.running(SESSION, self)) === undefined) return
  for await (const event of agent.events(SESSION, { after: 't1-0', signal }, self)) {
    const line = describe(event)
    if (line !== undefined) say(line)
    if (event.kind === 'turn_ended') return
  }
}

/** A coding session that works beside it, once for a data folder. */
async function startCoding(
  { secretary, self, configuration }: Server,
  say: (line: string) => void,
): Promise<void> {
  if (secretary === undefined || configuration.current().text !== undefined) return
  if ((await secretary.list({ closed: true }, self)).length > 0) return
  const { session } = await secretary.start({ folder: 'shop', text: DEMONSTRATION_TASK }, self)
  say(`a coding session works on a failing test in ${session.folder}: see the page Sessions`)
}

/** What a session has changed there stays. */
function fillFolder(folder: string, files: Readonly<Record<string, string>>): void {
  if (existsSync(folder)) return
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function describe(event: TurnEvent): string | undefined {
  switch (event.kind) {
    case 'call_waiting':
      return `${event.tool}: asking a person`
    case 'call_finished':
      return `${event.tool}: ${event.ok ? 'ran' : 'failed'}: ${event.text.split('\n', 1)[0]}`
    case 'call_refused':
      return `${event.tool}: ${event.state}: ${event.because}`
    case 'call_answered':
      return `${event.tool}: ${event.by} answered in its place`
    case 'turn_ended':
      return 'the demonstration is over; every step of it is in the journal'
    default:
      return undefined
  }
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
