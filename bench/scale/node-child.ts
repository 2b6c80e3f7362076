/** One node of `nodes.ts`: approves for a while and says how many it did a second. Arguments: kind, url, place, namespace. */
import { once } from 'node:events'
import { openGateway } from '../../src/index.ts'
import { agent, inFlight, nextCall, people } from '../bench-gateway.ts'
import { openShared, type SharedServer } from '../stores/servers.ts'

const FOR_MS = 3000
const [kind, url = '', place = '', namespace = 'default'] = process.argv.slice(2)
const store = await openShared(kind as SharedServer['kind'], url, place, namespace)
const gateway = await openGateway({ store, policy: {}, owner: 'ana', namespace })
const name = `${process.pid}-${Date.now()}`

async function approveOne(): Promise<void> {
  const call = nextCall()
  const mine = { ...call, callId: `${name}-${call.callId}`, session: `${name}-${call.session}` }
  const { request } = await gateway.review(mine, agent)
  const woken = gateway.wait(request!.id)
  await gateway.decide(request!.id, { decision: 'approve', digest: request!.digest }, people.ana)
  await woken
}

await inFlight(32, 200, approveOne)
console.log('ready')
await once(process.stdin, 'data')
const until = performance.now() + FOR_MS
let count = 0
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (performance.now() < until) {
      await approveOne()
      count++
    }
  }),
)
console.log((count / FOR_MS) * 1000)
