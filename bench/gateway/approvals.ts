/** Approvals and whole guards on SQLite, against the raw append and fdatasync of the same disk. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { approveOne, guardOne, inFlight, openBenchGateway } from '../bench-gateway.ts'
import { type Figure, interleave, perSecond, ratio } from '../measure.ts'

/** About what is said in one step: the call, its journal entry, its state. And the least that a store of pages can write. */
const RAW_BYTES = [1024, 4096] as const
const ONE_AT_A_TIME = 1000
const MANY = 12_000
const WIDTH = 64

export async function benchApprovals(rounds: number): Promise<Figure[]> {
  const { gateway, folder, close } = await openBenchGateway()
  try {
    // A first round warms up code, statements and file.
    await inFlight(WIDTH, 2000, () => approveOne(gateway))
    const [raw, rawPage, one, many, oneGuard, manyGuards] = (await interleave(
      [
        ...RAW_BYTES.map((bytes) => ({
          name: `raw append + fdatasync, ${bytes} B at a time`,
          unit: '/s',
          run: () => rawAppends(join(folder, 'raw'), bytes),
        })),
        {
          name: 'approval, one at a time',
          unit: '/s',
          run: () => perSecond(ONE_AT_A_TIME, () => inFlight(1, ONE_AT_A_TIME, () => approveOne(gateway))),
        },
        {
          name: `approval, ${WIDTH} in flight (target 15,000)`,
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
    )) as [Figure, Figure, Figure, Figure, Figure, Figure]
    return [
      raw,
      rawPage,
      one,
      ratio('approval one at a time / half the raw rate at 1 kB (target 0.75, aim 0.90)', one, raw, 1 / 2),
      ratio('approval one at a time / half the raw rate at 4 kB', one, rawPage, 1 / 2),
      many,
      oneGuard,
      ratio('guard one at a time / a quarter of the raw rate at 1 kB', oneGuard, raw, 1 / 4),
      manyGuards,
    ]
  } finally {
    await close()
  }
}

async function rawAppends(file: string, bytes: number): Promise<number> {
  const record = Buffer.alloc(bytes, 1)
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
