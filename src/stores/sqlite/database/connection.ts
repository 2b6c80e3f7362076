/**
 * The smallest shape of a SQLite connection that the store needs, and how one is opened. Tests put a seam here to
 * make any single read or write fail.
 */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { BanksmanError } from '../../../core/errors.ts'

export interface SqliteConnection {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Statement {
  run(...parameters: SqlValue[]): { changes: number | bigint }
  get(...parameters: SqlValue[]): Row | undefined
  all(...parameters: SqlValue[]): Row[]
  /** Where the driver has it: rows come as lists, which spares it making an object of names for each. */
  setReturnArrays?(on: boolean): void
}

/** A statement whose rows come as lists, in the order of the columns. */
export interface TupleStatement {
  get(...parameters: SqlValue[]): SqlValue[] | undefined
}

export type SqlValue = string | number | null
export type Row = Record<string, string | number | null>

export function openConnection(path: string): SqliteConnection {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    refuseNetworkFileSystem(path)
    // The arguments of every call are in here. SQLite gives its side files the mode of this one.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    refuseReadOnly(path)
  }
  const Database = loadDriver()
  return new Database(path) as unknown as SqliteConnection
}

interface Driver {
  new (path: string): unknown
}

function loadDriver(): Driver {
  try {
    const sqlite = createRequire(import.meta.url)('node:sqlite') as { DatabaseSync: Driver }
    return sqlite.DatabaseSync
  } catch (cause) {
    throw new BanksmanError(
      'unsupported_runtime',
      `the SQLite store needs Node 22.13 or newer (found ${process.versions.node}); use the memory store, or a newer Node`,
      {},
      { cause },
    )
  }
}

/** SQLite would open such a file for reading, and fail at the first write. Its side files need the folder. */
function refuseReadOnly(path: string): void {
  for (const place of [dirname(path), path]) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK)
    } catch (cause) {
      throw new BanksmanError(
        'store_unavailable',
        `${place} can't be written; check its owner and mode, and that its disk is not mounted read-only`,
        {},
        { cause },
      )
    }
  }
}

/** `f_type` of file systems on which SQLite's locks or shared memory do not hold. */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1397113167: 'AFS',
  12805120: 'Ceph',
  16914839: '9P',
}

function refuseNetworkFileSystem(path: string): void {
  const name = NETWORK_FILE_SYSTEMS[statfsSync(dirname(path)).type >>> 0]
  if (name !== undefined) {
    throw new BanksmanError(
      'store_unavailable',
      `${path} is on a network file system (${name}), where SQLite's locks do not hold; use a local disk, or Postgres or Redis for several machines`,
    )
  }
}

/** Node 22.13 to 22.15 can only make objects; their values come in the order of the columns too. */
export function asTuples(statement: Statement): TupleStatement {
  if (statement.setReturnArrays !== undefined) {
    statement.setReturnArrays(true)
    return statement as unknown as TupleStatement
  }
  return {
    get(...parameters) {
      const row = statement.get(...parameters)
      return row === undefined ? undefined : Object.values(row)
    },
  }
}
