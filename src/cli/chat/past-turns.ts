/** Where to begin listening to a conversation that was there before: at its last turn, which is then told again. */

import type { Client } from '../../client/index.ts'
import { defined } from '../../core/defined.ts'

const PAGE = 200

/** The id to listen after; undefined where nothing was ever said. */
export async function lastTurnOf(
  client: Client,
  session: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let turn: string | undefined
  let after: string | undefined
  do {
    const page = await client.turns(session, { limit: PAGE, ...defined({ after }) }, { signal })
    for (const entry of page.items) if (entry.kind === 'begun') turn = entry.turn
    after = page.cursor
  } while (after !== undefined)
  return turn === undefined ? undefined : `${turn}-0`
}
