/** Drafts journal entries for everything the gateway commits, and keeps the chain's head up to date. */
import type { JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { ChainWriter, EntryDraft, EntryType } from '../../journal/entry.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import { withMaskedReason } from './mask-reason.ts'

export interface JournalWriter extends Pick<ChainWriter, 'draftTexts' | 'lags'> {
  /** `said`: the request that a reason in it is about. The reason may quote its call, so secrets in it are masked. */
  entry(
    type: EntryType,
    members: JsonObject,
    about?: { request: string; version: number },
    said?: Request,
  ): EntryDraft
  /**
   * After a failure: reads back what was committed although nobody here was told, so that the chain's head moves on, and
   * notices when the head itself is no longer in the store.
   */
  catchUp(): Promise<void>
}

export interface JournalWriterPorts {
  store: Pick<Store, 'now' | 'journal'>
  chain: ChainWriter
  policy: () => Policy
  /** Called when the store lacks entries that it had acknowledged. */
  noticeLoss: () => void
}

const CATCH_UP = 1000

export function createJournalWriter({ store, chain, policy, noticeLoss }: JournalWriterPorts): JournalWriter {
  return {
    entry: (type, members, about, said) =>
      chain.draft(type, store.now(), withMaskedReason(members, said, policy), about),
    draftTexts: chain.draftTexts,
    lags: chain.lags,
    async catchUp() {
      const head = chain.head()
      if (head.n > 0 && (await store.journal.read(chain.chain, head.n - 1, 1)).length === 0) noticeLoss()
      if (!chain.lags()) return
      for (const { n, body } of await store.journal.read(chain.chain, chain.head().n, CATCH_UP))
        chain.found(n, body)
    },
  }
}
