/** What package managers read their own options from, wherever they stand: each way to write one, at each place. */
import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'

const ROOT = '/srv/work'
const home = '/home/ana'
const MANAGERS = ['npm', 'pnpm', 'yarn']
const policy = compilePolicy(
  {
    extends: 'banksman:starter',
    allow: [
      'Edit(./src/**)',
      ...MANAGERS.flatMap((name) => [
        `Bash(${name} test *)`,
        `Bash(${name} run lint *)`,
        `Bash(${name} run *)`,
      ]),
      ...MANAGERS.map((name) => `Bash(${name} *)`),
    ],
  },
  { roots: [ROOT], home },
)

function verdictOn(command: string): string {
  const call = { tool: 'Bash', arguments: { command }, cwd: ROOT }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 })).kind
}

/** By program: options that have code run, or have it taken from elsewhere. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  npm: [
    ...'--script-shell --node-options --prefix -C --userconfig --globalconfig --cache --logs-dir'.split(' '),
    ...'--git --editor --shell --init-module --node-gyp --python --viewer'.split(' '),
  ],
  pnpm: [
    ...'--script-shell --node-options --prefix -C --dir --userconfig --globalconfig --pnpmfile'.split(' '),
    ...'--global-pnpmfile --config.script-shell --config.node-options --store-dir --modules-dir'.split(' '),
    ...'--virtual-store-dir --lockfile-dir --cache-dir --state-dir --npm-path --npmrc-auth-file'.split(' '),
  ],
  yarn: '--cwd --use-yarnrc --modules-folder --cache-folder --global-folder --link-folder --into'.split(' '),
}

/** Options of each kind, and what looks like one. */
const HEADS =
  '--tag --no-no-access -m -quiet --all --color --unknown - -- -sl --loglevel --omit --a=--b --tag_-- --unknown_--'
    .split(' ')
    .map((head) => (head === '--' ? '--=' : head.replace('_', ' ')))

/** As npm reads them: any number of dashes, cut short, `no-` twice, the value behind `=` or in the next word. */
function spellings(program: string, option: string): string[] {
  const name = option.replace(/^-+/, '')
  const dashes = ['-', '--', '---']
  const unique = (length: number) =>
    (OPTIONS[program] ?? []).filter((one) => one.replace(/^-+/, '').startsWith(name.slice(0, length)))
      .length === 1
  const shortest = [3, 4, 5, 6].find((length) => length < name.length && unique(length))
  const names =
    name.length === 1
      ? [name]
      : [name, `no-no-${name}`, ...(shortest ? [name.slice(0, shortest), name.slice(0, -1)] : [])]
  return names.flatMap((one) =>
    dashes.flatMap((dash) => [`${dash}${one}=/tmp/x`, `${dash}${one} /tmp/x`, `${dash}${one}="$X"`]),
  )
}

describe.each(MANAGERS)('the options of %s', (program) => {
  it.each(OPTIONS[program] ?? [])('behind the name of a script, and before it: %s', (option) => {
    for (const spelled of spellings(program, option)) {
      for (const line of [
        `run lint ${spelled}`,
        `run lint x ${spelled}`,
        `run lint --fix ${spelled}`,
        `run lint --fix x ${spelled} y`,
        `run ${spelled} lint`,
        `${spelled} run lint`,
        `test ${spelled}`,
        `${spelled} test`,
      ])
        expect(verdictOn(`${program} ${line}`), `${program} ${line}`).not.toBe('allow')
    }
  })

  it.each(OPTIONS[program] ?? [])('behind `=`, and where the value of another would be: %s', (option) => {
    for (const one of [`${option}=/tmp/x`, `${option} /tmp/x`, `-${option.replace(/^-+/, '')}=/tmp/x`])
      for (const before of [...HEADS, ...HEADS.map((head) => `${head}=`)])
        for (const line of before.endsWith('=') ? [before + one] : [`${before} ${one}`])
          expect(verdictOn(`${program} run lint ${line}`), `${program} run lint ${line}`).not.toBe('allow')
  })

  it('belong to the script behind two dashes, and a script has others', () => {
    for (const line of [
      'run lint -- --script-shell=./src/x.sh',
      'run lint --fix',
      'run lint -- --fix src/a.ts',
      'run lint src/a.ts',
      'test -- --cwd=x --prefix y',
      'run build --watch',
      'run lint --silent',
    ])
      expect(verdictOn(`${program} ${line}`), line).toBe('allow')
  })
})
