/**
 * The store's contract as tests. Every driver passes them, ours and anyone's: hand in the `describe`, `it` and
 * `expect` of your runner (vitest and jest have them in this shape) and a function that opens an empty store.
 *
 *     import { describe, expect, it } from 'vitest'
 *     describeStore({ describe, it, expect }, 'my store', async () => { … })
 *
 * Names cite the promise that a test checks. After every test the journal is read whole: its numbers must have no
 * gap, and each entry that was handed in must have been told its number exactly once, or be nowhere (P10).
 */

import type { Runner } from './runner.ts'
import { describeCalls } from './store/calls.ts'
import { describeDeliveries } from './store/deliveries.ts'
import { describeEnding } from './store/ending.ts'
import { describeGrants } from './store/grants.ts'
import { describeHolds } from './store/holds.ts'
import { describeJournal } from './store/journal.ts'
import { describeLeases } from './store/leases.ts'
import { describeLifecycle } from './store/lifecycle.ts'
import { describeListing } from './store/listing.ts'
import { describeOpening } from './store/opening.ts'
import { describePeople } from './store/people.ts'
import { describeRecording } from './store/recording.ts'
import { describeRecords } from './store/records.ts'
import { describeSessions } from './store/sessions.ts'
import { describeSharing } from './store/sharing.ts'
import { createSuite, type StoreUnderTest } from './store/store-test.ts'
import { describeSuccession } from './store/succession.ts'
import { describeTransition } from './store/transition.ts'
import { describeTransitionAll } from './store/transition-all.ts'
import { describeTurns } from './store/turns.ts'

export interface StoreSuiteOptions {
  /** Why several store objects can't share the same data. Absent: they can, and `another` opens one more. */
  notShared?: string
}

export function describeStore(
  runner: Runner,
  name: string,
  open: () => Promise<StoreUnderTest>,
  options: StoreSuiteOptions = {},
): void {
  runner.describe(`the store contract: ${name}`, () => {
    const suite = createSuite(runner, open, options.notShared)
    describeOpening(suite)
    describeRecording(suite)
    describeSuccession(suite)
    describeTransition(suite)
    describeTransitionAll(suite)
    describeEnding(suite)
    describeListing(suite)
    describeCalls(suite)
    describeHolds(suite)
    describeGrants(suite)
    describeSessions(suite)
    describeTurns(suite)
    describePeople(suite)
    describeDeliveries(suite)
    describeLeases(suite)
    describeRecords(suite)
    describeJournal(suite)
    describeLifecycle(suite)
    describeSharing(suite)
  })
}

export type { Runner } from './runner.ts'
export type { StoreUnderTest } from './store/store-test.ts'
