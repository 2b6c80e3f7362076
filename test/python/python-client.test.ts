/**
 * The Python client against a real server. Its tests are written in Python, in `clients/python/tests`; they run together in one
 * process, and each is told of here. `BANKSMAN_PYTHON` names another Python than the `python3` of the machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noPython, python } from './python.ts'
import { type PythonServer, startPythonServer } from './python-server.ts'

const RUNNER = join(import.meta.dirname, 'run_tests.py')
/** All of them together. */
const WITHIN_MS = 300_000

interface Ended {
  name: string
  ended: 'passed' | 'failed' | 'skipped'
  text: string
}

describe.skipIf(noPython)('the client for Python', () => {
  const ended = new Map<string, Ended>()
  let server: PythonServer
  let complaint = ''

  beforeAll(async () => {
    server = await startPythonServer()
    const env = { ...process.env, ...server.environment, PYTHONWARNINGS: 'error::ResourceWarning' }
    const child = spawn(python, [RUNNER], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: WITHIN_MS })
    const over = once(child, 'close')
    child.stderr.on('data', (data) => (complaint += data))
    for await (const line of createInterface({ input: child.stdout })) {
      const one: Ended = JSON.parse(line)
      // A test with parts fails when one of them did.
      if (ended.get(one.name)?.ended !== 'failed') ended.set(one.name, one)
    }
    await over
  }, WITHIN_MS)
  afterAll(() => server?.close())

  for (const { name, says } of listed())
    it(`${says} (${name})`, ({ skip }) => {
      const unfinished = { ended: 'failed', text: `it did not run to its end\n${complaint.slice(-4000)}` }
      const { ended: end, text } = ended.get(name) ?? unfinished
      if (end === 'skipped') skip(text)
      expect(end, text).toBe('passed')
    })
})

/** They are imported for that, so one that can't be read fails here; and, with CI=true, a machine without Python. */
function listed(): { name: string; says: string }[] {
  if (noPython) return []
  const { status, stdout, stderr } = spawnSync(python, [RUNNER, '--list'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the tests of the Python client can't be listed by ${python}:\n${stderr}`)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
