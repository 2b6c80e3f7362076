/**
 * The pet socket with the memory store behind it, and beside it a bare `ws` server that sends the same texts and keeps
 * nothing. Two exchanges: a command with its response, which is the socket alone, and a whole approval, in which the server
 * asks, the client answers and the server acknowledges, with all that the gateway does for it.
 *
 * The clients are this process, each server another one. There is one for each number of clients, so that idle connections
 * of one figure do not weigh on another.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import WebSocket from 'ws'
import { type Figure, interleave, perSecond, ratio } from '../measure.ts'

const SIZES = [
  { clients: 1, count: 3000 },
  { clients: 100, count: 20_000 },
  { clients: 1000, count: 20_000 },
]

const EXCHANGES = ['commands', 'approvals'] as const

interface Target {
  /** So many exchanges of each client, one after another; resolves when all are over. */
  commands(each: number): Promise<void>
  approvals(each: number): Promise<void>
}

export async function benchPet(rounds: number): Promise<Figure[]> {
  const children: ChildProcess[] = []
  const sockets: WebSocket[] = []
  try {
    const contestants = []
    for (const { clients, count } of SIZES) {
      const each = count / clients
      const targets = [
        { who: 'bare ws', target: await open('bare', clients, children, sockets) },
        { who: 'pet socket, memory store', target: await open('banksman', clients, children, sockets) },
      ]
      for (const exchange of EXCHANGES) {
        for (const { who, target } of targets) {
          await target[exchange](each)
          contestants.push({
            name: `${who}, ${exchange}, ${clientsText(clients)}`,
            unit: '/s',
            run: () => perSecond(count, () => target[exchange](each)),
          })
        }
      }
    }
    const figures = await interleave(contestants, rounds)
    const pairs = SIZES.flatMap(({ clients }) =>
      EXCHANGES.map((exchange) => `${exchange}, ${clientsText(clients)}`),
    )
    const ratios = pairs.map((name, index) => {
      return ratio(`pet socket / bare ws, ${name}`, figures[index * 2 + 1]!, figures[index * 2]!)
    })
    return [...figures, ...ratios]
  } finally {
    for (const socket of sockets) socket.terminate()
    for (const child of children) child.kill('SIGKILL')
  }
}

function clientsText(count: number): string {
  return `${count.toLocaleString('en')} client${count === 1 ? '' : 's'}`
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
  child.once('exit', () => {
    if (child.killed) return
    console.error(`the ${kind} server ended in the middle of a measurement`)
    process.exit(1)
  })
  const own: WebSocket[] = []
  let left = 0
  let isAsking = false
  let done = () => {}
  const begin = (each: number, start: () => void) =>
    new Promise<void>((resolve) => {
      left = each * clients
      done = resolve
      start()
    })
  const acknowledged = (socket: WebSocket) => {
    if (--left === 0) done()
    else if (isAsking && left >= clients) socket.send(COMMAND)
  }
  const protocols = kind === 'bare' ? [] : ['pet', `token.${token}`]
  for (let client = 0; client < clients; client++) {
    own.push(await connect(`${url}?sessionId=c${client}`, protocols, acknowledged))
  }
  sockets.push(...own)
  return {
    commands(each) {
      isAsking = true
      return begin(each, () => {
        for (const socket of own) socket.send(COMMAND)
      })
    },
    approvals(each) {
      isAsking = false
      return begin(each, () => child.send({ clients, each }))
    },
  }
}

const COMMAND = JSON.stringify({ action: 'health_check', data: {}, request_id: 'req_1714896000123456789' })

/** A client that approves whatever it is asked. */
function connect(
  url: string,
  protocols: string[],
  acknowledged: (socket: WebSocket) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url, protocols)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (text) => {
      const { push_type: type, data, status, error } = JSON.parse(String(text))
      if (type === 'init_status') resolve(socket)
      else if (type === 'tool_approval') {
        const answer = { request_id: data.request_id, approved: true }
        socket.send(JSON.stringify({ action: 'tool_approval_response', data: answer }))
      } else if (status === 'ok') acknowledged(socket)
      else if (status !== undefined) throw new Error(`an answer was refused: ${error}`)
    })
  })
}
