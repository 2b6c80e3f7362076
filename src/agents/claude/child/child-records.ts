/**
 * The children that were started, in a folder with a file each. A child outlives a server that is killed, and goes on asking its model.
 * So each is written down before it is told anything, and what is left of a server that has ended is ended before anything begins anew.
 *
 * A number is given to another process in time. So a child is ended only if it was begun when its file says, and only if the process
 * that started it is no more: another server may have the same folder.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../core/json/parse-json.ts'
import { birthOf } from '../../processes/process-birth.ts'
import { endProcessTree } from '../../processes/process-group.ts'

export interface ChildRecords {
  /** Returns after it is on the disk. */
  add(pid: number): void
  remove(pid: number): void
  /** Ends what is left of servers that have ended, and says how many there were. */
  endLeftovers(): Promise<number>
}

interface ChildRecord {
  pid: number
  birth: string
  /** Who started it. */
  by: { pid: number; birth: string }
}

const GRACE_MS = 2000

export function createChildRecords(home: string): ChildRecords {
  const folder = join(home, 'children')
  const self = { pid: process.pid, birth: birthOf(process.pid) ?? '' }
  const fileOf = (pid: number) => join(folder, `${pid}.json`)

  async function endIfLeft(name: string): Promise<boolean> {
    const record = readRecord(join(folder, name))
    // Somebody's who is still there.
    if (record !== undefined && birthOf(record.by.pid) === record.by.birth) return false
    const isAlive = record !== undefined && birthOf(record.pid) === record.birth
    if (isAlive) await endProcessTree(record.pid, GRACE_MS)
    rmSync(join(folder, name), { force: true })
    return isAlive
  }

  return {
    add(pid) {
      const birth = birthOf(pid)
      // It has ended already, or this system doesn't tell.
      if (birth === undefined || self.birth === '') return
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const record: ChildRecord = { pid, birth, by: self }
      const draft = `${fileOf(pid)}.new`
      // Exclusively: a link that somebody has put there is not followed.
      rmSync(draft, { force: true })
      writeFileSync(draft, JSON.stringify(record), { flag: 'wx' })
      renameSync(draft, fileOf(pid))
    },
    remove: (pid) => rmSync(fileOf(pid), { force: true }),
    async endLeftovers() {
      const ended = await Promise.all(namesIn(folder).map(endIfLeft))
      return ended.filter(Boolean).length
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

/** Undefined: it says nothing that could be acted on. */
function readRecord(path: string): ChildRecord | undefined {
  try {
    const { pid, birth, by } = parseJson<ChildRecord>(readFileSync(path, 'utf8'))
    const isWhole = [pid, by?.pid].every(Number.isSafeInteger) && [birth, by?.birth].every(isText)
    return isWhole && pid > 1 ? { pid, birth, by } : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
