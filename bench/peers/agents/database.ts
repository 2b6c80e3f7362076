/** better-sqlite3 as the peers use it, with every commit synced to the disk as ours is. */
import { agentPeerFile } from './install.ts'

export interface Database {
  pragma(text: string, options?: { simple: boolean }): unknown
  exec(sql: string): void
  prepare(sql: string): { run(...values: unknown[]): unknown; get(...values: unknown[]): unknown }
  close(): void
}

const FULL = 2

export async function openDatabase(file: string): Promise<Database> {
  const path = agentPeerFile('better-sqlite3', 'lib/index.js')
  const { default: Opened } = (await import(path)) as { default: new (file: string) => Database }
  const database = new Opened(file)
  database.pragma('journal_mode = WAL')
  // It is built to sync a write-ahead log only now and then; a paused call could be lost with the power.
  database.pragma('synchronous = FULL')
  const mode = database.pragma('journal_mode', { simple: true })
  const synchronous = database.pragma('synchronous', { simple: true })
  if (mode !== 'wal' || synchronous !== FULL)
    throw new Error(`${file} is in mode ${mode} and synchronous ${synchronous}; that would not be the same`)
  return database
}
