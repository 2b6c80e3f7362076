/**
 * How gravely a person is asked about a shell line. A shell can do anything, but most of what is asked about is ordinary
 * work, and who has to confirm everything twice soon confirms without reading. So an ordinary line is asked about as
 * usual, and gravely where something in it is not understood, where nothing is known of a program, or where what it runs
 * can delete, run code that it is given, or gain rights.
 *
 * This never decides whether somebody is asked, only how.
 */
import type { Severity } from '../core/verdict.ts'
import type { ShellCommand } from './shell/reading.ts'
import { knownPrograms } from './starter/known-programs.ts'
import type { Power } from './starter/profile.ts'
import type { Subject } from './subject.ts'

export function dangerOf({ entry, reading }: Subject): Severity | undefined {
  if (entry === undefined || reading === undefined || !entry.dangerIsOfLine) return entry?.danger
  const isOrdinary = reading.doubts.length === 0 && reading.commands.every(isOrdinaryCommand)
  return isOrdinary ? 'normal' : entry.danger
}

/** A program with sub-commands can do more as a whole than most of them do; these words say that it is one of the others. */
const GRAVE_WORDS = new Set(
  [
    'delete destroy remove rm prune clean purge reset drop uninstall kill exec run eval',
    '-f --force --force-with-lease --hard --delete -D --mirror --prune --no-verify -c --config',
  ].flatMap((words) => words.split(' ')),
)
const GRAVE: readonly Power[] = ['delete', 'code', 'network']

function isOrdinaryCommand({ program, words, doubts, through, path }: ShellCommand): boolean {
  if (program === undefined || path !== undefined || doubts.length > 0) return false
  // Whatever is behind `sudo` or `xargs` has more to it than it says.
  if (through.some((wrapper) => can(wrapper, 'privilege') || can(wrapper, 'code'))) return false
  const profile = knownPrograms.get(program)
  if (profile === undefined || can(program, 'privilege')) return false
  if (words.some(({ value }) => value === undefined)) return false
  if (profile.commands === undefined) return !GRAVE.some((power) => can(program, power))
  return !words.some(({ value }) => GRAVE_WORDS.has(value ?? ''))
}

function can(program: string, power: Power): boolean {
  return knownPrograms.get(program)?.can?.includes(power) ?? false
}
