/** Bytes with some of them replaced, and the rest as they were. */
import type { MemberSpan } from './json-members.ts'

export interface ByteEdit {
  from: number
  to: number
  /** What stands there instead. */
  bytes: Buffer | string
}

export function spliced(bytes: Buffer, edits: readonly ByteEdit[]): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const edit of [...edits].sort((one, other) => one.from - other.from)) {
    parts.push(
      bytes.subarray(at, edit.from),
      typeof edit.bytes === 'string' ? Buffer.from(edit.bytes) : edit.bytes,
    )
    at = edit.to
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

/** Takes a member out of its object, with the comma that goes with it. */
export function removal(text: string, { key, to }: MemberSpan): ByteEdit {
  const after = /^\s*,/.exec(text.slice(to, to + 1024))
  if (after !== null) return { from: key, to: to + after[0].length, bytes: '' }
  const before = /,\s*$/.exec(text.slice(Math.max(0, key - 1024), key))
  return { from: key - (before?.[0].length ?? 0), to, bytes: '' }
}
