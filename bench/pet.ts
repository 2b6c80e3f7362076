/**
 * Approvals over the pet socket: the server asks, the client answers, the server acknowledges. The clients are this process,
 * the server another one, with the memory store behind it; beside it a bare `ws` server that sends the same texts and keeps
 * nothing. One server for each number of clients, so that idle connections of one figure do not weigh on another.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import WebSocket from 'ws'
import { type Figure, interleave, perSecond, ratio } from './measure.ts'

const SIZES = [
  { clients: 1, count: 3000 },
  { clients: 100, count: 20_000 },
  { clients: 1000, count: 20_000 },
]

interface Target {
  /** Has so many approvals asked of each client, and resolves when all are acknowledged. */
  run(each: number): Promise<void>
}

export async function benchPet(rounds: number): Promise<Figure[]> {
  const children: ChildProcess[] = []
  const sockets: WebSocket[] = []
  try {
    const contestants = []
    for (const { clients, count } of SIZES) {
      const each = count / clients
      for (const kind of ['bare', 'banksman']) {
        const target = await open(kind, clients, children, sockets)
        await target.run(each)
        const who = kind === 'bare' ? 'bare ws' : 'pet socket, memory store'
        contestants.push({
          name: `${who}, ${clients.toLocaleString('en')} client${clients === 1 ? '' : 's'}`,
          unit: '/s',
          run: () => perSecond(count, () => target.run(each)),
        })
      }
    }
    const figures = await interleave(contestants, rounds)
    const ratios = SIZES.map(({ clients }, index) =>
      ratio(
        `pet socket / bare ws, ${clients.toLocaleString('en')} client${clients === 1 ? '' : 's'}`,
        figures[index * 2 + 1]!,
        figures[index * 2]!,
      ),
    )
    return [...figures, ...ratios]
  } finally {
    for (const socket of sockets) socket.terminate()
    for (const child of children) child.kill('SIGKILL')
  }
}

async function open(
  kind: string,
  clients: number,
  children: ChildProcess[],
  sockets: WebSocket[],
): Promise<Target> {
  const child = fork(join(import.meta.dirname, 'pet-child.ts'), [kind])
  children.push(child)
  const { url, token } = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; token: string }))
    child.once('exit', () => reject(new Error(`the ${kind} server ended`)))
  })
  let left = 0
  let done = () => {}
  const acknowledged = () => {
    if (--left === 0) done()
  }
  const protocols = kind === 'bare' ? [] : ['pet', `token.${token}`]
  for (let client = 0; client < clients; client++) {
    sockets.push(await connect(`${url}?sessionId=c${client}`, protocols, acknowledged))
  }
  return {
    run: (each) =>
      new Promise((resolve) => {
        left = each * clients
        done = resolve
        child.send({ clients, each })
      }),
  }
}

/** A client that approves whatever it is asked. */
function connect(url: string, protocols: string[], acknowledged: () => void): Promise<WebSocket> {
  const socket = new WebSocket(url, protocols)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (text) => {
      const { push_type: type, data, status, error } = JSON.parse(String(text))
      if (type === 'init_status') resolve(socket)
      else if (type === 'tool_approval') {
        const answer = { request_id: data.request_id, approved: true }
        socket.send(JSON.stringify({ action: 'tool_approval_response', data: answer }))
      } else if (status === 'ok') acknowledged()
      else if (status !== undefined) throw new Error(`an answer was refused: ${error}`)
    })
  })
}
