import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { compilePolicy, lexicalFacts, strictness } from '../index.ts'
import { importCodexRules } from './codex-rules.ts'

const effects = (text: string) => importCodexRules(text).notes.map(({ effect }) => effect)

describe('Codex rules', () => {
  it('become lists, each word with its choices', () => {
    const { block } = importCodexRules(`
      # what is safe
      prefix_rule(pattern=["git", ["status", "diff"]], decision="allow", match=["git status"], not_match=[["git", "push"]],)
      prefix_rule(pattern = ['git', 'push'], decision = 'prompt')
      prefix_rule(
        pattern = ["rm", "-rf"],
        decision = "forbidden",
        justification = "never " "this",
      )
      prefix_rule(pattern=["ls"])
    `)
    expect(block).toEqual({
      deny: ['Bash(rm -rf *)'],
      ask: ['Bash(git push *)'],
      allow: ['Bash(git status *)', 'Bash(git diff *)', 'Bash(ls *)'],
    })
  })

  it('lists what has no equal here, and never widens an allow', () => {
    const { block, notes } = importCodexRules(`
      prefix_rule(pattern=["echo", "a b"], decision="allow")
      prefix_rule(pattern=["echo", "*"], decision="allow")
      prefix_rule(pattern=["git", "push", "$X"], decision="forbidden")
      prefix_rule(pattern=["a b"], decision="prompt")
      host_executable(name="git", paths=["/usr/bin/git"])
    `)
    expect(block).toEqual({ deny: ['Bash(git push *)'], ask: ['Bash'] })
    expect(notes.map(({ pointer, effect }) => `${pointer} ${effect}`)).toEqual(
      expect.arrayContaining([
        '/0 dropped',
        '/1 dropped',
        '/2 stricter',
        '/3 stricter',
        '/4 dropped',
        ' stricter',
      ]),
    )
    expect(effects('prefix_rule(pattern=["rm"], decision="forbidden", justification="no")')).toContain(
      'changed',
    )
  })

  it.each([
    ['variables', 'X = ["rm"]\nprefix_rule(pattern=X, decision="forbidden")', 'line 1'],
    ['concatenation', 'prefix_rule(pattern=["r" + "m"], decision="forbidden")', 'line 1'],
    ['loops', 'for x in ["a"]:\n  prefix_rule(pattern=[x], decision="forbidden")', 'line 1'],
    ['a call without an end', '\n\nprefix_rule(pattern=["rm"]', 'line 3'],
    ['a text without an end', 'prefix_rule(pattern=["rm])', 'line 1'],
    [
      'a decision that is not known',
      'prefix_rule(pattern=["rm"], decision="never")',
      'allow, prompt, forbidden',
    ],
    ['an argument that is not known', 'prefix_rule(pattern=["rm"], verdict="forbidden")', '"verdict"'],
    ['no pattern', 'prefix_rule(decision="forbidden")', 'pattern'],
    ['an empty pattern', 'prefix_rule(pattern=[], decision="forbidden")', 'not empty'],
    ['an argument without a name', 'prefix_rule(["rm"])', 'line 1'],
    ['an argument twice', 'prefix_rule(pattern=["a"], pattern=["b"])', 'twice'],
  ])('refuses the whole file for %s: it could be what stops a command', (_, text, words) => {
    expect(() => importCodexRules(text)).toThrow(BanksmanError)
    expect(() => importCodexRules(text)).toThrow(words)
  })

  it('never lets through what Codex would have stopped', () => {
    const word = fc.constantFrom('git', 'push', 'status', 'ls', '-la', '*', 'a b', 'x')
    const rule = fc.record({
      pattern: fc.array(fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 2 })), {
        minLength: 1,
        maxLength: 3,
      }),
      decision: fc.constantFrom('allow', 'prompt', 'forbidden'),
    })
    const command = fc.array(fc.constantFrom('git', 'push', 'status', 'ls', '-la', 'x'), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), command, (rules, words) => {
        const text = rules
          .map(
            ({ pattern, decision }) =>
              `prefix_rule(pattern=${JSON.stringify(pattern)}, decision="${decision}")`,
          )
          .join('\n')
        const policy = compilePolicy(importCodexRules(text).block, { roots: ['/w'] })
        const fitting = rules.filter(({ pattern }) =>
          pattern.every((one, at) => (Array.isArray(one) ? one : [one]).some((each) => each === words[at])),
        )
        const wanted = fitting.some(({ decision }) => decision === 'forbidden')
          ? 2
          : fitting.some(({ decision }) => decision === 'prompt') || fitting.length === 0
            ? 1
            : 0
        const call = { tool: 'Bash', arguments: { command: words.join(' ') }, cwd: '/w' }
        expect(
          strictness(policy.evaluate(call, lexicalFacts(policy, call))),
          `${text}\n${words}`,
        ).toBeGreaterThanOrEqual(wanted)
      }),
    )
  })
})
