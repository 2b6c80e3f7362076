/**
 * Sends an event by the way that the agent's hooks take: the script as it was written, or the address and the header that stand in its
 * settings. It decides nothing and asks nobody. The server must have seen it: that somebody answered proves nothing, since anybody may
 * listen on a port.
 */

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { sessionOf } from '../../coding-agents/hook-event.ts'
import type { HookWiring } from '../../coding-agents/setup/agent-setup.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { HasArrived } from './agent-tools.ts'
import type { WantedConnection } from './connect-agent.ts'

const WITHIN_MS = 20_000

export async function proveHook(
  { setup, place }: WantedConnection,
  { script, http }: HookWiring,
  hasArrived: HasArrived,
): Promise<void> {
  const id = `banksman-probe-${randomUUID()}`
  const event = JSON.stringify(setup.probe(id))
  if (http === undefined) await runHook([script], event, place.environment)
  else await postEvent(`${http.url}/v1/hooks/${setup.name}`, http.token, event)
  await checkArrived(setup.title, sessionOf(setup.name, id), hasArrived)
}

export async function checkArrived(title: string, session: string, hasArrived: HasArrived): Promise<void> {
  if (!(await hasArrived(session)))
    throw unproven(`an event that was sent as ${title} sends it didn't arrive at this server`)
}

/** Runs a program with an event. Throws unless it ends well with an object. */
export function runHook(
  [program = '', ...words]: readonly string[],
  event: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: { ...environment }, timeout: WITHIN_MS })
    let [out, said] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    // It may end without having read everything.
    child.stdin.on('error', () => {}).end(event)
    child.once('error', (error) => reject(unproven(`${program} can't be run: ${error.message}`)))
    child.once('close', (code) => {
      if (code === 0 && isObjectText(out)) resolve()
      else reject(unproven(said.trim() || `${program} ended with code ${code} and no answer`))
    })
  })
}

async function postEvent(url: string, token: string, event: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: event,
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch((cause) => {
    throw unproven(`${url} doesn't answer (${(cause as Error).message})`)
  })
  const text = await response.text()
  if (response.status !== 200 || !isObjectText(text)) throw unproven(`${url} answered ${response.status}`)
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function unproven(why: string): BanksmanError {
  return new BanksmanError('invalid', `the hook couldn't be proved: ${why}`)
}
