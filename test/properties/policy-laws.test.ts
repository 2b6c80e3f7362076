/** What holds for every policy and every call. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentLineage } from '../../src/core/call.ts'
import type { JsonObject } from '../../src/core/json/json.ts'
import type { AskVerdict, Verdict } from '../../src/core/verdict.ts'
import {
  compilePolicy,
  lexicalFacts,
  MODES,
  type PolicyBlock,
  strictest,
  strictness,
} from '../../src/policy/index.ts'
import type { RuleBlock, WhenBlock } from '../../src/policy/language/language.ts'
import { runs } from '../fixtures/property-runs.ts'

const roots = ['/space']
const compile = (block: PolicyBlock) => compilePolicy(block, { roots, home: '/home/ana' })

const names = fc.constantFrom('Bash', 'Read', 'Edit', 'WebFetch', 'deploy', 'send_mail', 'send_sms', 'x(y)')
const entries = fc.constantFrom(
  '*',
  'send_*',
  '*_mail',
  'deploy',
  'Bash',
  'Bash(git *)',
  'Bash(git status *)',
  'Bash(rm *)',
  'Bash(* -rf *)',
  'Bash(echo *)',
  'Read(./src/**)',
  'Read(./.env)',
  'Edit(./src/**)',
  'Edit(./**)',
  'WebFetch(domain:example.com)',
  'WebFetch(*)',
)
const lists: fc.Arbitrary<string[]> = fc.array(entries, { maxLength: 3 })
const rules: fc.Arbitrary<RuleBlock[]> = fc
  .array(
    fc.record({
      when: fc.constantFrom<WhenBlock[]>(
        { tool: 'deploy' },
        { tool: '*', arguments: { '/environment': { equals: 'production' } } },
        { kind: 'shell', command: ['rm *', 'git push *'] },
        { path: '**/.env' },
        { host: '*.example.com' },
        { agent: 'helper' },
        { subAgent: true },
        { time: { from: '09:00', to: '17:00' } },
        { not: { path: './**' } },
        { any: [{ tool: 'send_*' }, { cwd: './src' }] },
      ),
      then: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
    }),
    { maxLength: 3 },
  )
  .map((made) => made.map((rule, index) => ({ name: `rule ${index}`, ...rule })))
const blocks: fc.Arbitrary<PolicyBlock> = fc.record(
  {
    mode: fc.constantFrom(...MODES),
    deny: lists,
    ask: lists,
    allow: lists,
    rules,
    extends: fc.constant('banksman:starter'),
  },
  { requiredKeys: [] },
)

const commands = fc.constantFrom(
  'git status',
  'git push origin',
  'rm -rf build',
  'rm x',
  'echo hello',
  'cat src/a.ts',
  'cat .env',
  'cat ../x',
  'sudo rm -rf /',
  'echo $HOME',
  '$X y',
  'echo x > out.txt',
  'FOO=1 git status',
  "bash -c 'git status'",
  'ls src/*.ts',
  'curl https://example.com',
)
const joints = fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' & ')
const lines = fc
  .array(fc.tuple(commands, joints), { minLength: 1, maxLength: 4 })
  .map((parts) =>
    parts.map(([command, joint], index) => (index === parts.length - 1 ? command : command + joint)).join(''),
  )
const args: fc.Arbitrary<JsonObject> = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  lines.map((command) => ({ command })),
  fc
    .constantFrom('src/a.ts', '.env', '../x', '/etc/passwd', '~/.ssh/id_rsa')
    .chain((path) => fc.constantFrom<JsonObject[]>({ file_path: path }, { path }, { file_path: path, path })),
  fc
    .constantFrom('https://example.com/', 'https://a.example.com', 'http://evil.example', 'x')
    .map((url) => ({ url })),
  fc.constantFrom('production', 'test', 7).map((environment) => ({ environment })),
)
const calls = fc.record({
  tool: names,
  arguments: args,
  cwd: fc.constantFrom('/space', '/space/src', '/'),
  agent: fc.constantFrom<AgentLineage[]>({ name: 'main' }, { name: 'helper', parents: ['main'] }),
})
const withFacts = fc.boolean()

function judge(
  block: PolicyBlock,
  call: Parameters<typeof lexicalFacts>[1],
  facts: boolean,
  mode?: string,
): Verdict {
  const policy = compile(block)
  const at = Date.UTC(2026, 0, 5, 12)
  return policy.evaluate(call, facts ? lexicalFacts(policy, call, { home: '/home/ana', at }) : undefined, {
    mode,
  })
}

describe('every policy', () => {
  it('P5: adding a deny or an ask never makes a verdict laxer', () => {
    const added = fc.oneof(
      fc.record({ list: fc.constantFrom('deny' as const, 'ask' as const), entry: entries }),
      rules.filter((made) => made.length > 0).map(([rule]) => ({ rule: rule! })),
    )
    fc.assert(
      fc.property(blocks, added, calls, withFacts, (block, more, call, facts) => {
        const before = strictness(judge(block, call, facts))
        const stricter: PolicyBlock =
          'rule' in more
            ? {
                ...block,
                rules: [
                  ...(block.rules ?? []),
                  { ...more.rule, name: 'added', then: more.rule.then === 'deny' ? 'deny' : 'ask' },
                ],
              }
            : { ...block, [more.list]: [...(block[more.list] ?? []), more.entry] }
        expect(strictness(judge(stricter, call, facts))).toBeGreaterThanOrEqual(before)
      }),
      { numRuns: runs(250) },
    )
  })

  it('P5: taking an allow away never makes a verdict laxer', () => {
    fc.assert(
      fc.property(blocks, calls, withFacts, (block, call, facts) => {
        const before = strictness(judge(block, call, facts))
        const { allow: _, ...fewer } = block
        expect(strictness(judge(fewer, call, facts))).toBeGreaterThanOrEqual(before)
      }),
      { numRuns: runs(150) },
    )
  })

  it('P5: allow of a line implies allow of each of its commands', () => {
    const parts = fc.array(commands, { minLength: 2, maxLength: 4 })
    let allowed = 0
    fc.assert(
      fc.property(blocks, parts, joints, withFacts, (block, each, joint, facts) => {
        const bash = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })
        if (judge(block, bash(each.join(joint)), facts).kind !== 'allow') return
        allowed++
        for (const command of each) expect(judge(block, bash(command), facts).kind, command).toBe('allow')
      }),
      { numRuns: runs(300) },
    )
    expect(allowed).toBeGreaterThan(5)
  })

  it('P5: what is allowed without facts is allowed with them', () => {
    fc.assert(
      fc.property(blocks, calls, (block, call) => {
        if (judge(block, call, false).kind === 'allow') {
          expect(judge(block, call, true).kind).toBe('allow')
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('an edit never needs fewer approvers than either call', () => {
    const asking = fc.record({
      approvers: fc.subarray(['ana', 'ben', 'group:sre'], { minLength: 1 }),
      quorum: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(asking, asking, calls, calls, (one, other, first, second) => {
        const block: PolicyBlock = {
          rules: [
            { name: 'one', when: { kind: 'shell' }, then: 'ask', ...one },
            {
              name: 'other',
              when: { arguments: { '/environment': { exists: true } } },
              then: 'ask',
              ...other,
            },
          ],
        }
        const verdicts = [judge(block, first, true), judge(block, second, true)] as [AskVerdict, AskVerdict]
        const both = strictest(verdicts[0], verdicts[1]) as AskVerdict
        for (const verdict of verdicts) {
          for (const condition of verdict.terms.conditions) {
            expect(both.terms.conditions).toContainEqual(condition)
          }
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('P5: no call makes judging, explaining or suggesting throw, and none is judged by giving up', () => {
    const anything = fc.record({
      tool: fc.oneof(names, fc.string()),
      arguments: fc.dictionary(
        fc.oneof(fc.constantFrom('command', 'file_path', 'path', 'url', 'pattern'), fc.string()),
        fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), lines) as fc.Arbitrary<never>,
      ),
      cwd: fc.oneof(fc.constant('/space'), fc.string()),
    })
    fc.assert(
      fc.property(blocks, anything, (block, call) => {
        const policy = compile(block)
        const facts = lexicalFacts(policy, call)
        const verdict = policy.evaluate(call, facts)
        expect(verdict.rule).not.toBe('built-in: unreadable call')
        expect(policy.explain(call, facts).verdict).toEqual(verdict)
        expect(policy.suggest(call, 'd', facts)[0]?.id).toBe('call')
        expect(policy.cover(call, 'd', [], facts) ?? []).toEqual([])
      }),
      { numRuns: runs(150) },
    )
  })
})
