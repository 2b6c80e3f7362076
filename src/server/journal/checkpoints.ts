/**
 * Signs checkpoints of the journal's head and appends them to files. The one in the data folder is a convenience; proof
 * is a copy where whoever writes the journal can't reach it (`journal.checkpoints` in the configuration).
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSigner, generateSigningKey, type Signer } from '../../journal/checkpoints/checkpoint.ts'
import { formatStatement } from '../../journal/checkpoints/checkpoint-file.ts'
import type { ChainHead, ChainWriter } from '../../journal/entry.ts'
import { appendLines } from '../host/append-file.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'

export interface Checkpoints {
  readonly signer: Signer
  /** Writes a checkpoint if the head has moved since the last one. */
  write(): void
  /** The same for the heads of chains that others write. */
  sign(heads: readonly { chain: string; head: ChainHead }[]): void
  /** Writes the last one. To be done after the gateway is closed, so that the end of the chain is signed too. */
  close(): void
}

/** What was written since the last checkpoint is vouched for by nobody; a minute of it is little to lose. */
const EVERY_MS = 60_000

export function startCheckpoints(options: {
  chain: ChainWriter
  keyFile: string
  files: () => string[]
  now: () => number
  report: (fault: { doing: string; error: unknown }) => void
}): Checkpoints {
  const { chain, keyFile, files, now, report } = options
  const kept = readIfThere(keyFile)
  const signer = createSigner(kept ?? makeKey(keyFile))
  const [first] = files()
  if (kept === undefined && first !== undefined && existsSync(first))
    report({
      doing: 'opening the journal',
      error: new Error(
        `the key that signed the checkpoints is missing, and a new one was made. Those in ${first} can be verified only with the public key that was kept elsewhere; put ${keyFile} back if you have it`,
      ),
    })
  /** Of which chain and how far: a process goes over to another chain when the store has lost entries of its first. */
  let written = { chain: chain.chain, n: 0 }

  function write(): void {
    const head = chain.head()
    if (head.n === (written.chain === chain.chain ? written.n : 0)) return
    sign([{ chain: chain.chain, head }])
    written = { chain: chain.chain, n: head.n }
  }

  function sign(heads: readonly { chain: string; head: ChainHead }[]): void {
    if (heads.length === 0) return
    const lines = heads
      .map(({ chain, head }) => formatStatement(signer.checkpoint(chain, head, now())))
      .join('')
    for (const file of files()) {
      try {
        mkdirSync(dirname(file), { recursive: true })
        appendLines(file, lines)
      } catch (error) {
        report({ doing: `writing a checkpoint to ${file}`, error })
      }
    }
  }

  const timer = setInterval(write, EVERY_MS).unref()
  return {
    signer,
    write,
    sign,
    close() {
      clearInterval(timer)
      write()
    },
  }
}

function makeKey(file: string): string {
  const { privateKey } = generateSigningKey()
  putFile(file, privateKey)
  return privateKey
}
