/** What `guard` adds to a call that the policy allows, beside the bare function. */
import { nextCall, openBenchHouse } from './house.ts'
import { type Figure, figure, interleave, microsecondsEach } from './measure.ts'

const CALLS = 20_000

export async function benchAllowed(rounds: number): Promise<Figure[]> {
  const { gateway, close } = await openBenchHouse()
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
    await guardLoop()
    const [bare, guarded] = (await interleave(
      [
        { name: 'bare function', unit: 'µs', run: () => microsecondsEach(CALLS, bareLoop) },
        { name: 'allowed call through guard', unit: 'µs', run: () => microsecondsEach(CALLS, guardLoop) },
      ],
      rounds,
    )) as [Figure, Figure]
    const added = guarded.rounds.map((value, index) => value - bare.rounds[index]!)
    return [bare, guarded, figure('added by guard (target at most 20)', 'µs', added)]
  } finally {
    await close()
  }
}
