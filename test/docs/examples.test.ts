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

/** One is a folder with programs for each framework. `test/edges` runs those whose packages aren't installed here. */
const FRAMEWORKS = 'frameworks'
const programs = [
  ...readdirSync(EXAMPLES)
    .filter((name) => name !== FRAMEWORKS)
    .map((name) => ({ name, folder: join(EXAMPLES, name) })),
  ...['ai-sdk', 'langchain'].map((name) => ({ name, folder: join(EXAMPLES, FRAMEWORKS) })),
]

describe('examples', () => {
  for (const { name, folder } of programs) {
    it(
      `${name} runs and is as it should be`,
      () => {
        const result = spawnSync(process.execPath, [join(folder, `${name}.js`), '--check'], {
          cwd: folder,
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
