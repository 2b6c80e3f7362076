import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'

const places = { roots: ['/space'], home: '/home/ana' }
const judge = (block: PolicyBlock) => {
  const policy = compilePolicy(block, places)
  return (command: string) => {
    const call = { tool: 'Bash', arguments: { command }, cwd: '/space' }
    return policy.evaluate(call, lexicalFacts(policy, call, places))
  }
}
const verdict = judge({ extends: 'banksman:starter' })

/** With a dollar sign for `@`, since these are no templates. */
const linesOf = (text: string) => text.trim().replaceAll('@', '$').split('\n')

describe('P5: nobody vouches for a test that tells a variable letter by letter', () => {
  it.each(
    linesOf(`
[[ @TOKEN == a* ]] && echo a
[[ "@TOKEN" == a* ]] && echo a
[[ @TOKEN == ?b* ]] || echo a
[[ @TOKEN != [a-m]* ]] && echo a
[[ @{TOKEN} = a* ]] && echo a
[[ ! @TOKEN == a* ]] && echo a
[[ @TOKEN =~ ^a ]] && echo a
[[ @TOKEN =~ a ]] && echo a
[[ @{TOKEN:0:1} == a ]] && echo a
[[ a == @{TOKEN:0:1} ]] && echo a
[[ -n @{TOKEN#a} ]] && echo a
[[ -z @{TOKEN##a*} ]] && echo a
[[ -e src/@{TOKEN:0:1} ]] && echo a
[[ @{#TOKEN} == 12 ]] && echo a
[[ @token == a* ]] && echo a
[[ @1 == a* ]] && echo a
case @TOKEN in a*) echo a;; esac
case "@TOKEN" in [a-m]*) echo a;; esac
case x@TOKEN in xa*) echo a;; esac
case @{#TOKEN} in 12) echo a;; esac
case @{TOKEN:0:1} in a) echo a;; esac
case a in @{TOKEN:0:1}) echo a;; esac
[ -n "@{TOKEN#a}" ]
[ -z "@{TOKEN##a*}" ] && echo a
test -n "@{TOKEN%b}"
[ "@{TOKEN:0:1}" = a ]
if [[ @TOKEN == a* ]]; then ls; fi
for f in @TOKEN; do [[ @f == a* ]] && echo a; done
for f in "@TOKEN"; do case @f in a*) echo a;; esac; done
for TOKEN in; do :; done; [[ @TOKEN == a* ]] && echo a
(for TOKEN in x; do :; done); [[ @TOKEN == a* ]] && echo a
for f; do [[ @f == a* ]] && echo a; done
for f in @{TOKEN:0:1}*; do echo a; done
bash -c '[[ @TOKEN == a* ]] && echo a'
echo @(case @TOKEN in a*) echo a;; esac)`),
  )('%s', (line) => {
    expect(verdict(line).kind).toBe('ask')
    expect(judge({ extends: 'banksman:starter', mode: 'plan' })(line).kind).not.toBe('allow')
  })

  it.each(
    linesOf(`
[[ @HOME == /home/* ]] && echo a
[[ @TOKEN == abc ]] && echo a
[[ "@TOKEN" == "a*" ]] && echo a
[[ -n @TOKEN ]] && echo a
[[ -n "@{TOKEN:-}" ]] && echo a
[[ @(git branch --show-current) == feature/* ]] && echo a
[[ @? -eq 0 ]] && echo ok
case @TOKEN in abc) echo a;; *) echo b;; esac
case @(uname) in Linux*) echo a;; esac
[ -n "@TOKEN" ] && echo a
[ -z "@{TOKEN:-}" ] && echo a
[ -n "@(git status --porcelain)" ] && echo a
for f in a.ts b.js; do [[ @f == *.ts ]] && echo a; done
for f in src/*; do case @f in *.ts) echo a;; esac; done`),
  )('a guess at the whole, and what is known anyway, may be told: %s', (line) => {
    expect(verdict(line).kind).toBe('allow')
  })

  it('says why, and leaves commands to those who allowed them', () => {
    const line = linesOf('[[ @TOKEN == a* ]] && echo a')[0] ?? ''
    expect(verdict(line).because).toContain('may print passwords, keys or tokens')
    expect(judge({ allow: ['Bash(echo *)'] })(line).kind).toBe('allow')
    expect(judge({ extends: 'banksman:starter', allow: ['Bash(echo *)'] })(line).kind).toBe('allow')
    expect(judge({ mode: 'bypass', deny: ['Bash(rm *)'] })(line).kind).toBe('allow')
  })

  it('property: however the test is put, and whatever follows', () => {
    const subject = fc.constantFrom(
      ...linesOf('@TOKEN\n"@TOKEN"\n@{TOKEN}\n"x@TOKEN"\n@{TOKEN:1:1}\n@{TOKEN/a/b}\n@{#TOKEN}\n@{TOKEN^}'),
    )
    const pattern = fc.constantFrom('a*', '[a-m]*', '?a', '*a*', 'a?', '@(a|b)*')
    const test = fc
      .tuple(subject, pattern, fc.constantFrom('==', '=', '!=', 'case'))
      .map(([left, right, by]) =>
        by === 'case'
          ? `case ${left} in ${right.replace(/^@\(.*\)/, 'ab')}) echo a;; esac`
          : `[[ ${left} ${by} ${right} ]] && echo a`,
      )
    const around = fc.constantFrom<(line: string) => string>(
      (line) => line,
      (line) => `ls; ${line}`,
      (line) => `{ ${line}; }`,
      (line) => `if true; then ${line}; fi`,
      (line) => `for i in 1 2; do ${line}; done`,
    )
    fc.assert(
      fc.property(test, around, (line, wrap) => {
        expect(verdict(wrap(line)).kind, wrap(line)).toBe('ask')
      }),
      { numRuns: runs(200) },
    )
  })
})
