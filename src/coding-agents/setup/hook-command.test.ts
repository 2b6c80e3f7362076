/** The command that agents run before a call, with each shell that may be `/bin/sh`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beforeCommand } from './hook-command.ts'
import { shellWord } from './shell-word.ts'

let folder: string
let script: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command it's $(x) "))
  script = join(folder, 'hook')
})
afterEach(() => rmSync(folder, { recursive: true }))

const SHELLS = ['/bin/dash', '/bin/bash', '/bin/zsh', '/bin/busybox'].filter((shell) => existsSync(shell))

describe.each(SHELLS)('read by %s', (shell) => {
  function run(text: string | undefined, environment: Record<string, string> = {}) {
    if (text !== undefined) writeFileSync(script, text)
    const link = join(folder, 'sh')
    if (!existsSync(link)) symlinkSync(shell, link)
    const command = beforeCommand({ script }).replace('/bin/sh', shellWord(link))
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...environment },
      input: '{}',
    })
    return { status, stdout, stderr }
  }

  it('an answer is handed on', () => {
    const text = `cat; exit "\${ok:-0}"`
    expect(run(text)).toEqual({ status: 0, stdout: '{}', stderr: '' })
    expect(run(text, { ok: '1', no: '0' })).toMatchObject({ status: 0 })
  })

  it('P5: a no is a no, with the words of the script alone, whatever the environment says', () => {
    const text = `echo why >&2; exit "\${no:-2}"`
    expect(run(text)).toEqual({ status: 2, stdout: '', stderr: 'why\n' })
    expect(run(text, { ok: '65', no: '64' })).toEqual({ status: 2, stdout: '', stderr: 'why\n' })
  })

  it.each([
    ['is gone', undefined],
    ['is empty', ''],
    ['is cut off', 'body=$(cat'],
    ['ends well without an answer', 'exit 0'],
    ['ends with a code that agents take for a yes', 'exit 1'],
    ['ends with two and no reason', 'exit 2'],
    ['has a program that is not there', '/nowhere/curl || exit $?'],
    ['is killed', "sh -c 'kill -9 $PPID'\ntrue"],
    ['is asked to end', "sh -c 'kill -15 $PPID'\ntrue"],
  ])('P5: a script that %s is a no with a reason', (_, text) => {
    const { status, stderr } = run(text)
    expect(status).toBe(2)
    expect(stderr).toContain('Banksman: not allowed: its hook could not be run')
  })
})
