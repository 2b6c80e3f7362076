/**
 * What a connected coding agent waits for before a call that the policy allows: the event over HTTP as Claude Code sends it, and the script
 * over the socket, as Claude Code runs it, beside what a process costs on this machine that does nothing. And how long connecting takes:
 * with a stand-in of the agent that only says its version, and with the real programs, where test/edges and test/agents have installed
 * them. The server is a process of its own, as people start it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { makeCliFolder } from '../../src/cli/fixtures/program.ts'
import { beforeCommand } from '../../src/coding-agents/setup/hook-command.ts'
import { type Contestant, type Figure, interleave } from '../measure.ts'

const CALLS = 40
const BIN = join(import.meta.dirname, '../../bin/banksman.js')

export async function benchConnect(rounds: number): Promise<Figure[]> {
  // As it is installed: what is built, not the sources.
  execFileSync('npm', ['run', '--silent', 'build:package'], { cwd: join(BIN, '../..'), stdio: 'ignore' })
  const place = makeCliFolder(['--no-experimental-strip-types', BIN])
  try {
    const programs = join(place.folder, 'bin')
    mkdirSync(programs)
    place.environment.PATH = `${programs}:${place.environment.PATH}`
    writeFileSync(join(programs, 'claude'), '#!/bin/sh\necho 2.1.325\n')
    chmodSync(join(programs, 'claude'), 0o755)
    writeFileSync(join(place.folder, 'banksman.yaml'), 'policy: { allow: ["Bash(git status)"] }\n')
    await place.run(['trust', '--yes'])
    const server = await place.start()
    const run = async (name: 'connect' | 'disconnect', agent = 'claude-code', words: string[] = []) => {
      const startedAt = performance.now()
      const { code, stderr } = await place.run([name, agent, '--yes', ...words])
      if (code !== 0) throw new Error(stderr)
      return performance.now() - startedAt
    }
    await run('connect')
    const [home, socket] = [join(place.folder, 'home'), join(place.folder, '.banksman/run/banksman.sock')]
    const header = readFileSync(join(home, 'hooks/claude-code.token'), 'utf8').trim()
    const script = beforeCommand({ script: join(home, 'hooks/claude-code') })
    const each = (name: string, work: () => Promise<void>): Contestant => ({
      name,
      unit: 'ms',
      run: () => medianMs(work),
    })
    const figures = await interleave(
      [
        each('allowed call, event over HTTP (target at most 10)', () =>
          post(`${server.url}/v1/hooks/claude-code`, header),
        ),
        each('allowed call, script over the socket (target at most 25)', () =>
          started(['sh', '-c', script], event()),
        ),
        each('a shell that does nothing', () => started(['sh', '-c', ':'], '')),
        each('curl over the same socket', () =>
          started(['curl', '-s', '--unix-socket', socket, 'http://banksman/healthz'], ''),
        ),
        each('a Node that does nothing', () => started([process.execPath, '-e', '0'], '')),
      ],
      rounds,
    )
    await run('disconnect')
    const agents = [
      ['claude-code, a stand-in', 'claude-code', join(programs, 'claude')] as const,
      ...realAgents(),
    ]
    const whole = await interleave(
      agents.flatMap(([title, agent, program]) => [
        {
          name: `banksman connect ${title} (target at most 2000)`,
          unit: 'ms',
          run: () => run('connect', agent, ['--program', program]),
        },
        {
          name: `banksman disconnect ${title} (target at most 2000)`,
          unit: 'ms',
          run: () => run('disconnect', agent),
        },
      ]),
      rounds,
    )
    return [...figures, ...whole]
  } finally {
    await place.remove()
  }
}

/** Those that are installed beside their tests. */
function realAgents(): (readonly [title: string, agent: string, program: string])[] {
  const tests = join(BIN, '../../test')
  const places = [
    [
      'claude-code',
      globSync('edges/node_modules/@anthropic-ai/claude-agent-sdk-*/claude', { cwd: tests })[0],
    ],
    ['codex', 'edges/node_modules/.bin/codex'],
    ['opencode', globSync('agents/node_modules/opencode-*/bin/opencode', { cwd: tests })[0]],
  ] as const
  return places.flatMap(([agent, path]) => {
    const program = join(tests, path ?? 'none')
    return existsSync(program) ? [[`${agent}, the real one`, agent, program] as const] : []
  })
}

async function medianMs(work: () => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let count = 0; count < CALLS; count++) {
    const startedAt = performance.now()
    await work()
    took.push(performance.now() - startedAt)
  }
  return took.sort((one, other) => one - other)[CALLS / 2]!
}

let calls = 0

function event(): string {
  return JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'bench',
    cwd: '/srv/shop',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'git status', description: 'Look at the state' },
    tool_use_id: `toolu_${calls++}`,
  })
}

function post(url: string, header: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: header.replace('Authorization: ', ''),
      'content-type': 'application/json',
    }
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () => (text === '{}' ? resolve() : reject(new Error(text))))
    })
    sent.once('error', reject).end(event())
  })
}

function started([program = '', ...words]: string[], input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.on('error', () => {}).end(input)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    )
  })
}
