/** The journal's door. */

// Entries, and the writer's side of a chain

export type { ChainHead, ChainWriter, Entry, EntryDraft, EntryType } from './entry.ts'
export { createChainWriter } from './entry.ts'

// Signed checkpoints, and the file in which they are kept elsewhere

export type { Checkpoint, CheckpointVerdict, Rotation, Signer } from './checkpoints/checkpoint.ts'
export { createSigner, generateSigningKey, verifyCheckpoint } from './checkpoints/checkpoint.ts'
export type { CheckpointFile } from './checkpoints/checkpoint-file.ts'
export { formatStatement, parseCheckpointFile } from './checkpoints/checkpoint-file.ts'
export type { TrustedKeys } from './checkpoints/trusted-keys.ts'
export { trustKeys } from './checkpoints/trusted-keys.ts'

// Reading: from a store, or from an export

export { exportJournal, readExport } from './export-journal.ts'
export type { ChainSize, JournalPager, JournalSource } from './journal-source.ts'
export { pageJournal } from './journal-source.ts'

// Verification

export type { Problem, ProblemKind } from './problems.ts'
export type { ChainReport } from './verification/chain-check.ts'
export { describeReport } from './verification/report-text.ts'
export type { JournalReport, VerifyOptions } from './verification/verify-journal.ts'
export { verifyJournal } from './verification/verify-journal.ts'
