/** One server of the cluster: `banksman start`, with a data folder, a configuration and a port of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = join(
  dirname(fileURLToPath(import.meta.resolve('banksman/package.json'))),
  'bin',
  'banksman.js',
)
const READY_WITHIN_MS = 60_000

const CONFIGURATION = `owner: ana
policy:
  allow: ["read_*"]
  ask: ["send_*"]
`

/** @param store The address of the store. It holds a password, so it goes into the environment and nowhere else. */
export async function startNode({ name, home, store }) {
  const folder = join(home, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'banksman.yaml'), CONFIGURATION)
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    BANKSMAN_HOME: join(home, 'trusted'),
    BANKSMAN_STORE: store,
  }
  // The same text on every node, and on every node a person who says that it holds.
  execFileSync(process.execPath, [PROGRAM, 'trust', '--yes'], { cwd: folder, env, stdio: 'pipe' })
  const child = spawn(process.execPath, [PROGRAM, 'start', '--port', '0', '--json', '--login-link'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const { url, loginLink, agentTokenFile } = JSON.parse(await firstLine(name, child))
  const ended = once(child, 'exit')
  return {
    name,
    url,
    /** For a browser; it works once. */
    code: new URL(loginLink).hash.slice('#login='.length),
    agentToken: readFileSync(agentTokenFile, 'utf8').trim(),
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}

function firstLine(name, child) {
  return new Promise((resolve, reject) => {
    let said = ''
    let complained = ''
    const fail = (why) => reject(new Error(`${name} ${why}: ${complained.slice(-2000)}`))
    const timer = setTimeout(() => fail('was not ready in time'), READY_WITHIN_MS)
    child.once('exit', (code) => fail(`ended with ${code}`))
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complained += text
    })
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      if (!said.includes('\n')) return
      clearTimeout(timer)
      resolve(said.split('\n', 1)[0])
    })
  })
}
