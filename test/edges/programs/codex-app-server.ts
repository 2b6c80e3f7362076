/** Codex as an editor drives it: its app server, JSON-RPC with a message a line. Here its user can be asked. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { JsonObject } from 'banksman'

export interface CodexAppServer {
  call(method: string, params: object): Promise<JsonObject>
  /** Lets it do this, and waits for the end of the turn. */
  say(words: string): Promise<void>
  /** What its user was asked so far, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

interface Started {
  program: string
  cwd: string
  env: Record<string, string>
}

/** Whoever is asked says no. */
export async function openCodexAppServer({ program, cwd, env }: Started): Promise<CodexAppServer> {
  const child: ChildProcess = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const waiting = new Map<number, { resolve(value: JsonObject): void; reject(error: Error): void }>()
  const asked: string[] = []
  let endTurn = () => {}
  let last = 0

  const send = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`)
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line)
    if (method !== undefined && id !== undefined) {
      asked.push(`${method}: ${params.command}`)
      send({ id, result: { decision: 'decline' } })
    } else if (method === 'turn/completed') endTurn()
    else if (method === undefined) {
      const one = waiting.get(id)
      if (error === undefined) one?.resolve(result)
      else one?.reject(new Error(JSON.stringify(error)))
    }
  })

  function call(method: string, params: object): Promise<JsonObject> {
    last += 1
    const id = last
    const answered = new Promise<JsonObject>((resolve, reject) => waiting.set(id, { resolve, reject }))
    closed.then(() => waiting.get(id)?.reject(new Error('it has ended')))
    send({ id, method, params })
    return answered
  }

  await call('initialize', { clientInfo: { name: 'test', title: 'test', version: '0' } })
  send({ method: 'initialized' })
  return {
    call,
    asked,
    async say(words) {
      const settings = { cwd, approvalPolicy: 'on-request', sandbox: 'danger-full-access' }
      const { thread } = await call('thread/start', settings)
      const ended = new Promise<void>((resolve) => {
        endTurn = resolve
      })
      await call('turn/start', {
        threadId: (thread as JsonObject).id,
        input: [{ type: 'text', text: words }],
      })
      await Promise.race([ended, closed])
    },
    async close() {
      child.kill()
      await closed
    },
  }
}
