/** The examples of frameworks run against the packed package, and check themselves. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXAMPLES } from '../packed/packed-modules.ts'

/** What they have in common, and those whose frameworks are installed at the root: `test/docs` runs them. */
const OTHERS = ['story.js', 'ai-sdk.js', 'langchain.js']

it.each(readdirSync(EXAMPLES).filter((file) => !OTHERS.includes(file)))('%s is as it should be', (file) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLES, file)], {
    encoding: 'utf8',
    timeout: 80_000,
  })
  expect(stderr).toBe('')
  expect(stdout).toContain(`${file.replace('.js', '')}: as it should be`)
  expect(status).toBe(0)
})
