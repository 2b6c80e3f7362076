/** The session that somebody means: by its id, the beginning of one, or the name of its folder. Any other session by its whole id. */
import { basename } from 'node:path'
import { type Client, isClientError, type WireSessionRow } from '../../client/index.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { CommandFailure } from '../output/failures.ts'

/** A shorter beginning of an id is a mistake more often than not. */
const LEAST = 4

export async function findSession(client: Client, written: string): Promise<string> {
  const rows = await readAllPages((next) =>
    client.sessions({ coding: true, closed: true, limit: 200, ...next }),
  )
  const usable = rows.filter(({ coding }) => coding?.state !== 'ended')
  if (rows.some(({ id }) => id === written)) return written
  const byId = written.length < LEAST ? [] : usable.filter(({ id }) => id.startsWith(written))
  const isIn = ({ coding }: WireSessionRow) =>
    coding !== undefined && (coding.folder === written || basename(coding.folder) === written)
  const open = usable.filter((row) => isIn(row) && row.coding?.state !== 'closed')
  const found = byId.length > 0 ? byId : open.length > 0 ? open : usable.filter(isIn)
  if (found.length === 1) return found[0]!.id
  if (found.length > 1)
    throw new CommandFailure(
      'several',
      `${JSON.stringify(written)} can mean ${found.length} sessions: ${found.map(({ id }) => id).join(', ')}. Write more of the id`,
    )
  try {
    return (await client.session(written)).id
  } catch (error) {
    if (!isClientError(error, 'unknown_id')) throw error
    throw new CommandFailure(
      'unknown_id',
      `there is no session ${JSON.stringify(written)}; \`banksman sessions list --closed\` lists yours, and an id, the beginning of one, or the name of the folder will do`,
    )
  }
}
