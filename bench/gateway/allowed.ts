/** What `guard` adds to a call that the policy allows, beside the bare function. */
import { nextCall, openBenchGateway } from '../bench-gateway.ts'
import { type Figure, figure, interleave, microsecondsEach } from '../measure.ts'

const CALLS = 20_000

export async function benchAllowed(rounds: number): Promise<Figure[]> {
  const { gateway, close } = await openBenchGateway()
  try {
    const tool = (args: object) => Object.keys(args).length
    const bareLoop = async () => {
      for (let count = 0; count < CALLS; count++) await tool(nextCall('read_file').arguments)
    }
    const guardLoop = async () => {
      for (let count = 0; count < CALLS; count++) await gateway.guard(nextCall('read_file'), tool)
      // What nobody waited for is part of the price.
      await gateway.flush()
    }
    /** What a single caller feels: the record is written later, and nobody waits for it. */
    const medianLatency = async (call: () => unknown) => {
      const times = new Float64Array(CALLS)
      for (let count = 0; count < CALLS; count++) {
        const startedAt = performance.now()
        await call()
        times[count] = (performance.now() - startedAt) * 1000
      }
      await gateway.flush()
      return times.sort()[CALLS / 2]!
    }
    await guardLoop()
    const [bare, guarded, bareCall, guardedCall] = (await interleave(
      [
        { name: 'bare function', unit: 'µs', run: () => microsecondsEach(CALLS, bareLoop) },
        { name: 'allowed call through guard', unit: 'µs', run: () => microsecondsEach(CALLS, guardLoop) },
        {
          name: 'bare function, median of single calls',
          unit: 'µs',
          run: () => medianLatency(() => tool(nextCall('read_file').arguments)),
        },
        {
          name: 'allowed call through guard, median of single calls',
          unit: 'µs',
          run: () => medianLatency(() => gateway.guard(nextCall('read_file'), tool)),
        },
      ],
      rounds,
    )) as [Figure, Figure, Figure, Figure]
    const added = (to: Figure, by: Figure) => by.rounds.map((value, index) => value - to.rounds[index]!)
    return [
      bare,
      guarded,
      figure('added by guard, all of its work counted (target at most 20)', 'µs', added(bare, guarded)),
      bareCall,
      guardedCall,
      figure('added by guard to the time a caller waits', 'µs', added(bareCall, guardedCall)),
    ]
  } finally {
    await close()
  }
}
