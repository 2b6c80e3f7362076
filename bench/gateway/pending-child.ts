/** `fill <folder> <count>` opens and waits for so many requests; `answer <folder>` starts and decides one. */
import { agent, nextCall, openBenchGateway, people } from '../bench-gateway.ts'

const [step, folder, count = '0'] = process.argv.slice(2)
const { gateway } = await openBenchGateway(folder)

if (step === 'fill') {
  const total = Number(count)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const BATCH = 500
  for (let done = 0; done < total; done += BATCH) {
    await Promise.all(
      Array.from({ length: BATCH }, async (_, index) => {
        // At most 100 may be pending in a session.
        const call = { ...nextCall(), session: `session-${Math.floor((done + index) / 100)}` }
        await gateway.review(call, agent)
        void gateway.guard(call, () => 'done')
      }),
    )
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  globalThis.gc?.()
  const after = process.memoryUsage().heapUsed
  console.log(JSON.stringify({ heapBytesEach: (after - before) / total }))
} else {
  const { items } = await gateway.list({ state: 'pending', limit: 1 }, people.ana)
  const { id, digest } = items[0]!
  await gateway.decide(id, { decision: 'approve', digest }, people.ana)
  console.log(JSON.stringify({ answeredAt: 1 }))
}
