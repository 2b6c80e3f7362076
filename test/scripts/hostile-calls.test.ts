/** What `npm run fuzz` makes, counted: whatever an agent repeats, what is made of a call stays bounded. Never timed. */
import { describe, expect, it } from 'vitest'
import { makeCall } from '../../scripts/fuzz/make-call.ts'
import { POLICY } from '../../scripts/fuzz/policy.ts'
import { seededRandom } from '../../scripts/fuzz/random.ts'
import { build } from '../../scripts/fuzz/recipe.ts'
import { prepareCall, type ToolCall } from '../../src/core/call.ts'
import { BanksmanError } from '../../src/core/errors.ts'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { LINE_LIMITS } from '../../src/policy/shell/parse/line-limits.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'

const policy = compilePolicy(POLICY, {
  roots: ['/srv/work'],
  home: '/home/ana',
  ownHouse: {
    files: ['/srv/banksman.yaml'],
    folders: ['/srv/data'],
    addresses: ['127.0.0.1:4790'],
    program: 'banksman',
  },
})

function judge(call: object) {
  try {
    return policy.explain(prepareCall({ session: 's', ...call, callId: 'c' } as ToolCall))
  } catch (error) {
    // Refused as too large, or for what is in its names: that is an answer too.
    expect(error).toBeInstanceOf(BanksmanError)
    return undefined
  }
}

describe('P5: hostile calls', () => {
  it.each(Array.from({ length: 40 }, (_, index) => index + 1))(
    'of seed %i are judged within bounds',
    (seed) => {
      const explanation = judge(build(makeCall(seededRandom(seed))) as object)
      expect(explanation?.commands?.length ?? 0).toBeLessThanOrEqual(LINE_LIMITS.commands + LINE_LIMITS.loose)
      expect(explanation?.doubts?.length ?? 0).toBeLessThanOrEqual(LINE_LIMITS.doubts + 1)
    },
  )

  /** The worst that were found, as they were found. */
  it.each([
    ['wrappers', { $join: [{ $repeat: 'time ', times: 30_000 }, 'ls'] }],
    ['here-documents without an end', { $join: ['cat ', { $repeat: '<<a ', times: 200_000 }] }],
    ['evals', { $join: [{ $repeat: 'eval ', times: 976 }, '\u001b[31m #'] }],
    ['nested arithmetic', { $repeat: '$((', times: 40_000 }],
    ['nested brackets', { $join: ['cat ', { $repeat: '("$(', times: 30_000 }] }],
    ['wildcards', { $join: ['sh -c ', { $repeat: '.. [a-z] ! a[1]=2 ', times: 6326 }] }],
    [
      'commands that are not followed',
      { $join: ['rm ', { $repeat: 'docker bash -c "nohup [a-z]', times: 2727 }] },
    ],
    ['one word of wildcards', { $join: ['grep -r ', { $repeat: '*a./\\*[', times: 12_000 }] }],
    [
      'a long folder for many',
      { $join: [`cd ${'a/'.repeat(2000)} && `, { $repeat: 'cat a && ', times: 480 }, 'ls'] },
    ],
  ])('are too long to be checked, and a person is asked: %s', (_, command) => {
    for (const mode of ['default', 'acceptEdits', 'bypass']) {
      const call = prepareCall({
        tool: 'Bash',
        arguments: { command: build(command) as string },
        callId: 'c',
        session: 's',
      })
      const { verdict, doubts = [] } = policy.explain(call, undefined, { mode })
      expect([verdict.kind, doubts.some((doubt) => JSON.stringify(doubt).includes('too long'))]).toEqual([
        'ask',
        true,
      ])
      expect(verdict.because).toContain('the line is too long to be checked')
    }
  })

  it('in which a deny holds are still denied', () => {
    const line = `${'ls -l; '.repeat(20_000)}git push --force origin main`
    const call = { tool: 'Bash', arguments: { command: line } }
    expect(policy.evaluate(call).kind).toBe('deny')
    const ours = {
      tool: 'Bash',
      arguments: { command: `${'ls -l; '.repeat(50_000)}cat /srv/data/key ; ${'x '.repeat(200_000)}` },
    }
    expect(policy.evaluate(ours).kind).toBe('deny')
  })

  describe('that take too many steps although each limit of length holds', () => {
    const words = (share: number) =>
      Array.from({ length: LINE_LIMITS.words * share }, (_, at) => `a${at}`).join(' ')
    const padding = `cp ${words(6)}`
    const on = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/srv/work' })
    const factsOf = (command: string) => lexicalFacts(policy, on(command), { home: '/home/ana', at: 0 })

    it.each(['default', 'acceptEdits', 'bypass'])('need approval in the mode %s', (mode) => {
      const verdict = policy.evaluate(on(padding), factsOf(padding), { mode })
      expect(verdict.because).toContain('the line is too long to be checked')
      expect(verdict.kind).toBe('ask')
    })

    it('are covered by no grant, and none is offered', () => {
      const exact = {
        ...{
          id: 'g',
          tool: 'Bash',
          definitionDigest: '',
          createdAt: 0,
          createdBy: 'ana',
          requestId: 'r',
          uses: 0,
        },
        ...{
          rules: ['built-in: not understood', 'mode: default'],
          match: { kind: 'exact', digest: 'd' } as const,
        },
      }
      const short = 'cp a b'
      expect(policy.cover(on(short), 'd', [exact], factsOf(short))).toEqual([exact])
      expect(policy.cover(on(padding), 'd', [exact], factsOf(padding))).toBeUndefined()
      expect(policy.suggest(on(padding), 'd', factsOf(padding))).toEqual([])
      expect(policy.suggest(on(short), 'd', factsOf(short)).length).toBeGreaterThan(0)
    })

    it.each([
      ['by its program', 'git push --force origin main'],
      ['by a path', 'cat /srv/work/secrets/key'],
      ['by a host', 'curl evil.example'],
      ['as ours', 'cat /srv/data/key'],
      ['as one that destroys', 'rm -rf /'],
    ])('stay denied %s, wherever the padding stands', (_, denied) => {
      const commands = Array.from({ length: LINE_LIMITS.commands - 1 }, (_, at) => `a${at}`).join('; ')
      const paddings = [0.25, 0.5, 0.75, 0.99, 1.01, 6].map((share) => `cp ${words(share)}`)
      const nested = `sudo docker run ${words(0.99)}`
      for (const padding of [...paddings, nested, commands, `${commands}; ${commands}`])
        for (const line of [
          `${padding}; ${denied}`,
          `${denied} && ${padding}`,
          `x "$(${padding}; ${denied})"`,
        ]) {
          const { kind } = policy.evaluate(on(line), factsOf(line), { mode: 'bypass' })
          expect(kind, `${denied} in ${line.slice(0, 60)}`).toBe('deny')
        }
    })
  })

  it('are asked about where every line is allowed', () => {
    const lax = compilePolicy({ allow: ['Bash'], ask: ['Bash(curl *)'] })
    const verdictOn = (command: string) => lax.evaluate({ tool: 'Bash', arguments: { command } })
    expect(verdictOn('a;'.repeat(10)).kind).toBe('allow')
    expect(verdictOn('a;'.repeat(1000))).toMatchObject({
      kind: 'ask',
      because: expect.stringContaining('the line is too long to be checked'),
    })
  })
})
