/**
 * What `banksman mcp` adds to a call that the policy allows, beside the same server without it, and beside another process that only passes lines on.
 * The Banksman server is a process of its own, as people start it, on SQLite.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { makeCliFolder } from '../../src/cli/fixtures/program.ts'
import { type Contestant, type Figure, interleave } from '../measure.ts'

const BIN = join(import.meta.dirname, '../../bin/banksman.js')
const SERVER = join(import.meta.dirname, 'echo-server.mjs')
const OFFICIAL_SERVER = join(import.meta.dirname, 'official-echo-server.mjs')
const LINES = join(import.meta.dirname, 'pass-lines.mjs')
const CALLS = 3_000
const BIG_CALLS = 40
const WARM_CALLS = 2_000
const FLIGHT = 1_000
const WAITING = 100

export async function benchMcp(rounds: number): Promise<Figure[]> {
  execFileSync('npm', ['run', '--silent', 'build:package'], { cwd: join(BIN, '../..'), stdio: 'ignore' })
  const place = makeCliFolder(['--no-experimental-strip-types', BIN])
  try {
    writeFileSync(join(place.folder, 'banksman.yaml'), 'policy: { allow: ["mcp__*__echo"] }\n')
    await place.run(['trust', '--yes'])
    await place.start()
    const data = join(place.folder, '.banksman')
    const waysTo = (server: string, name: string) => ({
      direct: [server],
      'a process that passes lines on': [LINES, process.execPath, server],
      'banksman mcp': [
        ...['--no-experimental-strip-types', BIN, 'mcp', '--name', name, '--data', data, '--'],
        ...[process.execPath, server],
      ],
    })
    const ways = waysTo(SERVER, 'bench')
    const proxy = ways['banksman mcp']
    const environment = place.environment
    // A server that runs for a while: its token is made, and its database no longer grows with each call.
    await withClient(proxy, environment, async (client) => {
      for (let at = 0; at < WARM_CALLS; at++) await client.call('echo', { size: 1 })
    })

    const each = (what: string, work: (client: McpClient) => Promise<number>): Contestant[] =>
      Object.entries(ways).map(([name, args]) => ({
        name: `${what}: ${name}`,
        unit: 'ms',
        run: () => withClient(args, environment, work),
      }))
    const official = (size: number, count: number): Contestant[] =>
      Object.entries(waysTo(OFFICIAL_SERVER, 'official')).map(([name, args]) => ({
        name: `the same with the official client and SDK, ${size} bytes: ${name}`,
        unit: 'ms',
        run: () => withOfficialClient(args, environment, (call) => medianMs(count, () => call({ size }))),
      }))
    const started = Object.entries(ways).map(([name, args]) => ({
      name: `start to the answer to initialize: ${name}`,
      unit: 'ms',
      async run() {
        const startedAt = performance.now()
        return withClient(args, environment, async () => performance.now() - startedAt)
      },
    }))
    const flight = (waiting: number): Contestant => ({
      name: `${FLIGHT - WAITING} allowed calls at once, ${waiting} waiting for people`,
      unit: 'ms',
      run: () =>
        withClient(proxy, environment, async (client) => {
          for (let at = 0; at < waiting; at++) client.call('ask', { at }).catch(() => {})
          if (waiting > 0) await client.call('echo', { size: 1 })
          const startedAt = performance.now()
          await Promise.all(
            Array.from({ length: FLIGHT - WAITING }, () => client.call('echo', { size: 100 })),
          )
          return performance.now() - startedAt
        }),
    })
    return await interleave(
      [
        ...each('a call of 100 bytes', (client) => medianMs(CALLS, () => client.call('echo', { size: 100 }))),
        ...each('a result of 1 MB', (client) =>
          medianMs(BIG_CALLS, () => client.call('echo', { size: 1_000_000 })),
        ),
        ...each('arguments of 900 kB', (client) =>
          medianMs(BIG_CALLS, () => client.call('echo', { size: 1, filler: 'x'.repeat(900_000) })),
        ),
        ...official(100, CALLS),
        ...official(1_000_000, BIG_CALLS),
        ...started,
        flight(0),
        flight(WAITING),
      ],
      rounds,
    )
  } finally {
    await place.remove()
  }
}

interface McpClient {
  call(tool: string, args: object): Promise<unknown>
}

async function withClient<T>(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  work: (client: McpClient) => Promise<T>,
): Promise<T> {
  const child: ChildProcess = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...env },
  })
  const waiting = new Map<number, (message: unknown) => void>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
  })
  let id = 0
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      waiting.set(++id, resolve)
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  try {
    const clientInfo = { name: 'bench', version: '1' }
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    return await work({
      async call(name, args) {
        const answer = (await request('tools/call', { name, arguments: args })) as {
          result?: { isError?: boolean }
        }
        if (answer.result === undefined || answer.result.isError)
          throw new Error(JSON.stringify(answer).slice(0, 300))
        return answer
      },
    })
  } finally {
    child.stdin!.end()
    await once(child, 'exit')
  }
}

async function withOfficialClient<T>(
  args: string[],
  env: Record<string, string>,
  work: (call: (args: Record<string, unknown>) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  try {
    return await work(async (given) => {
      const { isError, content } = await client.callTool({ name: 'echo', arguments: given })
      if (isError) throw new Error(JSON.stringify(content).slice(0, 300))
    })
  } finally {
    await client.close()
  }
}

async function medianMs(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  // The first is not like the others: files are read, connections made.
  await work()
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return times.sort((one, other) => one - other)[Math.floor(count / 2)]!
}
