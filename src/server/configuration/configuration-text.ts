/** The text that is in the configuration file now, whoever wrote it, and what is wrong with it. */

import { readFileSync, statSync } from 'node:fs'
import { digestOf } from '../../core/digest.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'

export type FoundText =
  | { kind: 'text'; text: string; digest: string }
  /** There is something in its place that is no text, or none that anybody has written by hand. */
  | { kind: 'unreadable'; mistake: Reason }

/** Room for thousands of rules. What is longer was not written to be read by a person. */
const MAX_BYTES = 512 * 1024

/** Undefined where there is no file. */
export function findConfigurationText(file: string): FoundText | undefined {
  try {
    const found = statSync(file)
    // Reading from a pipe would wait for whoever writes into it.
    if (!found.isFile()) return { kind: 'unreadable', mistake: reasonOf('file.not-file') }
    const { size } = found
    if (size > MAX_BYTES)
      return { kind: 'unreadable', mistake: reasonOf('file.long', { bytes: size, limit: MAX_BYTES }) }
    const bytes = readFileSync(file)
    const text = bytes.toString('utf8')
    // What is shown must be what is read: bytes that are no text would be shown as something else.
    if (!Buffer.from(text, 'utf8').equals(bytes))
      return { kind: 'unreadable', mistake: reasonOf('file.not-text') }
    return { kind: 'text', text, digest: digestOf(text) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    const mistake = code === undefined ? reasonOf('file.closed-unknown') : reasonOf('file.closed', { code })
    return { kind: 'unreadable', mistake }
  }
}
