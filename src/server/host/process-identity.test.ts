import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { processIdentity } from './process-identity.ts'

const place = processIdentity()!
const [among, , run] = JSON.parse(place.name) as [string, number, string]
const named = (pid: unknown, by = 'another run', where = among) => JSON.stringify([where, pid, by])

describe('where a process is', () => {
  it('says of one that it has ended only when it has', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const exited = once(child, 'exit')
    expect(place.hasEnded(named(child.pid))).toBe(false)
    child.stdin!.end()
    await exited
    expect(place.hasEnded(named(child.pid))).toBe(true)
  })

  it('P4: knows that another thread of this process, or another copy of this code in it, has not ended', async () => {
    const code = `import(process.env.PLACE).then(({ processIdentity }) => {
      require('node:worker_threads').parentPort.postMessage(processIdentity().name)
    })`
    const env = { ...process.env, PLACE: new URL('./process-identity.ts', import.meta.url).href }
    const thread = new Worker(code, { eval: true, env })
    const [name] = (await once(thread, 'message')) as [string]
    expect(place.hasEnded(name)).toBe(false)
    await thread.terminate()
  })

  // Elsewhere it can't be read when a process began.
  it.runIf(process.platform === 'linux')('knows itself, and one before it that had its number', () => {
    expect(place.hasEnded(place.name)).toBe(false)
    expect(place.hasEnded(named(process.pid, run))).toBe(false)
    expect(place.hasEnded(named(process.pid))).toBe(true)
  })

  it.each(['', 'x', 'null', '{}', '[]', named('1'), named(0), named(-1), named(1.5), named(1e300)])(
    'P5: knows nothing of %j',
    (name) => expect(place.hasEnded(name)).toBe(false),
  )

  it('P5: knows nothing of another machine', () => {
    expect(place.hasEnded(named(process.pid, 'another run', 'elsewhere'))).toBe(false)
  })
})
