/** What holds files to the workspace, against someone who swaps folders and links all the time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/json/json.ts'
import { createBuiltInTools } from '../built-in-tools.ts'
import { openToolFixture, type ToolFixture } from '../fixtures/tool-fixture.ts'
import { createExec } from '../processes/exec.ts'
import { createAppendFile } from './append-file.ts'
import { createEditFile } from './edit-file.ts'
import { createListDir } from './list-dir.ts'
import { createReadFile } from './read-file.ts'
import { createSearchFiles } from './search-files.ts'
import { openWorkspace } from './workspace.ts'
import { createWriteFile } from './write-file.ts'

const readTool = createReadFile()
const writeTool = createWriteFile()
const editFile = createEditFile()
const appendFile = createAppendFile()
const listDir = createListDir()
const searchFiles = createSearchFiles()
let bench: ToolFixture
let swapper: ChildProcess | undefined

beforeEach(async () => {
  bench = await openToolFixture()
})
afterEach(async () => {
  if (swapper !== undefined) {
    const gone = new Promise((resolve) => swapper?.once('exit', resolve))
    if (swapper.kill('SIGKILL')) await gone
    swapper = undefined
  }
  await bench.close()
})

/** `d` is by turns a folder of the workspace and a link to the one outside, thousands of times a second. */
async function swapFolders(): Promise<void> {
  await mkdir(join(bench.workspace, 'd'))
  await writeFile(join(bench.workspace, 'd', 'secret.txt'), 'the harmless one')
  await symlink(bench.outside, join(bench.workspace, 'link'))
  const script = `
    const { renameSync } = require('node:fs')
    let made = 0
    // A tool may have made the folder anew in the moment when there was none.
    const move = (from, to) => {
      for (;;) {
        try { return renameSync(from, to) } catch { renameSync(to, '../made-' + made++) }
      }
    }
    console.log('ready')
    for (;;) {
      move('d', 'real'); move('link', 'd')
      move('d', 'link'); move('real', 'd')
    }`
  swapper = spawn(process.execPath, ['-e', script], {
    cwd: bench.workspace,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => swapper?.stdout?.once('data', resolve))
}

const ROUNDS = 40

describe.skipIf(process.platform !== 'linux')('P5: whoever swaps folders while a tool works', () => {
  it('does not get it to read or write outside', async () => {
    await swapFolders()
    const path = 'd/secret.txt'
    const seen = { done: 0, refused: 0 }
    const exec = createExec()
    for (let round = 0; round < ROUNDS; round++) {
      const results = await Promise.all([
        bench.run(readTool, { path }),
        bench.run(searchFiles, { path: 'd', pattern: 'the' }),
        bench.run(listDir, { path: 'd', depth: 2 }),
        bench.run(writeTool, { path, content: 'the harmless one' }),
        bench.run(writeTool, { path: `d/new-${round}/x`, content: 'new' }),
        bench.run(appendFile, { path: 'd/log', content: 'x' }),
        bench.run(editFile, { path, oldText: 'the harmless', newText: 'the  harmless' }),
        ...(round % 10 === 0
          ? [bench.run(exec, { command: 'cat', arguments: ['secret.txt'], cwd: 'd' })]
          : []),
      ])
      for (const { text, isError } of results) {
        seen[isError === true ? 'refused' : 'done']++
        expect(text).not.toContain('the secret')
      }
    }
    // Without both it was no race.
    expect(seen.done).toBeGreaterThan(ROUNDS / 10)
    expect(seen.refused).toBeGreaterThan(ROUNDS / 10)
    expect(await readdir(bench.outside)).toEqual(['secret.txt'])
    expect(await readFile(join(bench.outside, 'secret.txt'), 'utf8')).toBe('the secret')
  })
})

describe.each(['descriptors', 'comparison'] as const)('held by %s', (holding) => {
  it.skipIf(holding === 'descriptors' && process.platform !== 'linux')(
    'finds, makes and refuses the same',
    async () => {
      await writeFile(join(bench.workspace, 'a'), 'x')
      await symlink('a', join(bench.workspace, 'inner'))
      await symlink('nowhere', join(bench.workspace, 'dangling'))
      await symlink(bench.outside, join(bench.workspace, 'out'))
      const workspace = await openWorkspace(join(bench.workspace, '..', 'workspace'), { holding })
      const inner = await workspace.file('inner')
      expect(workspace.nameOf(inner.real)).toBe('a')
      await inner.close()
      expect(await workspace.find('none')).toBeUndefined()
      expect(await workspace.find('a/below')).toBeUndefined()
      expect(await workspace.find('dangling')).toBeUndefined()
      for (const path of ['out', 'out/secret.txt', '..', '/', '/etc/passwd', '/dev/null', '/proc/version']) {
        await expect(workspace.find(path)).rejects.toThrow('outside of the workspace')
      }
      const { folder, name } = await workspace.placeFor('x/y/z.txt')
      expect([workspace.nameOf(folder.real), name]).toEqual(['x/y', 'z.txt'])
      const link = await workspace.within(folder, 'none')
      expect(link).toBeUndefined()
      await folder.close()
      for (const path of ['out/new/x', 'a/x', '../x', 'dangling/x']) {
        await expect(workspace.placeFor(path)).rejects.toThrow()
      }
      expect(await readdir(bench.outside)).toEqual(['secret.txt'])
    },
  )

  it.skipIf(holding === 'descriptors' && process.platform !== 'linux')(
    'a workspace that is the whole disk has no system in it',
    async () => {
      const workspace = await openWorkspace('/', { holding })
      for (const path of ['/proc/version', '/proc/self/environ', '/sys/kernel', '/dev/null', 'proc']) {
        await expect(workspace.find(path)).rejects.toThrow('outside of the workspace')
      }
      const etc = await workspace.folder('etc')
      expect(etc.real).toBe('/etc')
      await etc.close()
    },
  )
})

describe('P11: what is kept out', () => {
  it('is not read, written, made, listed or searched, however it is named', async () => {
    const data = join(bench.workspace, '.banksman')
    const configuration = join(bench.workspace, 'banksman.yaml')
    await mkdir(join(data, 'inner'), { recursive: true })
    await writeFile(join(data, 'key'), 'the secret')
    await symlink('.banksman', join(bench.workspace, 'link'))
    await symlink('.banksman/key', join(bench.workspace, 'key'))
    const keepOut = () => [data, configuration, join(bench.workspace, 'later')]
    const tools = createBuiltInTools({ own: () => [], keepOut })
    const run = (name: string, args: JsonObject) => bench.run(tools.find((tool) => tool.name === name)!, args)
    const paths = [
      '.banksman/key',
      'link/key',
      'key',
      '.banksman/new',
      'banksman.yaml',
      'later/x/y',
      'link/inner/../key',
    ]
    for (const path of paths) {
      for (const result of [
        await run('read_file', { path }),
        await run('write_file', { path, content: 'x' }),
        await run('append_file', { path, content: 'x' }),
        await run('edit_file', { path, oldText: 'the', newText: 'x' }),
      ]) {
        expect(result).toMatchObject({ isError: true })
      }
    }
    for (const path of ['.banksman', 'link', '.banksman/inner']) {
      expect(await run('list_dir', { path })).toMatchObject({ isError: true })
      expect(await run('exec', { command: 'ls', cwd: path })).toMatchObject({ isError: true })
    }
    expect((await run('list_dir', { path: '.', depth: 5 })).text).not.toContain('inner')
    expect((await run('search_files', { pattern: 'the secret' })).text).toBe('[nothing found]')
    expect(await readFile(join(data, 'key'), 'utf8')).toBe('the secret')
    expect((await readdir(bench.workspace)).sort()).toEqual(['.banksman', 'key', 'link'])
    expect(await run('write_file', { path: '.banksman-2', content: 'x' })).not.toHaveProperty('isError')
  })
})
