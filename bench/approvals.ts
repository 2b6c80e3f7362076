/** Approvals and whole guards on SQLite, against the raw append and fdatasync of the same disk. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { approveOne, guardOne, inFlight, openBenchHouse } from './house.ts'
import { type Figure, interleave, perSecond, ratio } from './measure.ts'

/** About what an approval's record has: its call, its journal entry and its state. */
const RAW_BYTES = 1024
const ONE_AT_A_TIME = 1000
const MANY = 12_000
const WIDTH = 64

export async function benchApprovals(rounds: number): Promise<Figure[]> {
  const { gateway, folder, close } = await openBenchHouse()
  try {
    // A first round warms up code, statements and file.
    await inFlight(WIDTH, 2000, () => approveOne(gateway))
    const [raw, one, many, oneGuard, manyGuards] = (await interleave(
      [
        { name: 'raw append + fdatasync', unit: '/s', run: () => rawAppends(join(folder, 'raw')) },
        {
          name: 'approval, one at a time',
          unit: '/s',
          run: () => perSecond(ONE_AT_A_TIME, () => inFlight(1, ONE_AT_A_TIME, () => approveOne(gateway))),
        },
        {
          name: `approval, ${WIDTH} in flight`,
          unit: '/s',
          run: () => perSecond(MANY, () => inFlight(WIDTH, MANY, () => approveOne(gateway))),
        },
        {
          name: 'guard, one at a time',
          unit: '/s',
          run: () =>
            perSecond(ONE_AT_A_TIME / 2, () => inFlight(1, ONE_AT_A_TIME / 2, () => guardOne(gateway))),
        },
        {
          name: `guard, ${WIDTH} in flight`,
          unit: '/s',
          run: () => perSecond(MANY / 2, () => inFlight(WIDTH, MANY / 2, () => guardOne(gateway))),
        },
      ],
      rounds,
    )) as [Figure, Figure, Figure, Figure, Figure]
    return [
      raw,
      one,
      ratio('approval one at a time / half the raw rate (target 0.75, aim 0.90)', one, raw, 1 / 2),
      many,
      oneGuard,
      ratio('guard one at a time / a quarter of the raw rate', oneGuard, raw, 1 / 4),
      manyGuards,
    ]
  } finally {
    await close()
  }
}

async function rawAppends(file: string): Promise<number> {
  const record = Buffer.alloc(RAW_BYTES, 1)
  const descriptor = openSync(file, 'w')
  try {
    return await perSecond(2 * ONE_AT_A_TIME, async () => {
      for (let count = 0; count < 2 * ONE_AT_A_TIME; count++) {
        writeSync(descriptor, record)
        fdatasyncSync(descriptor)
      }
    })
  } finally {
    closeSync(descriptor)
    rmSync(file)
  }
}
