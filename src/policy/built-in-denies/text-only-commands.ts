/** Commands whose words are texts for readers, and commands that take no names from their input. */
import type { ShellCommand } from '../shell/reading.ts'

/** Their words are printed or looked for. Which of them are paths after all is known where they only read. */
const TELLING: ReadonlySet<string> = new Set(['echo', 'printf', 'grep', 'egrep', 'fgrep'])

/** Whether all that it does with its words is to print them, to look for them, or to write them into a history. */
export function onlyPrintsText(command: ShellCommand, reads: boolean): boolean {
  if (command.program === 'git') return isPlainCommit(command)
  return reads && TELLING.has(command.program ?? '')
}

/** Only a message and switches: no file, no editor, no other repository. */
function isPlainCommit({ words }: ShellCommand): boolean {
  if (words[0]?.value !== 'commit') return false
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? ''
    if (/^(?:-[aqsvn]*m|--message)$/.test(value)) at++
    else if (
      !/^(?:-[aqsvn]+|-[aqsvn]*m.+|--message=.*|--(?:all|amend|quiet|signoff|no-edit|no-verify|allow-empty))$/s.test(
        value,
      )
    )
      return false
  }
  return true
}

export function readsNoNames({ program, words }: ShellCommand): boolean {
  if (program !== 'git' || !/^(?:add|commit|push|switch)$/.test(words[0]?.value ?? '')) return false
  return words.every(({ value }) => !/^--pathspec-from-file|^-$/.test(value ?? ''))
}
