/** With real processes: each leads a group of its own, as the child does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { birthOf } from '../../processes/process-birth.ts'
import { createChildRecords } from './child-records.ts'

let home: string
const started: ChildProcess[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'banksman-children-'))
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

function start(command: string): number {
  const child = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' })
  started.push(child)
  return child.pid!
}
const kept = () => readdirSync(join(home, 'children'))
/** As a server wrote it down that is no more. */
function leave(pid: number, birth: string, by = { pid: 2 ** 22 + 1, birth: 'long ago' }): void {
  mkdirSync(join(home, 'children'), { recursive: true })
  writeFileSync(join(home, 'children', `${pid}.json`), JSON.stringify({ pid, birth, by }))
}
const isAlive = (pid: number) => birthOf(pid) !== undefined

describe('children that were written down', () => {
  it('are ended when the server that started them is no more, with what they have started', async () => {
    const mark = join(home, 'inner')
    // The inner one leaves its parent's group, and doesn't end when it is asked to.
    const pid = start(`setsid sh -c 'trap "" TERM; echo $$ > ${mark}; while true; do sleep 0.1; done' & wait`)
    await until(() => existsSync(mark) && readFileSync(mark, 'utf8').trim() !== '')
    leave(pid, birthOf(pid)!)
    expect(await createChildRecords(home).endLeftovers()).toBe(1)
    expect(isAlive(pid)).toBe(false)
    const inner = Number(readFileSync(mark, 'utf8'))
    expect(isAlive(inner)).toBe(false)
    expect(kept()).toEqual([])
  })

  it('are left alone while the server that started them runs', async () => {
    const pid = start('sleep 60')
    const records = createChildRecords(home)
    records.add(pid)
    expect(kept()).toEqual([`${pid}.json`])
    expect(await createChildRecords(home).endLeftovers()).toBe(0)
    expect(isAlive(pid)).toBe(true)
    records.remove(pid)
    expect(kept()).toEqual([])
  })

  it('are left alone where another process has the number by now', async () => {
    const pid = start('sleep 60')
    leave(pid, `${birthOf(pid)}0`)
    expect(await createChildRecords(home).endLeftovers()).toBe(0)
    expect(isAlive(pid)).toBe(true)
    expect(kept()).toEqual([])
  })

  it('of a server whose number another process has by now are ended', async () => {
    const pid = start('sleep 60')
    leave(pid, birthOf(pid)!, { pid: process.pid, birth: 'another life' })
    const ended = once(started[0]!, 'exit')
    expect(await createChildRecords(home).endLeftovers()).toBe(1)
    await ended
  })

  it.each(['', '{', '{"pid":1,"birth":"x","by":{"pid":5,"birth":"y"}}', '{"pid":-1}', '[]', 'null'])(
    'a file that says %j ends nothing, and goes',
    async (text) => {
      mkdirSync(join(home, 'children'), { recursive: true })
      writeFileSync(join(home, 'children', '7.json'), text)
      expect(await createChildRecords(home).endLeftovers()).toBe(0)
      expect(kept()).toEqual([])
    },
  )

  it('one that has ended is not written down', async () => {
    const pid = start('exit 0')
    await once(started[0]!, 'exit')
    createChildRecords(home).add(pid)
    expect(existsSync(join(home, 'children'))).toBe(false)
  })
})
