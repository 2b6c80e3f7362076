/** Reads a file that somebody named, as the text that it is. */
import { readFileSync } from 'node:fs'
import { CommandFailure } from '../output/failures.ts'

export function readTextFile(path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    // Node does not say which one it was when the name opens but can't be read.
    throw Object.assign(error as NodeJS.ErrnoException, { path })
  }
  const text = bytes.toString('utf8')
  // What is shown must be what is read: bytes that are no text would be shown as something else.
  if (!Buffer.from(text, 'utf8').equals(bytes))
    throw new CommandFailure('invalid', `${path} is not UTF-8 text`)
  return text
}
