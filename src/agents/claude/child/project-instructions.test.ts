import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readProjectInstructions } from './project-instructions.ts'

let top: string
let folder: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-instructions-')))
  folder = join(top, 'shop')
  mkdirSync(join(folder, '.claude'), { recursive: true })
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

describe('the instructions of a project', () => {
  it('are CLAUDE.md and .claude/CLAUDE.md, each with its name', async () => {
    expect(await readProjectInstructions(folder)).toBe('')
    writeFileSync(join(folder, 'CLAUDE.md'), 'Use tabs.')
    writeFileSync(join(folder, '.claude', 'CLAUDE.md'), 'Run the tests.')
    writeFileSync(join(folder, 'CLAUDE.local.md'), 'not this')
    const text = await readProjectInstructions(folder)
    expect(text).toContain('from CLAUDE.md:\n\nUse tabs.')
    expect(text).toContain('Run the tests.')
    expect(text).not.toContain('not this')
  })

  it('a link to a file inside of the folder counts, one that leads out of it does not', async () => {
    writeFileSync(join(top, 'secret'), 'a key')
    symlinkSync(join(top, 'secret'), join(folder, 'CLAUDE.md'))
    expect(await readProjectInstructions(folder)).toBe('')
    rmSync(join(folder, 'CLAUDE.md'))
    writeFileSync(join(folder, 'AGENTS.md'), 'Use tabs.')
    symlinkSync('AGENTS.md', join(folder, 'CLAUDE.md'))
    expect(await readProjectInstructions(folder)).toContain('Use tabs.')
  })

  it('a folder, a pipe and a file that is too long hold nobody up', async () => {
    mkdirSync(join(folder, 'CLAUDE.md'))
    execFileSync('mkfifo', [join(folder, '.claude', 'CLAUDE.md')])
    expect(await readProjectInstructions(folder)).toBe('')
    rmSync(join(folder, 'CLAUDE.md'), { recursive: true })
    writeFileSync(join(folder, 'CLAUDE.md'), 'x'.repeat(100_000))
    const text = await readProjectInstructions(folder)
    expect(text.length).toBeLessThan(70_000)
    expect(text).toContain('the rest of this file was left out')
  })
})
