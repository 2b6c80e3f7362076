/** Every example runs against the built package, checks itself, and says so. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './source-files.ts'

const EXAMPLES = join(ROOT, 'examples')

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist', 'index.js'))) return
  const built = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, encoding: 'utf8' })
  expect(built.stdout).toBe('')
}, 60_000)

describe('examples', () => {
  for (const name of readdirSync(EXAMPLES)) {
    it(`${name} runs and is as it should be`, () => {
      const program = join(EXAMPLES, name, `${name}.js`)
      const result = spawnSync(process.execPath, [program, '--check'], {
        cwd: join(EXAMPLES, name),
        encoding: 'utf8',
      })
      expect(result.stderr).toBe('')
      expect(result.stdout).toContain(`${name}: as it should be`)
      expect(result.status).toBe(0)
    })
  }
})
