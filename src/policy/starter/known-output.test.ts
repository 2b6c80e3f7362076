// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShell } from '../shell/read/read-shell.ts'
import { judgeProgram } from './judge-program.ts'

const inside = (path: string) => (/^\/|^~|(^|\/)\.\.(\/|$)/.test(path) ? 'no' : 'yes')

function onlyReads(line: string): boolean {
  const { commands, doubts } = readShell(line)
  return doubts.length === 0 && commands.every((each) => judgeProgram(each, inside).kind === 'reads')
}

describe('words that are known only when the line runs, of which it is known what they can be', () => {
  it.each([
    'git grep needle $(git rev-list --all)',
    'git diff $(git merge-base main HEAD) -- src',
    'git diff "$(git merge-base origin/main HEAD)"',
    'git --no-pager log --oneline $(git rev-list -n 3 HEAD~2)',
    'git show $(git rev-list --no-merges --max-count=1 HEAD)',
    'ps -u $(id -u) f',
    'ps -u "$(id -u)"',
    '[ "$X" = y ]',
    '[ "${X}" != "$Y" ]',
    'test "$X" = y',
    '[ "$(git branch --show-current)" = main ]',
    '[ a = b ]',
  ])('P5: %s', (line) => expect(onlyReads(line)).toBe(true))

  it.each([
    // What it prints may be an option, a path or anything.
    'git grep needle $(git rev-list --boundary a..b)',
    'git grep needle $(git rev-list --objects --all)',
    'git grep needle $(git rev-list --format=%s --all)',
    'git grep needle $(git log --format=%s)',
    'git diff $(git describe --tags)',
    'git diff $(git rev-list $X)',
    'git diff $(git rev-list "--format=%s" a)',
    'git diff $(git rev-list a; echo --output=x)',
    'git diff $(git rev-list a | tail -1)',
    'git diff x$(git rev-list a)',
    'git diff --output=$(git rev-list a)',
    'git diff --output $(git rev-list a)',
    // A file with such a name may be a link, and more words may do more.
    'git diff --no-index $(git merge-base a b) x',
    'git hash-object $(git merge-base a b)',
    'git symbolic-ref $(git merge-base a b)',
    'git branch $(git rev-list --all)',
    'cat $(git rev-list --all)',
    'cat $(id -u)',
    'ps -u $(id)',
    'ps -o $(id -u)',
    // A part of a variable tells a secret letter by letter; what is not the whole question may be another one.
    '[ "${X:0:1}" = a ]',
    '[ "${X%%b*}" = a ]',
    '[ "$(echo ${X:0:1})" = a ]',
    '[ "$(cat /etc/shadow)" = a ]',
    '[ $X = a ]',
    '[ "$X" = * ]',
    '[ "$X" "$Y" ]',
    '[ "$X" "$Y" "$Z" ]',
    '[ "$X" -eq 1 ]',
    '[ "$X" = a -o -f "$Y" ]',
    '[ "$X" = =ls ]',
    '[ "$X" = =\'ls\' ]',
  ])('P5: not known: %s', (line) => expect(onlyReads(line)).toBe(false))

  it('P5: whatever stands in `$(git rev-list …)`, what is fine holds no other option and no other command', () => {
    const pieces = fc.constantFrom(
      ...'--all,-n 2,HEAD,a..b,--boundary,--format=x,-x,;,|,$X,`id`,",\n,{a'.split(','),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 4 }), fc.boolean(), (given, spaced) => {
        const line = `git log $(git rev-list ${given.join(spaced ? ' ' : '')})`
        if (onlyReads(line))
          expect(line).toMatch(/^git log \$\(git rev-list(?: (?:--all|-n 2|[\w.][\w.-]*))+\)$/)
      }),
    )
  })
})
