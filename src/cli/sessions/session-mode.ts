/** Modes as they are written at the terminal: by the policy's names, and by those that coding agents have for them. */
import { SESSION_MODE_NAMES } from '../../core/secretary.ts'
import { MODES, type Mode } from '../../core/session.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

const KNOWN = [...new Set([...MODES, ...SESSION_MODE_NAMES])]

export function checkMode(written: string, what: string): Mode | (typeof SESSION_MODE_NAMES)[number] {
  const mode = KNOWN.find((known) => known === written)
  if (mode !== undefined) return mode
  const near = nearestWord(written, KNOWN)
  throw usageError(
    `${what} must be one of ${KNOWN.join(', ')}; found ${visible(JSON.stringify(written))}${near === undefined ? '' : `. Did you mean ${near}?`}`,
  )
}
