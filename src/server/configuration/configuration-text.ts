/** The text that is in the configuration file now, whoever wrote it, and what is wrong with it. */

import { digestOf } from '../../core/digest.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { findFile } from '../host/read-file.ts'

export type FoundText =
  | { kind: 'text'; text: string; digest: string }
  /** There is something in its place that is no text, or none that anybody has written by hand. */
  | { kind: 'unreadable'; mistake: Reason; error?: NodeJS.ErrnoException }

/** Undefined where there is no file. */
export function findConfigurationText(file: string): FoundText | undefined {
  const found = findFile(file)
  if (found === undefined) return undefined
  if (found.kind === 'refused') return { ...found, kind: 'unreadable', mistake: found.reason }
  const text = found.bytes.toString('utf8')
  // What is shown must be what is read: bytes that are no text would be shown as something else.
  if (!Buffer.from(text, 'utf8').equals(found.bytes))
    return { kind: 'unreadable', mistake: reasonOf('file.not-text') }
  return { kind: 'text', text, digest: digestOf(text) }
}
