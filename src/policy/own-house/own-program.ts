/** Finds runs of the `banksman` program in the texts of commands and of code. */

/** The text in lower case. */
export function runsProgram(text: string, program: string): boolean {
  let previous = ''
  for (const [word] of text.matchAll(/[^\s"'`;|&<>()=,{}[\]]+/g)) {
    // `cd banksman` goes to a folder that happens to have the name.
    if (isProgram(word, program) && previous !== 'cd' && previous !== 'pushd') return true
    previous = word
  }
  return false
}

/** `banksman`, any script of its package, `./node_modules/.bin/banksman`, `banksman@latest`, `banksman.cmd`, `npm:banksman`. */
export function isProgram(word: string, program: string): boolean {
  if (word.includes(`node_modules/${program}/`) && /\.[cm]?[jt]s$/.test(word)) return true
  const name = word.split(/[/:]/).findLast((part) => part !== '') ?? ''
  if (!name.startsWith(program)) return false
  return /^(?:@.*)?(?:\.(?:[cm]?[jt]s|cmd|exe|ps1|bat))?$/.test(name.slice(program.length))
}
