/**
 * Which variables a line may set without a doubt. Nearly any of them may change what a program does (`PATH`,
 * `LD_PRELOAD`, `GIT_SSH`, `BASH_ENV`, `IFS`, …), so these are only a few that change how things look.
 */

const HARMLESS = /^(LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|TERM)$/

/** No slash: `TZ`, `TERM` and `LANG` may name files. */
const HARMLESS_VALUE = /^[A-Za-z0-9_.,:+@-]*$/

/** Names in lower case that mean something to zsh or that programs look at. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'path fpath cdpath manpath mailpath module_path psvar prompt watch argv status pipestatus histchars aliases ' +
    'galiases saliases dis_aliases functions dis_functions commands builtins options parameters modules dirstack ' +
    'nameddirs userdirs signals keymaps widgets fignore zsh_eval_context http_proxy https_proxy ftp_proxy all_proxy ' +
    'no_proxy rsync_proxy'
  ).split(' '),
)

export function isHarmless(name: string, value: string): boolean {
  return HARMLESS.test(name) && HARMLESS_VALUE.test(value)
}

/** A name for a loop or for `read` that no program looks at. */
export function isOwnName(name: string): boolean {
  return /^([a-z][a-z0-9_]*|_?[A-Z])$/.test(name) && !TAKEN.has(name) && !name.startsWith('npm_')
}
