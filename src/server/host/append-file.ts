/** Appends lines to a file of ours, on the disk when it returns. A link is not followed, and what a crash has cut off stays a line of its own. */
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { BanksmanError } from '../../core/errors.ts'

const LINE_END = 0x0a

export function appendLines(path: string, lines: string): void {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const found = fstatSync(file)
    const { size } = found
    if (!found.isFile()) throw new BanksmanError('invalid', `${path} is not a file`)
    const last = Buffer.alloc(1)
    const isTorn = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LINE_END
    writeSync(file, `${isTorn ? '\n' : ''}${lines}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
