import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'
import type { WhenBlock } from '../language/language.ts'

const places = { roots: ['/space'], home: '/home/ana' }

/** A block in `all` is not found by its key. */
function verdicts(whens: readonly WhenBlock[], then: 'deny' | 'ask', command: string, isLookedUp: boolean) {
  const block = (wrap: (when: WhenBlock) => WhenBlock): PolicyBlock => ({
    mode: 'bypass',
    rules: whens.map((when, at) => ({ name: `rule ${at}`, when: wrap(when), then })),
  })
  const call = { tool: 'Bash', arguments: { command }, cwd: '/space' }
  return [(when: WhenBlock) => when, (when: WhenBlock): WhenBlock => ({ all: [when] })].map((wrap) => {
    const policy = compilePolicy(block(wrap), places)
    return policy.evaluate(call, isLookedUp ? lexicalFacts(policy, call, places) : undefined).kind
  })
}

const host = fc.constantFrom(
  'a.example',
  '*.a.example',
  'b.a.example',
  'example',
  'x.io',
  '1.2.3.4',
  'npmjs.org',
  'localhost',
)
const path = fc.constantFrom(
  './src/**',
  './src/a.ts',
  '/etc',
  '/etc/*.conf',
  '~/.ssh',
  '*.pem',
  '**/.env',
  './a*/b',
  '/',
  './SRC',
  '../x',
)
const command = fc.constantFrom(
  'curl a.example',
  'curl b.a.example x.io',
  'curl "$X"',
  'npm install',
  'foo --to=c.a.example',
  'ssh production',
  'curl 0x01020304',
  'curl 127.0.0.1',
  'echo a.example',
  'cat src/a.ts',
  'cat SRC/A.ts /etc/x.conf',
  'tee /etc/passwd',
  'cat "$X"',
  'cat s*/a.ts',
  'cat ~/.ssh/id',
  'cat k.pem ./x/.env',
  'cat ../x/y /proc/self/cwd/src/a.ts',
  'cd /etc && cat x.conf',
  'rm -r a1/b/c',
  'ls',
)
const line = fc.array(command, { minLength: 1, maxLength: 4 }).map((some) => some.join('; '))

describe('rules that are found by their key', () => {
  it('P5: property: say the same as rules that are tried one by one', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            host.map((one) => ({ host: one })),
            path.map((one) => ({ path: one })),
          ),
          { minLength: 1, maxLength: 5 },
        ),
        fc.constantFrom('deny' as const, 'ask' as const),
        line,
        fc.boolean(),
        (whens, then, text, isLookedUp) => {
          const [found, tried] = verdicts(whens, then, text, isLookedUp)
          expect(found).toBe(tried)
        },
      ),
      { numRuns: runs(400) },
    )
  })

  it('an edit is found where a command may write, and not where it only reads', () => {
    const policy = compilePolicy({ mode: 'bypass', deny: ['Edit(./ci/**)'] }, places)
    const verdict = (text: string) => {
      const call = { tool: 'Bash', arguments: { command: text }, cwd: '/space' }
      return policy.evaluate(call, lexicalFacts(policy, call, places)).kind
    }
    expect(verdict('cat ci/x; tee ci/y')).toBe('deny')
    expect(verdict('cat ci/x; cat src/y')).toBe('allow')
    expect(verdict('cat "$X"; tee "$X"')).toBe('ask')
  })

  it('a path that is named as the rule says, and leads elsewhere through a link, is asked about', () => {
    const policy = compilePolicy({ mode: 'bypass', deny: ['Read(/etc/**)'] }, places)
    const call = { tool: 'Bash', arguments: { command: 'cat /etc/x' }, cwd: '/space' }
    const facts = lexicalFacts(policy, call, places)
    expect(policy.evaluate(call, facts).kind).toBe('deny')
    const linked = { ...facts, words: { ...facts.words, '/etc/x': '/elsewhere/x' } }
    expect(policy.evaluate(call, linked).kind).toBe('ask')
  })
})
