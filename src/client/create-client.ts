/** A client for agents and programs: what a server can be asked, and the guard that calls go through. */
import type { Guard } from '../guard/contract.ts'
import { type ClientOptions, connectCalls, type ServerCalls } from './client.ts'
import { createRemoteGuard } from './remote-guard.ts'

export interface Client extends Guard, ServerCalls {}

const RECORD_WITHIN_MS = 10_000

export function createClient(options: ClientOptions): Client {
  const { calls, host } = connectCalls(options)
  const guarding = createRemoteGuard({
    ...host,
    recordWithinMs: options.recordWithinMs ?? RECORD_WITHIN_MS,
    onFault: options.onFault ?? (() => {}),
  })
  return { ...guarding, ...calls }
}
