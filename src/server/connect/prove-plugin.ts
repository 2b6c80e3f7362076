/** Loads the plugin as the agent would, in a process of its own, and lets it send the event of a session that is over. */
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { sessionOf } from '../../coding-agents/hook-event.ts'
import type { HookWiring } from '../../coding-agents/setup/agent-setup.ts'
import type { HasArrived } from './agent-tools.ts'
import type { WantedConnection } from './connect-agent.ts'
import { checkArrived, runHook } from './prove-hook.ts'

const PROGRAM = `
const [file, id] = process.argv.slice(1)
const { Banksman } = await import(file)
const { event } = await Banksman({ directory: '/' })
await event({ event: { type: 'session.deleted', properties: { info: { id } } } })
console.log('{}')
`

export async function provePlugin(
  { setup, place }: WantedConnection,
  wiring: HookWiring,
  hasArrived: HasArrived,
): Promise<void> {
  const id = `banksman-probe-${randomUUID()}`
  const [file] = setup.files(place, wiring)
  const url = pathToFileURL(file!.path).href
  await runHook([process.execPath, '--input-type=module', '-e', PROGRAM, url, id], '', place.environment)
  await checkArrived(setup.title, sessionOf(setup.name, id), hasArrived)
}
