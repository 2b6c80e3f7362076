/** Finds runs of the `banksman` program in the texts of commands and of code. */
import { wordBefore, wordsWith } from './words-with.ts'

/** The text in lower case. */
export function runsOwnProgram(text: string, program: string): boolean {
  return wordsWith(text, [program], SEPARATOR).some(
    ({ word, index }) =>
      // `cd banksman` goes to a folder that happens to have the name.
      isOwnProgram(word, program) && !/^(?:cd|pushd)$/.test(wordBefore(text, index, SEPARATOR)),
  )
}

const SEPARATOR = /[\s"'`;|&<>()=,{}[\]]/

/** `banksman`, any script of its package, `./node_modules/.bin/banksman`, `banksman@latest`, `banksman.cmd`, `npm:banksman`. */
export function isOwnProgram(word: string, program: string): boolean {
  if (word.includes(`node_modules/${program}/`) && /\.[cm]?[jt]s$/.test(word)) return true
  const name = word.split(/[/:]/).findLast((part) => part !== '') ?? ''
  if (!name.startsWith(program)) return false
  return /^(?:@.*)?(?:\.(?:[cm]?[jt]s|cmd|exe|ps1|bat))?$/.test(name.slice(program.length))
}
