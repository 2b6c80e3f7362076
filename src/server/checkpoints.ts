/**
 * Signs checkpoints of the journal's head and appends them to files. The one in the data folder is a convenience; proof
 * is a copy where whoever writes the journal can't reach it (`journal.checkpoints` in the configuration).
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type ChainWriter,
  createSigner,
  formatStatement,
  generateSigningKey,
  type Signer,
} from '../journal/index.ts'

export interface Checkpoints {
  readonly signer: Signer
  /** Writes a checkpoint if the head has moved since the last one. */
  write(): void
  stop(): void
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
  const signer = createSigner(loadKey(keyFile))
  let written = 0

  function write(): void {
    const head = chain.head()
    if (head.n === written) return
    const line = formatStatement(signer.checkpoint(chain.chain, head, now()))
    for (const file of files()) {
      try {
        mkdirSync(dirname(file), { recursive: true })
        appendFileSync(file, line, { mode: 0o600 })
      } catch (error) {
        report({ doing: `writing a checkpoint to ${file}`, error })
      }
    }
    written = head.n
  }

  const timer = setInterval(write, EVERY_MS).unref()
  return {
    signer,
    write,
    stop() {
      clearInterval(timer)
      write()
    },
  }
}

function loadKey(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const { privateKey } = generateSigningKey()
  writeFileSync(file, privateKey, { mode: 0o600, flag: 'wx' })
  return privateKey
}
