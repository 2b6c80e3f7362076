import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../architecture/source-files.ts'
import { describeBroken, runSeeds } from './run-seeds.ts'
import { simulate } from './simulate.ts'

const run = promisify(execFile)
const MINUTES = 60_000

describe('a simulated world', () => {
  it(
    'P1, P2, P3, P4, P5, P6, P7, P8 and P10: every promise holds in four hundred of them',
    async () => {
      const summary = await runSeeds(1, 400)
      expect(summary.broken === undefined ? '' : describeBroken(summary.broken)).toBe('')
      // One in which nothing fails, or nobody does anything, proves nothing.
      for (const [kind, count] of Object.entries(summary.faults))
        expect([kind, count > 40]).toEqual([kind, true])
      expect(summary.tally.runs).toBeGreaterThan(400)
      expect(summary.tally.decisions).toBeGreaterThan(2000)
      expect(summary.tally.released).toBeGreaterThan(200)
      expect(summary.tally.successors).toBeGreaterThan(200)
      expect(summary.tally.replayed).toBeGreaterThan(40)
    },
    5 * MINUTES,
  )

  it(
    'is the same world again, byte for byte, from the same seed',
    async () => {
      const [first, second, other] = [await simulate(7), await simulate(7), await simulate(8)]
      expect(second.trace).toEqual(first.trace)
      expect(second.hash).toBe(first.hash)
      expect(other.hash).not.toBe(first.hash)
      const script = join(ROOT, 'scripts', 'simulate.ts')
      const { stdout } = await run(process.execPath, [script, '--seed', '7'], { timeout: MINUTES })
      expect(stdout).toBe(`${first.trace.join('\n')}\n`)
    },
    2 * MINUTES,
  )

  it(
    'is not begun with options that are not understood',
    async () => {
      const script = join(ROOT, 'scripts', 'simulate.ts')
      for (const options of [
        ['--seeds', 'many'],
        ['--seed', '0'],
        ['--sed', '1'],
      ]) {
        const failed = await run(process.execPath, [script, ...options], { timeout: MINUTES }).catch(
          (error) => error,
        )
        expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('--seeds N') })
      }
    },
    MINUTES,
  )
})
