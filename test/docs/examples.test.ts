/** Every example runs against the built package, checks itself, and says so. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../architecture/source-files.ts'

const EXAMPLES = join(ROOT, 'examples')
/** One of them starts four servers. */
const RUNS_WITHIN_MS = 120_000

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist', 'index.js'))) return
  const built = spawnSync(process.execPath, ['scripts/build-package.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect(built.stderr).toBe('')
  expect(built.status).toBe(0)
})

describe('examples', () => {
  for (const name of readdirSync(EXAMPLES)) {
    it(
      `${name} runs and is as it should be`,
      () => {
        const program = join(EXAMPLES, name, `${name}.js`)
        const result = spawnSync(process.execPath, [program, '--check'], {
          cwd: join(EXAMPLES, name),
          encoding: 'utf8',
          timeout: RUNS_WITHIN_MS,
        })
        expect(result.stderr).toBe('')
        // One that needs a server of somebody else's says so where there is none; with CI=true that is a failure.
        const isSkipped = result.stdout.startsWith(`${name}: skipped: `)
        if (isSkipped) console.warn(`\n!! ${result.stdout.trim()} !!\n`)
        else expect(result.stdout).toContain(`${name}: as it should be`)
        expect(result.status).toBe(0)
      },
      RUNS_WITHIN_MS,
    )
  }
})
