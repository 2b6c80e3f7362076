import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codexSetup } from '../../coding-agents/codex/setup.ts'
import { findAgent, findLeftAside, findProgram } from './find-agent.ts'

let folder: string
const before = process.cwd()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-find-'))
  for (const [place, says] of [
    ['project', 'hostile 9.9.9'],
    ['project/node_modules/.bin', 'hostile 9.9.8'],
    ['usr/bin', 'codex-cli 0.166.0'],
  ] as const) {
    mkdirSync(join(folder, place), { recursive: true })
    for (const name of ['codex', 'curl']) {
      const file = join(folder, place, name)
      writeFileSync(file, `#!/bin/sh\necho '${says}' "$PWD"\n`)
      chmodSync(file, 0o755)
    }
  }
  process.chdir(join(folder, 'project'))
})
afterAll(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true })
})

it('P11: takes no program from the folder that one stands in, nor from what npx puts in front', async () => {
  const npx = join(folder, 'project/node_modules/.bin')
  const environment = { PATH: ['.', '', 'node_modules/.bin', npx, join(folder, 'usr/bin')].join(':') }
  const usual = join(folder, 'usr/bin')
  expect(findProgram('curl', environment)).toBe(join(usual, 'curl'))
  expect(await findAgent(codexSetup, { home: folder, environment })).toEqual({
    program: join(usual, 'codex'),
    version: '0.166.0',
  })
})

it('one that npx puts in front is known, so that nobody is told that there is none', () => {
  const npx = join(folder, 'project/node_modules/.bin')
  expect(findLeftAside(codexSetup, { PATH: `${join(folder, 'usr/bin')}:${npx}` })).toBe(join(npx, 'codex'))
  expect(findLeftAside(codexSetup, { PATH: `${join(folder, 'usr/bin')}:node_modules/.bin` })).toBeUndefined()
})

it('one that was named is taken, by its whole path', async () => {
  const found = await findAgent(codexSetup, { home: folder, environment: {} }, './codex')
  expect(found).toEqual({ program: join(process.cwd(), 'codex'), version: '9.9.9' })
})
