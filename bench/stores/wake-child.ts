/** The other node of `wake.ts`: it asks when it is told to, and says when it woke. Arguments: kind, url, place. */
import { createInterface } from 'node:readline'
import { openGateway } from '../../src/index.ts'
import { agent, nextCall } from '../bench-gateway.ts'
import { createNotifier } from './notifier.ts'
import { openShared, type SharedServer } from './servers.ts'

const [kind, url = '', place = ''] = process.argv.slice(2)
const store = await openShared(kind as SharedServer['kind'], url, place)
const gateway = await openGateway({ store, policy: {}, owner: 'ana' })
const notifier = await createNotifier(kind as SharedServer['kind'], url)
const tell = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
const now = () => Number(process.hrtime.bigint()) / 1e6

await notifier.listen(() => tell({ kind: 'heard', at: now() }))
tell({ kind: 'ready' })
createInterface({ input: process.stdin }).on('line', async () => {
  const { request } = await gateway.review(nextCall(), agent)
  const woken = gateway.wait(request!.id)
  tell({ kind: 'asked', id: request!.id, digest: request!.digest })
  await woken
  tell({ kind: 'woke', at: now() })
})
