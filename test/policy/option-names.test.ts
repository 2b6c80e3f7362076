/** What the profiles say of options is what the programs that are installed here say themselves. */

import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { optionTableOf } from '../../src/policy/known-programs.ts'
import type { ProgramOptionTable } from '../../src/policy/shell/options/option-table.ts'
import { optionsToldBy } from './help-options.ts'

const GIT =
  'add am apply archive branch checkout cherry-pick clean clone commit fetch format-patch grep init merge mv pull push rebase reset restore revert rm stash switch tag'
const DOCKER = 'run exec rm rmi kill stop build pull push cp logs create commit save'
const KUBECTL = 'delete apply create get describe logs exec run scale drain patch replace label annotate'
const COREUTILS =
  'rm rmdir cp mv ln install chmod chown chgrp touch mkdir mktemp ls cat head tail du df tee truncate shred split csplit shuf sort'

const ASKED: readonly (readonly string[])[] = [
  ...COREUTILS.split(' ').map((program) => [program, '--help']),
  ...'grep sed diff patch tar gzip bzip2 wget man systemctl journalctl psql'
    .split(' ')
    .map((program) => [program, '--help']),
  ['curl', '--help', 'all'],
  ...GIT.split(' ').map((command) => ['git', command, '-h']),
  ...DOCKER.split(' ').map((command) => ['docker', command, '--help']),
  ...KUBECTL.split(' ').map((command) => ['kubectl', command, '--help']),
  ['kubectl', 'options'],
  ['pip', 'install', '--help'],
  ['pip', 'uninstall', '--help'],
]

/** Told in a way that is not understood: `-p, --indicator-style=slash` is one value of it, and some lines have no gap. */
const MISREAD = [
  '--indicator-style',
  '-C',
  '--single-transaction',
  '--hsts-file',
  '--disallow-username-in-url',
  '--parallel-immediate',
  '--trace-ascii',
  '--preproxy',
  '--proxy',
]

/** Undefined where it is not installed, or tells nothing. */
function helpOf([program = '', ...rest]: readonly string[]): string | undefined {
  const env = { ...process.env, LC_ALL: 'C', COLUMNS: '200', PAGER: 'cat' }
  const { error, stdout, stderr } = spawnSync(program, rest, {
    encoding: 'utf8',
    env,
    input: '',
    timeout: 30_000,
  })
  return error === undefined ? stdout + stderr : undefined
}

describe('names of options', () => {
  it.each(ASKED.map((asked) => [asked.join(' '), asked] as const))('as `%s` tells them', (_, asked) => {
    const help = helpOf(asked)
    if (help === undefined) return
    const table = asked
      .slice(1)
      .reduce<ProgramOptionTable>((inner, word) => inner.command(word) ?? inner, optionTableOf(asked[0]))
    const faults = optionsToldBy(help).flatMap(({ names, takes }) => {
      // What the help of one version does not tell, another may: only what is known is compared.
      const known = names.filter((name) => table.find(name) !== undefined)
      if (known.length === 0 || names.some((name) => MISREAD.includes(name))) return []
      if (names.some((name) => /^--(?:help|version)$|^-[hVv]$|NUM/.test(name))) return []
      const keys = new Set(names.map((name) => table.find(name)?.key))
      const said = table.find(known[0] ?? '')?.takes
      return [
        ...(keys.size === 1 ? [] : [`${names.join(', ')} are one option`]),
        ...(said === 'value' && takes === 'nothing' ? [`${names.join(', ')} takes no value`] : []),
        ...(said === 'nothing' && takes === 'value' ? [`${names.join(', ')} takes a value`] : []),
      ]
    })
    expect(faults).toEqual([])
  })
})
