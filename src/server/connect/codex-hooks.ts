/**
 * Codex's own list of hooks, from its app server: JSON-RPC, a message a line, over its input and output. Only Codex knows the hashes by
 * which it trusts hooks, and which of them it would run in a folder.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { codexEvents } from '../../coding-agents/codex/setup.ts'
import type { ListedHook } from '../../coding-agents/setup/agent-setup.ts'
import { isOurCommand } from '../../coding-agents/setup/hook-command.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ListedAgent } from './agent-tools.ts'

const WITHIN_MS = 30_000
/** It is asked to end first. */
const ENDS_WITHIN_MS = 2_000

const LIST = z.object({
  data: z.array(
    z.object({
      hooks: z.array(
        z.object({
          key: z.string().min(1),
          eventName: z.string(),
          command: z.string().nullish(),
          enabled: z.boolean(),
          currentHash: z.string().min(1),
          trustStatus: z.string(),
        }),
      ),
      errors: z.array(z.unknown()).default([]),
    }),
  ),
})

/** Ours, one for each event. Throws where one is not on the list: Codex wouldn't run it. */
export async function listCodexHooks(
  { program, place, wiring, folder }: ListedAgent,
  withinMs = WITHIN_MS,
): Promise<ListedHook[]> {
  const child = spawn(program, ['app-server'], { cwd: folder, env: { ...place.environment } })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const found = LIST.safeParse(await askForHooks(child, program, folder, withinMs))
    if (!found.success) throw unlisted('its list of hooks has a form that is not known')
    const hooks = found.data.data.flatMap((one) => one.hooks)
    const ours = hooks.filter(({ command }) => isOurCommand(command, wiring))
    return codexEvents(wiring.mode).map((event) => {
      const listed = ours.filter(({ eventName }) => eventName.toLowerCase() === event.toLowerCase())
      if (listed.length !== 1) {
        const said = JSON.stringify(found.data.data.flatMap(({ errors }) => errors)).slice(0, 500)
        const why = listed.length > 1 ? 'more than once' : said === '[]' ? 'not' : `not (it says ${said})`
        throw unlisted(`the hook of Banksman for ${event} is ${why} on its list`)
      }
      const { key, currentHash, enabled, trustStatus } = listed[0]!
      return { key, hash: currentHash, isTrusted: enabled && /^(?:trusted|managed)$/.test(trustStatus) }
    })
  } finally {
    await end(child, ended)
  }
}

function askForHooks(
  child: ChildProcessWithoutNullStreams,
  program: string,
  folder: string,
  withinMs: number,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(unlisted(`${program} didn't answer within ${withinMs / 1000} s`)),
      withinMs,
    )
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-500)
    })
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
    child.stdin.on('error', () => {})
    child.once('error', (error) => fail(`${program} can't be run: ${error.message}`))
    child.once('close', (code) => fail(`${program} ended with code ${code}: ${said.trim()}`))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result, error } = messageIn(line)
      if (error !== undefined && (id === 1 || id === 2)) fail(`it answered ${JSON.stringify(error)}`)
      else if (id === 1) {
        send({ method: 'initialized' })
        send({ id: 2, method: 'hooks/list', params: { cwds: [folder] } })
      } else if (id === 2) {
        clearTimeout(timer)
        resolve(result)
      }
    })
    send({
      id: 1,
      method: 'initialize',
      params: { clientInfo: { name: 'banksman', title: 'Banksman', version: '1' } },
    })

    function fail(why: string): void {
      clearTimeout(timer)
      reject(unlisted(why))
    }
  })
}

function messageIn(line: string): { id?: unknown; result?: unknown; error?: unknown } {
  try {
    const message: unknown = parseJson(line)
    return typeof message === 'object' && message !== null ? message : {}
  } catch {
    return {}
  }
}

async function end(child: ChildProcessWithoutNullStreams, ended: Promise<void>): Promise<void> {
  if (child.pid === undefined) return
  child.stdin.end()
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
  await ended
  clearTimeout(timer)
}

function unlisted(why: string): BanksmanError {
  return new BanksmanError('invalid', `Codex couldn't be asked for its hooks: ${why}`)
}
