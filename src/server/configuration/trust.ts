/**
 * Trust in a configuration. The file lies in the workspace, where an agent may be able to write; so a person says once
 * that this very text is meant, and that word is kept outside the workspace (like `direnv allow`). Until then the
 * last trusted text holds (P11).
 */

import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'

export interface TrustedText {
  /** The configuration file it is of. */
  file: string
  digest: string
  text: string
  at: number
  by: string
}

/** Outside every workspace. `BANKSMAN_HOME` moves it; the children that agents start don't inherit that. */
export function trustFolder(environment: Record<string, string | undefined>): string {
  return join(personalFolder(environment), 'trusted')
}

/** What Banksman keeps for this person: trust, and what connects coding agents. No call may read it either (P11). */
export function personalFolder(environment: Record<string, string | undefined>): string {
  return resolve(
    environment.BANKSMAN_HOME || join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'banksman'),
  )
}

export function readTrusted(folder: string, file: string): TrustedText | undefined {
  // Throws where the disk can't be read for a moment: that takes nobody's word back.
  const text = readIfThere(recordPath(folder, file), MAX_GROWN_BYTES)
  if (text === undefined) return undefined
  try {
    const record = parseJson<TrustedText>(text)
    // A record whose text is not what its digest says was tampered with or torn: it counts as none.
    return record.file === resolve(file) && digestOf(record.text) === record.digest ? record : undefined
  } catch {
    return undefined
  }
}

export function writeTrusted(
  folder: string,
  file: string,
  text: string,
  by: string,
  at: number,
): TrustedText {
  const record: TrustedText = { file: resolve(file), digest: digestOf(text), text, at, by }
  const path = recordPath(folder, file)
  putFile(path, `${JSON.stringify(record, null, 2)}\n`)
  return record
}

/** Takes the word back; false when there was none. */
export function forgetTrusted(folder: string, file: string): boolean {
  const isKnown = readTrusted(folder, file) !== undefined
  rmSync(recordPath(folder, file), { force: true })
  return isKnown
}

/** One record for each configuration file, wherever it lies. */
function recordPath(folder: string, file: string): string {
  return join(folder, `${digestOf(resolve(file)).slice(0, 32)}.json`)
}
