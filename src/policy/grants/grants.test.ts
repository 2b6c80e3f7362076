import { describe, expect, it } from 'vitest'
import type { Grant } from '../../core/grants/grant.ts'
import { conditionKey } from '../../core/verdict.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock, type Suggestion } from '../index.ts'
import type { JudgedCall } from '../policy.ts'

const roots = ['/space']
const bash = (command: string): JudgedCall => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })

function opened(block: PolicyBlock) {
  const policy = compilePolicy(block, { roots, home: '/home/ana' })
  const facts = (call: JudgedCall) => lexicalFacts(policy, call, { home: '/home/ana' })
  return {
    policy,
    suggest: (call: JudgedCall) => policy.suggest(call, 'digest', facts(call)),
    /** The grant that a person would leave behind by this suggestion. */
    grant(call: JudgedCall, id: string, name = id): Grant {
      const verdict = policy.evaluate(call, facts(call))
      if (verdict.kind !== 'ask') throw new Error(`${verdict.kind}: ${verdict.because}`)
      const found = policy.suggest(call, `digest of ${name}`, facts(call)).find((one) => one.id === id)
      if (found === undefined) throw new Error(`no suggestion ${id}`)
      return {
        id: name,
        tool: call.tool,
        definitionDigest: '',
        rules: verdict.terms.conditions.map(conditionKey),
        match: found.match,
        createdAt: 0,
        createdBy: 'ana',
        requestId: 'r',
        uses: 0,
      }
    },
    cover: (call: JudgedCall, grants: Grant[], digest = 'another') =>
      policy.cover(call, digest, grants, facts(call))?.map(({ id }) => id),
  }
}
const ids = (suggestions: Suggestion[]) => suggestions.map(({ id, width }) => `${id} ${width}`)

describe('suggestions', () => {
  it('go from narrow to wide, and say what they would let through', () => {
    const { suggest } = opened({})
    expect(suggest(bash('mkdir -p build/out')).map(({ words }) => words)).toEqual([
      'exactly this call, with the same arguments in the same folder',
      '`mkdir -p *` with any arguments in place of the star, on paths inside the workspace',
    ])
    const edit = { tool: 'Edit', arguments: { file_path: 'src/a.ts' }, cwd: '/space' }
    expect(suggest(edit).map(({ id, words }) => `${id}: ${words}`)).toEqual([
      'call: exactly this call, with the same arguments in the same folder',
      'path: Edit of ./src/a.ts',
      'folder: Edit of anything in ./src',
      'tool: Edit with any arguments',
    ])
    expect(ids(suggest({ tool: 'WebFetch', arguments: { url: 'https://example.com/x' } }))).toEqual([
      'call call',
      'shape shape',
      'tool tool',
    ])
    expect(ids(suggest({ tool: 'send', arguments: { to: 'ana', body: 'x'.repeat(200) } }))).toEqual([
      'call call',
      'tool tool',
    ])
    expect(ids(suggest({ tool: 'WebSearch', arguments: { query: 'x' } }))).toEqual([
      'call call',
      'argument:/query argument',
      'tool tool',
    ])
  })

  it('P5: what runs code, deletes, reaches the network or is not known gets nothing wide', () => {
    const { suggest } = opened({})
    for (const line of [
      'python x.py',
      'node x.js',
      'npm install x',
      'npx x',
      'curl https://example.com',
      'rm x',
      'sudo ls',
      'frobnicate x',
      'echo x > y',
      'FOO=1 mkdir x',
      'mkdir $X; $Y',
      'mkdir $X',
      'make',
      'xargs mkdir',
    ]) {
      expect(ids(suggest(bash(line))), line).toEqual(['call call'])
    }
  })

  it('a rule can forbid wide ones', () => {
    const { suggest } = opened({
      rules: [{ name: 'careful', when: { tool: 'Edit' }, then: 'ask', widestGrant: 'shape' }],
    })
    expect(ids(suggest({ tool: 'Edit', arguments: { file_path: 'a' }, cwd: '/space' }))).toEqual([
      'call call',
      'path shape',
    ])
  })
})

describe('cover', () => {
  it('a grant covers what it was given for, and no more', () => {
    const { grant, cover } = opened({ allow: ['Bash(ls *)'] })
    const shape = grant(bash('mkdir -p a'), 'shape')
    expect(cover(bash('mkdir -p b/c'), [shape])).toEqual(['shape'])
    expect(cover(bash('ls; mkdir -p b && ls'), [shape])).toEqual(['shape'])
    for (const line of [
      'mkdir b',
      'mkdir -p /etc/x',
      'mkdir -p b; rm x',
      'mkdir -p b > out',
      'mkdir -p $X',
      'sudo mkdir -p b',
      'X=1 mkdir -p b',
      './mkdir -p b',
    ]) {
      expect(cover(bash(line), [shape]), line).toBeUndefined()
    }
    const exact = grant(bash('mkdir $X'), 'call')
    expect(cover(bash('mkdir $X'), [exact])).toBeUndefined()
    expect(cover(bash('mkdir $X'), [exact], 'digest of call')).toEqual(['call'])
  })

  it('several grants answer one line together, and none is named that is not needed', () => {
    const { grant, cover } = opened({})
    const mkdir = grant(bash('mkdir a'), 'shape', 'mkdir')
    const touch = grant(bash('touch a'), 'shape', 'touch')
    const other = grant(bash('git add a'), 'shape', 'git')
    expect(cover(bash('mkdir b && touch b/c'), [other, mkdir, touch])).toEqual(['mkdir', 'touch'])
    expect(cover(bash('mkdir b && touch b/c'), [mkdir])).toBeUndefined()
    expect(cover(bash('touch b/c'), [other, mkdir, touch])).toEqual(['touch'])
  })

  it('of grants that stand in for each other enough are taken, so that a use of each that is needed is consumed', () => {
    const { grant, cover } = opened({})
    const when = (command: string[]): Grant['match'] => ({
      kind: 'when',
      when: { tool: 'Bash', command },
      words: '',
    })
    const base = grant(bash('mkdir a'), 'shape')
    const first: Grant = { ...base, id: 'first', match: when(['mkdir *']) }
    const middle: Grant = { ...base, id: 'middle', match: when(['mkdir *', 'touch *']) }
    const last: Grant = { ...base, id: 'last', match: when(['touch *', 'cp *']) }
    const line = bash('mkdir a && touch b && cp b c')
    expect(cover(line, [first, middle, last])).toEqual(['middle', 'last'])
    expect(cover(line, [first, last])).toEqual(['first', 'last'])
  })

  it('P5: a grant answers only the rules that it was given for, and never lifts a deny', () => {
    const call = bash('mkdir a')
    const given = opened({}).grant(call, 'shape')
    expect(opened({}).cover(call, [given])).toEqual(['shape'])
    expect(opened({ ask: ['Bash(mkdir *)'] }).cover(call, [given])).toBeUndefined()
    expect(opened({ ask: ['Bash'] }).cover(call, [given])).toBeUndefined()
    expect(opened({ deny: ['Bash(mkdir *)'] }).cover(call, [given])).toBeUndefined()
    expect(opened({ mode: 'dontAsk' }).cover(call, [given])).toBeUndefined()
    expect(opened({ mode: 'plan' }).cover(call, [given])).toBeUndefined()
    const asked = opened({ ask: ['Bash(mkdir *)'] })
    const forRule = asked.grant(call, 'shape')
    expect(asked.cover(call, [forRule])).toEqual(['shape'])
    expect(asked.cover(bash('mkdir a; touch b'), [forRule])).toBeUndefined()
  })

  it('P6: a rule that is given other approvers or a higher quorum asks again', () => {
    const asking = (more: object) =>
      opened({ rules: [{ name: 'folders', when: { command: 'mkdir *' }, then: 'ask', ...more }] })
    const call = bash('mkdir a')
    const given = asking({ quorum: 2 }).grant(call, 'shape')
    expect(asking({ quorum: 2 }).cover(call, [given])).toEqual(['shape'])
    for (const more of [{}, { quorum: 3 }, { quorum: 2, approvers: ['group:sre'] }]) {
      expect(asking(more).cover(call, [given])).toBeUndefined()
    }
  })

  it('P5: a grant of a shape never answers a rule that may hold: of another call it may be a deny', () => {
    const guarded = opened({
      deny: ['Read(./.env)'],
      rules: [{ name: 'keys', when: { path: '**/*.pem' }, then: 'ask' }],
    })
    const nowhere = (command: string): JudgedCall => ({ tool: 'Bash', arguments: { command } })
    expect(ids(guarded.suggest(nowhere('touch notes.txt')))).toEqual(['call call'])
    const shape = guarded.grant(bash('touch notes.txt'), 'shape')
    expect(guarded.cover(bash('touch other.txt'), [shape])).toEqual(['shape'])
    for (const line of ['touch .env', 'touch key.pem', 'touch /etc/x', 'touch other.txt']) {
      const wide: Grant = {
        ...shape,
        rules: [...shape.rules, 'built-in: not known beforehand', 'keys', 'deny: "Read(./.env)"'],
      }
      expect(guarded.cover(nowhere(line), [wide]), line).toBeUndefined()
    }
  })

  it('a grant whose condition can not be read any more covers nothing', () => {
    const { cover, grant } = opened({})
    const broken: Grant = {
      ...grant(bash('mkdir a'), 'shape'),
      match: { kind: 'when', when: { tol: 'Bash' }, words: '' },
    }
    expect(cover(bash('mkdir a'), [broken])).toBeUndefined()
  })

  it('matches counts what a suggestion would have let through', () => {
    const { policy, grant } = opened({})
    const { match } = grant(bash('mkdir -p a'), 'shape')
    const matches = (line: string) => {
      const call = bash(line)
      return policy.matches(match, call, 'd', lexicalFacts(policy, call))
    }
    expect(
      ['mkdir -p x', 'mkdir -p x && mkdir -p y', 'mkdir x', 'mkdir -p x; ls', 'mkdir -p "$X"'].map(matches),
    ).toEqual([true, true, false, false, false])
  })
})
