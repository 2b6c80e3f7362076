/**
 * The file of checkpoints and rotations that is kept elsewhere: one statement a line, only ever appended to.
 *
 * A crash or a full disk can leave a last line without its end. That is told and not taken for damage: what it
 * would have proven is lost, the rest holds. A writer that finds one cuts it off before it goes on. Anything else
 * that is not a statement is an error with its line, because a reader that skipped it would hide a checkpoint.
 */

import { BanksmanError } from '../../core/errors.ts'
import { canonicalize } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { type Checkpoint, isCheckpoint, isRotation, type Rotation } from './checkpoint.ts'

export interface CheckpointFile {
  checkpoints: Checkpoint[]
  rotations: Rotation[]
  /** The last line was cut off: its number, and how many characters of it there are. */
  torn?: { line: number; length: number }
}

/** One line with its end, ready to be appended. */
export function formatStatement(statement: Checkpoint | Rotation): string {
  return `${canonicalize(statement)}\n`
}

export function parseCheckpointFile(text: string): CheckpointFile {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const file: CheckpointFile = { checkpoints: [], rotations: [] }
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') addStatement(file, line, index + 1)
  }
  // A cut-off object never parses, so a last line that does was only left without its line end.
  if (isJson(rest)) addStatement(file, rest, lines.length + 1)
  else if (rest.trim() !== '') file.torn = { line: lines.length + 1, length: rest.length }
  return file
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

function addStatement(file: CheckpointFile, line: string, number: number): void {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  let value: unknown
  try {
    value = parseJson(text)
    if (canonicalize(value) !== text)
      fail(number, 'it is JSON, but not in the canonical form in which it was written')
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid') throw error
    fail(number, 'it is not JSON')
  }
  if (typeof value !== 'object' || value === null) fail(number, 'it is not an object')
  if (isCheckpoint(value)) file.checkpoints.push(value)
  else if (isRotation(value)) file.rotations.push(value)
  else {
    fail(
      number,
      'a checkpoint is {v: 1, chain, n, hash, at, keyId, signature}, a rotation is {v: 1, type: "rotation", from, to, publicKey, at, signature}',
    )
  }
}

function fail(line: number, why: string): never {
  throw new BanksmanError('invalid', `checkpoints, line ${line}: ${why}`, { line })
}
