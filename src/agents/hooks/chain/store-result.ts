/** Brings what a hook gave in a tool's place into its final form: data goes on the media shelf, references must be there. */
import type { MediaItem } from '../../../core/conversation.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { GivenResult } from '../hook.ts'
import type { StoredResult } from '../hook-chain.ts'
import { failed, messageOf, quote } from './hook-failure.ts'

export interface StoreResultOptions {
  hook: string
  session: string
  shelf: MediaStore
  /** What is known to be there. */
  known?: readonly MediaItem[]
}

export async function storeResult(given: GivenResult, shelving: StoreResultOptions): Promise<StoredResult> {
  const { media, ...rest } = given
  if (media === undefined) return rest
  const items: MediaItem[] = []
  for (const one of media) items.push(await shelve(one, shelving))
  return items.length === 0 ? rest : { ...rest, media: items }
}

async function shelve(
  one: NonNullable<GivenResult['media']>[number],
  { hook, session, shelf, known }: StoreResultOptions,
): Promise<MediaItem> {
  if ('data' in one) {
    try {
      return await shelf.put(session, one)
    } catch (error) {
      throw failed(hook, `its media could not be kept: ${messageOf(error)}`, { cause: error })
    }
  }
  // The shelf's own word on what it is, not the hook's.
  const found = known?.find(({ id }) => id === one.id) ?? (await shelf.get(session, one.id))?.item
  if (found === undefined)
    throw failed(
      hook,
      `there is no media ${quote(one.id)} in this session; give the data, or an id that is there`,
    )
  return found
}
