/** The bare notification of a server: LISTEN and NOTIFY, or SUBSCRIBE and PUBLISH, with nothing of ours around it. */
import { createClient } from '@redis/client'
import pg from 'pg'
import type { SharedServer } from './servers.ts'

export interface Notifier {
  send(): Promise<void>
  listen(heard: () => void): Promise<void>
  close(): Promise<void>
}

const CHANNEL = 'bench_notification'

export async function createNotifier(kind: SharedServer['kind'], url: string): Promise<Notifier> {
  if (kind === 'postgres') {
    const client = new pg.Client(url)
    await client.connect()
    return {
      send: async () => void (await client.query(`SELECT pg_notify('${CHANNEL}', 'x')`)),
      async listen(heard) {
        client.on('notification', heard)
        await client.query(`LISTEN ${CHANNEL}`)
      },
      close: () => client.end(),
    }
  }
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  return {
    send: async () => void (await client.publish(CHANNEL, 'x')),
    listen: (heard) => client.subscribe(CHANNEL, heard),
    close: async () => client.destroy(),
  }
}
