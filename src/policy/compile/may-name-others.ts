/** Whether a command may name other paths than those that can be read off its words. */
import { isProcessPath } from '../../core/process/process-path.ts'
import { wildcardMeets } from '../matchers/wildcard-meets.ts'
import { textWordsOf } from '../shell/options/option-effects.ts'
import { joinFolder } from '../shell/paths/folder.ts'
import { pathspecsOf } from '../shell/paths/pathspecs.ts'
import type { ShellCommand } from '../shell/reading.ts'
import { opensNoFile } from '../starter/judge-program.ts'
import type { CallSubject } from '../subject/subject.ts'

/** `patterns`: those that a deny or an ask is about; an allow has none here. */
export function mayNameOthers(
  subject: Pick<CallSubject, 'call'>,
  command: ShellCommand,
  patterns: readonly string[],
): boolean {
  const { words, redirections, folder } = command
  const { areElsewhere, folder: moved, wild } = pathspecsOf(command)
  if (areElsewhere || moved === undefined) return true
  if (redirections.some(({ target }) => target === undefined)) return true
  if (folder === undefined && (words.length > 0 || redirections.length > 0)) return true
  const later = words.filter(({ value }) => value === undefined)
  if (later.length > 0 && !opensNoFile(command)) {
    const texts = textWordsOf(command)
    if (later.some((word) => !texts.has(word))) return true
  }
  return (
    words.some(
      ({ value, pattern }) =>
        value !== undefined && pattern && patterns.some((one) => wildcardMeets(value, one)),
    ) ||
    wild.some((word) => patterns.some((one) => wildcardMeets(word, one, true))) ||
    mayGoThroughProcess(subject, command)
  )
}

/** Every rule asks it of every command. */
const asked = new WeakMap<ShellCommand, { cwd: string | undefined; goes: boolean }>()

/** A wildcard may stand for a part of a path that leads elsewhere for each process: `/proc/s*\/cwd/x`. */
function mayGoThroughProcess({ call }: Pick<CallSubject, 'call'>, command: ShellCommand): boolean {
  const already = asked.get(command)
  if (already !== undefined && already.cwd === call.cwd) return already.goes
  const goes = command.words.some(({ value, pattern }) => {
    const path = value === undefined || !pattern ? undefined : joinFolder(command.folder, value)
    return path !== undefined && isProcessPath(path, call.cwd)
  })
  asked.set(command, { cwd: call.cwd, goes })
  return goes
}
