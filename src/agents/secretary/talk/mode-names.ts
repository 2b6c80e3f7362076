/** The modes of a session as people write them. */
import { modeNamed, SESSION_MODE_NAMES, type SessionModeName } from '../../../core/secretary.ts'
import { isLaxMode } from '../../../core/session.ts'
import { nearestWord } from '../../../core/support/nearest-word.ts'

export type ReadMode =
  | { kind: 'mode'; mode: SessionModeName }
  /** Coding agents have a mode of that name which isn't one of ours. */
  | { kind: 'auto' }
  | { kind: 'unknown'; meant: string | undefined }

const ALIASES: Readonly<Record<string, SessionModeName>> = {
  edit: 'acceptEdits',
  bypass: 'bypassPermissions',
}

export function readMode(written: string): ReadMode {
  const word = written.toLowerCase()
  const mode =
    SESSION_MODE_NAMES.find((name) => name.toLowerCase() === word) ??
    (Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined)
  if (mode !== undefined) return { kind: 'mode', mode }
  if (word === 'auto') return { kind: 'auto' }
  return { kind: 'unknown', meant: nearestWord(written, [...SESSION_MODE_NAMES, ...Object.keys(ALIASES)]) }
}

/** It lets calls through that `default` asks about. */
export function asksLess(mode: SessionModeName): boolean {
  return isLaxMode(modeNamed(mode))
}
