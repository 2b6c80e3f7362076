/**
 * Durable approvals a second, 64 in flight, against a bare client that sends the same statements, 64 in flight, and does
 * nothing else. The statements are those that the driver sent for approvals one at a time; the bare client sends them to
 * a place of its own, where they do the same work.
 */
import { createClient } from '@redis/client'
import pg from 'pg'
import { type Gateway, openGateway } from '../../src/index.ts'
import { BEGIN } from '../../src/stores/redis/scripts/begin.ts'
import { approveOne, inFlight } from '../bench-gateway.ts'
import { type Figure, interleave, perSecond, ratio } from '../measure.ts'
import { postgresStatements, redisCommands, startCapture } from './capture.ts'
import { openShared, type SharedServer } from './servers.ts'

const WIDTH = 64
const COUNT = 3000
/** As many connections as the driver's pool has. */
const CONNECTIONS = 10

export async function benchRate(server: SharedServer, rounds: number): Promise<Figure[]> {
  const gateway = await openGateway({ store: await server.open('bench_rate_a'), policy: {}, owner: 'ana' })
  const bare = await createBare(server)
  try {
    await inFlight(WIDTH, 1000, () => approveOne(gateway))
    const [theirs, ours, one] = (await interleave(
      [
        {
          name: `${server.name}: a bare client with the same statements, ${WIDTH} in flight`,
          unit: '/s',
          run: () => bare.run(),
        },
        {
          name: `${server.name}: approvals, ${WIDTH} in flight`,
          unit: '/s',
          run: () => perSecond(COUNT, () => inFlight(WIDTH, COUNT, () => approveOne(gateway))),
        },
        {
          name: `${server.name}: approvals, one at a time`,
          unit: '/s',
          run: () => perSecond(COUNT / 6, () => inFlight(1, COUNT / 6, () => approveOne(gateway))),
        },
      ],
      rounds,
    )) as [Figure, Figure, Figure]
    return [theirs, ours, ratio(`${server.name}: ours / bare (target 0.7)`, ours, theirs), one]
  } finally {
    await bare.close()
    await gateway.close()
  }
}

interface Bare {
  /** Approvals a second. */
  run(): Promise<number>
  close(): Promise<void>
}

/** Each round has statements of its own: the same request can't be opened twice. */
async function createBare(server: SharedServer): Promise<Bare> {
  let round = 0
  const send = await connectBare(server)
  return {
    async run() {
      // A place that the bare client has not seen, of the same length in every statement.
      const [from, to] = [`bench_from_${round}`, `bench_bare_${round}`] as const
      round++
      const { setUp, approvals } = await captureApprovals(server, from)
      await (await openShared(server.kind, server.url, to)).close()
      for (const each of setUp) await send.statement(renamed(each, from, to))
      const mine = approvals.map((pair) => pair.map((each) => renamed(each, from, to)))
      return perSecond(mine.length, () =>
        inFlight(WIDTH, mine.length, async () => {
          for (const each of mine.pop()!) await send.statement(each)
        }),
      )
    },
    close: () => send.close(),
  }
}

/** A statement with its values, or a command with its arguments. */
type Sent = readonly (string | null)[]

/** For the other place, and without the number that the entry follows: the bare client keeps no order. */
function renamed(sent: Sent, from: string, to: string): Sent {
  return sent.map((part, index) => {
    if (part === null) return null
    if (/^\d+$/.test(part) && /^\{.*"prev":/s.test(sent[index - 1] ?? '')) return '0'
    return part.replaceAll(from, to).replace(/"follows":\[\[.*?\]\],/g, '')
  })
}

async function captureApprovals(
  server: SharedServer,
  place: string,
): Promise<{ setUp: Sent[]; approvals: Sent[][] }> {
  // Its tables, or its first keys, are made beforehand: that is no part of what is measured.
  await (await server.open(place)).close()
  const capture = await startCapture(server.port)
  const url = server.url.replace(String(server.port), String(capture.port))
  const gateway: Gateway = await openGateway({
    store: await openShared(server.kind, url, place),
    policy: {},
    owner: 'ana',
  })
  const writes = () => {
    const sent = capture.take()
    return server.kind === 'postgres'
      ? postgresStatements(sent)
          .filter(({ text }) => /\bapply_v/.test(text))
          .map(({ text, values }) => [text, ...values])
      : redisCommands(sent).filter(([command, sha]) => /^EVALSHA$/i.test(command ?? '') && sha !== BEGIN.sha)
  }
  const setUp: Sent[] = []
  const approvals: Sent[][] = []
  // The sessions are made by the first approvals of each: those are not counted.
  for (let count = 0; count < COUNT / 2 + 64; count++) {
    await approveOne(gateway)
    const sent = writes()
    if (count < 64) setUp.push(...sent)
    else approvals.push(sent)
  }
  await gateway.close()
  await capture.close()
  return { setUp, approvals }
}

interface BareConnection {
  statement(sent: Sent): Promise<unknown>
  close(): Promise<void>
}

async function connectBare({ kind, url }: SharedServer): Promise<BareConnection> {
  if (kind === 'postgres') {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
    return {
      statement: ([text, ...values]) => pool.query(text!, values),
      close: () => pool.end(),
    }
  }
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  return { statement: (sent) => client.sendCommand(sent as string[]), close: async () => client.destroy() }
}
