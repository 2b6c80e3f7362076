/**
 * Codex's own list of hooks, from its app server: JSON-RPC, a message a line, over its input and output. Only Codex knows the hashes by
 * which it trusts hooks, and which of them it would run in a folder.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { codexEvents } from '../../coding-agents/codex/setup.ts'
import { isOurCommand } from '../../coding-agents/setup/hook-command.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { HookLists, ListedAgent, ListedHooks } from './agent-tools.ts'
import { DISK } from './read-others.ts'

const WITHIN_MS = 30_000
/** It is asked to end first. */
const ENDS_WITHIN_MS = 2_000

const HOOK = z.object({
  key: z.string().min(1),
  eventName: z.string(),
  handlerType: z.string().nullish(),
  command: z.string().nullish(),
  pluginId: z.string().nullish(),
  sourcePath: z.string().nullish(),
  enabled: z.boolean(),
  currentHash: z.string().min(1),
  trustStatus: z.string(),
})
type CodexHook = z.infer<typeof HOOK>

const LIST = z.object({
  data: z.array(
    z.object({
      hooks: z.array(HOOK),
      errors: z.array(z.unknown()).default([]),
      // A file that it can't read is no error to it.
      warnings: z.array(z.unknown()).default([]),
    }),
  ),
})

/** It is started at once, and asked as often as wanted: what is written meanwhile it reads again. */
export function openCodexHooks(agent: ListedAgent, withinMs = WITHIN_MS): HookLists {
  const { program, place, folder } = agent
  const child = spawn(program, ['app-server'], { cwd: folder, env: { ...place.environment } })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ask = startAsking(child, program, withinMs)
  const ready = ask('initialize', { clientInfo: { name: 'banksman', title: 'Banksman', version: '1' } })
  // Whoever lists hears of it.
  ready.catch(() => {})
  let isReady = false
  return {
    async list() {
      await ready
      if (!isReady) child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`)
      isReady = true
      return readList(await ask('hooks/list', { cwds: [folder] }), agent)
    },
    close: () => end(child, ended),
  }
}

/** Ours, one for each event. Throws where one is not on the list: Codex wouldn't run it. */
function readList(answer: unknown, agent: ListedAgent): ListedHooks {
  const { wiring } = agent
  const found = LIST.safeParse(answer)
  if (!found.success) throw unlisted('its list of hooks has a form that is not known')
  const hooks = found.data.data.flatMap((one) => one.hooks)
  const isOurs = ({ command }: CodexHook) => isOurCommand(command, wiring)
  const ours = codexEvents(wiring.mode).map((event) => {
    const listed = hooks.filter((hook) => isOurs(hook) && isOf(event, hook))
    if (listed.length === 0) checkSwitches(agent)
    if (listed.length !== 1) {
      const said = JSON.stringify(found.data.data.flatMap(({ errors, warnings }) => [...errors, ...warnings]))
      const why =
        listed.length > 1 ? 'more than once' : said === '[]' ? 'not' : `not (it says ${said.slice(0, 500)})`
      throw unlisted(`the hook of Banksman for ${event} is ${why} on its list`)
    }
    const { key, currentHash, enabled, trustStatus } = listed[0]!
    return { key, hash: currentHash, isTrusted: enabled && /^(?:trusted|managed)$/.test(trustStatus) }
  })
  const others = hooks
    .filter((hook) => !isOurs(hook) && hook.enabled && isOf('PreToolUse', hook))
    .map(({ command, handlerType, pluginId, sourcePath }) => {
      const what = command || `a hook of the kind ${handlerType ?? 'unknown'}`
      const from = pluginId ? ` (of the plugin ${pluginId})` : ''
      return command || pluginId || !sourcePath ? `${what}${from}` : `${what} in ${sourcePath}`
    })
  return { ours, others }
}

/** Codex lists no hooks then, and doesn't say why. */
function checkSwitches({ setup, place, folder }: ListedAgent): void {
  const [off] = setup.switchedOff(place, folder, DISK)
  if (off !== undefined)
    throw new BanksmanError(
      'invalid',
      `the hooks of Codex are switched off in ${off.path}: ${off.because}. Correct that, then run this again`,
    )
}

function isOf(event: string, { eventName }: CodexHook): boolean {
  return eventName.toLowerCase() === event.toLowerCase()
}

type Ask = (method: string, params: object) => Promise<unknown>

/** All questions together have this time. */
function startAsking(child: ChildProcessWithoutNullStreams, program: string, withinMs: number): Ask {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let [said, last] = ['', 0]
  let failed: Error | undefined
  const timer = setTimeout(() => fail(`${program} didn't answer within ${withinMs / 1000} s`), withinMs)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-500)
  })
  child.stdin.on('error', () => {})
  child.once('error', (error) => fail(`${program} can't be run: ${error.message}`))
  child.once('close', (code) => fail(`${program} ended with code ${code}: ${said.trim()}`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = messageIn(line)
    const asked = typeof id === 'number' ? waiting.get(id) : undefined
    if (asked === undefined) return
    if (error === undefined) asked.resolve(result)
    else asked.reject(unlisted(`it answered ${JSON.stringify(error)}`))
  })
  return (method, params) => {
    last += 1
    const id = last
    return new Promise((resolve, reject) => {
      if (failed !== undefined) return reject(failed)
      waiting.set(id, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ id, method, params })}\n`)
    })
  }

  function fail(why: string): void {
    clearTimeout(timer)
    failed ??= unlisted(why)
    for (const { reject } of waiting.values()) reject(failed)
  }
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
