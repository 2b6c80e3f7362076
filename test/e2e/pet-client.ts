/** A plain WebSocket client of the pet channel, and a server with a scripted model for it to talk to. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { login } from '../../src/client/index.ts'
import { trustFolder, writeTrusted } from '../../src/server/configuration/trust.ts'
import type { RunningServer, ServerHome } from './running-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
export type Frame = any

export interface PetClient {
  frames: Frame[]
  /** The first frame that fits, whether it is there already or comes later. */
  find(fits: (frame: Frame) => boolean): Promise<Frame>
  push(type: string, fits?: (data: Frame) => boolean): Promise<Frame>
  response(requestId: string): Promise<Frame>
  send(action: string, data?: unknown, requestId?: string): void
  raw(text: string): void
  closed: Promise<{ code: number; reason: string }>
  close(): Promise<void>
}

const WITHIN_MS = 20_000

export async function openPetClient(
  { url }: { url: string },
  { protocols, path = '/pet/ws?sessionId=e2e' }: { protocols: string[]; path?: string },
): Promise<PetClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, protocols)
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)))
    for (const look of [...waiting]) look()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the socket did not open')))
  })

  function find(fits: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`no such frame came; there were ${JSON.stringify(frames, null, 1)}`))
      }, WITHIN_MS)
      const look = () => {
        const found = frames.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        clearTimeout(timer)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  }

  return {
    frames,
    find,
    push: (type, fits = () => true) => find((frame) => frame.push_type === type && fits(frame.data)),
    response: (requestId) => find((frame) => frame.request_id === requestId && frame.status !== undefined),
    send: (action, data, requestId) => socket.send(JSON.stringify({ action, data, request_id: requestId })),
    raw: (text) => socket.send(text),
    closed,
    async close() {
      socket.close()
      await closed
    },
  }
}

/** A configuration with a scripted model, which is trusted before the server starts. */
export function configurePet(home: ServerHome, scenes: unknown[], more = ''): void {
  writeFileSync(join(home.folder, 'script.json'), JSON.stringify({ scenes }))
  const text = [
    'agent: { model: { provider: scripted, script: script.json }, workspace: workspace }',
    'pet: {}',
    more,
    '',
  ].join('\n')
  const file = join(home.folder, 'banksman.yaml')
  writeFileSync(file, text)
  const environment = { BANKSMAN_HOME: join(home.folder, 'home') }
  writeTrusted(trustFolder(environment), file, text, 'owner', Date.now())
}

/** A key for the owner, by the link that the server prints. */
export async function ownersKey({ url, loginLink }: RunningServer): Promise<string> {
  const { key } = await login({ url, code: loginLink.split('#login=')[1]! })
  return key
}
