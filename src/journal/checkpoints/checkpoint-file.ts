/**
 * The file of checkpoints and rotations that is kept elsewhere: one statement a line, only ever appended to.
 *
 * A crash or a full disk can leave a line without its end, and a disk can damage one. Such a line is told: what it would have
 * proven is lost, the rest holds. Writers begin a new line where the last one has no end.
 */

import { canonicalize } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { type Checkpoint, isCheckpoint, isRotation, type Rotation } from './checkpoint.ts'

export interface CheckpointFile {
  checkpoints: Checkpoint[]
  rotations: Rotation[]
  /** The lines that are no statement. */
  damaged: { line: number; why: string }[]
}

/** One line with its end, ready to be appended. */
export function formatStatement(statement: Checkpoint | Rotation): string {
  return `${canonicalize(statement)}\n`
}

export function parseCheckpointFile(text: string): CheckpointFile {
  const file: CheckpointFile = { checkpoints: [], rotations: [], damaged: [] }
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const why = addStatement(file, line.endsWith('\r') ? line.slice(0, -1) : line)
    if (why !== undefined) file.damaged.push({ line: index + 1, why })
  }
  return file
}

/** Returns why the line is no statement. */
function addStatement(file: CheckpointFile, text: string): string | undefined {
  let value: unknown
  try {
    value = parseJson(text)
    if (canonicalize(value) !== text)
      return 'it is JSON, but not in the canonical form in which it was written'
  } catch {
    return 'it is not JSON'
  }
  if (typeof value !== 'object' || value === null) return 'it is not an object'
  if (isCheckpoint(value)) file.checkpoints.push(value)
  else if (isRotation(value)) file.rotations.push(value)
  else return 'it is neither a checkpoint nor a rotation'
  return undefined
}
