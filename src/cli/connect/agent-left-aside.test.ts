/** A program of a coding agent that is only where packages of a project put programs: it isn't taken, and nobody is told that there is none. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeCliFolder } from '../fixtures/program.ts'

const place = makeCliFolder()
afterAll(() => place.remove())

it('says where claude is and why it is left aside, instead of that there is none in PATH', async () => {
  const folder = join(place.folder, 'node_modules/.bin')
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'claude')
  writeFileSync(program, `#!/bin/sh\necho '2.1.325 (Claude Code)'\n`)
  chmodSync(program, 0o755)
  const environment = { PATH: `${folder}:/nowhere` }
  const { code, stderr } = await place.run(['connect', 'claude-code', '--yes'], { environment })
  expect(code).toBe(1)
  expect(stderr).toContain(`found only at ${program}, which is left aside because packages of a project`)
  expect(stderr).toContain(`--program ${program}`)
  expect(stderr).not.toContain('there is no `claude`')
  const { stdout } = await place.run(['connect'], { environment })
  expect(stdout).toContain(`Claude Code: found only at ${program}`)
  expect(stdout).toContain('Codex: not found on this machine')
})
