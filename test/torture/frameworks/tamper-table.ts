/** Changes JSON in a SQLite file that a framework keeps, as somebody could who can write the file. */
import { DatabaseSync } from 'node:sqlite'
import { changeObjects } from '../contestant.ts'

export function tamperTable(
  file: string,
  { table, column, isBlob = false }: { table: string; column: string; isBlob?: boolean },
  change: (members: Record<string, unknown>) => Record<string, unknown>,
): void {
  const database = new DatabaseSync(file)
  database.function('tampered', (text) => JSON.stringify(changeObjects(JSON.parse(String(text)), change)))
  const changed = `tampered(CAST(${column} AS TEXT))`
  database.exec(`UPDATE ${table} SET ${column} = ${isBlob ? `CAST(${changed} AS BLOB)` : changed}`)
  database.close()
}
