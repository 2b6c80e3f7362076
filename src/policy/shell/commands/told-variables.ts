/**
 * What a test tells of a variable. That a variable is a certain text, or empty, tells one guess; that it begins with a letter, or
 * how long it is, tells a secret letter by letter. Variables that hold nothing an agent does not know anyway may be told.
 */

const KNOWN =
  /\$(?:[?#$!]|\{?(?:PWD|OLDPWD|HOME|USER|LOGNAME|SHELL|HOSTNAME|RANDOM|SECONDS|LINENO|PATH|LANG|TERM|UID|EUID|SHLVL|OSTYPE|BASH_VERSION)(?:\}|(?![\w[])))/g

/** Whether a word is text and such variables, for a program that only prints it. */
export function isPlainlyKnown(text: string): boolean {
  return !/[$`\\*?[{<>(]/.test(text.replace(KNOWN, ''))
}

/** `${X:0:1}`, `${X#a}`, `${#X}`: not the whole variable, nor another text in its place (`${X:-y}`). */
export function tellsPart(text: string): boolean {
  return /\$\{(?!\w+(?::?[-+][^${}]*)?\})/.test(text.replace(KNOWN, ''))
}

/** Whether it has a variable that may be secret. `loops` are those that a loop has set. What `$(…)` prints is judged there. */
export function hasSecret(text: string, loops: ReadonlySet<string>): boolean {
  const names = text
    .replaceAll(/\$\([^()]*\)/g, '')
    .replace(KNOWN, '')
    .matchAll(/\$\{?[#!]?(\w+|[@*])/g)
  return [...names].some(([, name = '']) => !loops.has(name))
}

/** Whether a pattern stands for more than one text. */
export function isPattern(text: string): boolean {
  return /[*?[(]/.test(text.replaceAll(/'[^']*'|"[^"]*"|\\./gs, ''))
}
