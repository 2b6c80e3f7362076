/** The journal's door. */

// Entries, and the writer's side of a chain

export type { ChainHead, ChainWriter, Entry, EntryDraft, EntryType } from './entry.ts'
export { createChainWriter } from './entry.ts'

// Signed checkpoints, and the file in which they are kept elsewhere

export type { Checkpoint, CheckpointVerdict, Rotation, Signer } from './checkpoint.ts'
export { createSigner, generateSigningKey, verifyCheckpoint } from './checkpoint.ts'
export type { CheckpointFile } from './checkpoint-file.ts'
export { formatStatement, parseCheckpointFile } from './checkpoint-file.ts'
export type { TrustedKeys } from './trusted-keys.ts'
export { trustKeys } from './trusted-keys.ts'

// Reading: from a store, or from an export

export { exportJournal, readExport } from './export.ts'
export type { ChainSize, JournalPager, JournalSource } from './source.ts'
export { pageJournal } from './source.ts'

// Verification

export type { ChainReport } from './chain-check.ts'
export type { Problem, ProblemKind } from './problems.ts'
export { describeReport } from './report-text.ts'
export type { JournalReport, VerifyOptions } from './verify.ts'
export { verifyJournal } from './verify.ts'
