/**
 * Does a write whose freed places in the file are overwritten. What may hold a call's arguments or a tool's result is replaced and
 * erased in this way only: the promise is that the words are gone, and erasing finds only what is still listed.
 */
import type { Database } from '../database/database.ts'

export function overwriting<T>(database: Database, work: () => T): T {
  database.statement('PRAGMA secure_delete = ON').get()
  const result = work()
  // Where the work failed it stays on, which is slower and as good.
  database.statement('PRAGMA secure_delete = OFF').get()
  return result
}
