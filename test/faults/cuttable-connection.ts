/** A line between a node and its store that can be cut, or held so that nothing comes through and nobody is told. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttableConnection {
  readonly port: number
  /** Every connection breaks, and new ones are refused, until it is mended. */
  cut(): void
  /** Connections stay, and nothing comes through, as behind a switch that lost its power. */
  hold(): void
  mend(): void
  /** Every connection breaks, and new ones lead elsewhere: what an address does in a failover. */
  turnTo(port: number): void
  close(): Promise<void>
}

export async function openCuttableConnection(to: number): Promise<CuttableConnection> {
  let target = to
  const pairs = new Set<[Socket, Socket]>()
  let state: 'whole' | 'cut' | 'held' = 'whole'
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const [one, other] of [pair, [far, near] as const]) {
      one.setNoDelay(true)
      one.on('data', (bytes) => void other.write(bytes))
      one.on('error', () => {})
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
      if (state === 'held') one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut'
      for (const [near] of pairs) near.destroy()
    },
    hold() {
      state = 'held'
      for (const sockets of pairs) for (const socket of sockets) socket.pause()
    },
    mend() {
      state = 'whole'
      for (const sockets of pairs) for (const socket of sockets) socket.resume()
    },
    turnTo(port) {
      target = port
      for (const [near] of pairs) near.destroy()
    },
    async close() {
      for (const [near] of pairs) near.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
