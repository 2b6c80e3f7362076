import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODES } from '../../core/session.ts'
import { compileRules, indexRules } from '../compile/compile-rules.ts'
import { isMode } from '../language/language.ts'
import { checkPolicyBlock } from '../language/policy-block.ts'
import { createSubject } from '../subject/subject.ts'
import { compileCatalogue } from '../tools/catalogue.ts'
import { judgeByRules } from './judge-by-rules.ts'
import { compileToolNames } from './tool-names.ts'
import { verdictOf } from './verdict-of.ts'

const catalogue = compileCatalogue({})
const places = { roots: [], home: undefined }

function compile(block: object, open: string[] = []) {
  const checked = checkPolicyBlock(block)
  const reason = checked.reason?.split('{tool}')
  return {
    names: compileToolNames({ lists: compileRules(checked, catalogue, places).names, open, reason }),
    reason,
  }
}

/** The long way, which looks at everything. */
function judged({ names, reason }: ReturnType<typeof compile>, tool: string, mode: string) {
  const none = indexRules([])
  const parts = {
    deny: none,
    ask: none,
    allow: none,
    roots: [],
    starter: false,
    steeringAsks: () => [],
    readsBelow: () => [],
  }
  const subject = createSubject({ tool, arguments: {} }, undefined, undefined)
  const judgement = judgeByRules(parts, subject, names.findings(tool), isMode(mode) ? mode : 'dontAsk')
  return verdictOf(judgement, subject, { mode, roots: [], reason })
}

describe('compileToolNames', () => {
  it('says what every list says of a tool, plain names first', () => {
    const { names } = compile({ deny: ['*_x', 'a_x'], ask: ['a_*', '*'], allow: ['a*', 'a_x'] })
    const { deny, ask, allow } = names.findings('a_x')
    expect(deny.map(({ name }) => name)).toEqual(['deny: "a_x"', 'deny: "*_x"'])
    expect(ask.map(({ name }) => name)).toEqual(['ask: "a_*"', 'ask: "*"'])
    expect(allow?.name).toBe('allow: "a_x"')
  })

  it('P5: does not settle a call of which a rule speaks', () => {
    const { names } = compile({ allow: ['deploy', 'read_*'] }, ['deploy', '*_secret'])
    expect(names.settle('deploy', 'bypass')).toBeUndefined()
    expect(names.settle('read_secret', 'default')).toBeUndefined()
    expect(names.settle('read_me', 'default')?.kind).toBe('allow')
    expect(compile({ allow: ['a'] }, ['*']).names.settle('a', 'bypass')).toBeUndefined()
  })

  it('P5: a mode that it does not know settles nothing', () => {
    const { names } = compile({})
    for (const mode of ['plan', 'BYPASS', '', 'constructor']) expect(names.settle('a', mode)).toBeUndefined()
  })

  it('a verdict is one’s own: what is done to it does not reach the next', () => {
    const { names } = compile({ ask: ['a'] })
    const first = names.settle('a', 'default')
    if (first?.kind === 'ask') first.terms.allowedDecisions.length = 0
    const second = names.settle('a', 'default')
    expect(second?.kind === 'ask' && second.terms.allowedDecisions).toHaveLength(5)
  })

  it('property: settles each call as looking at everything would', () => {
    const letters = fc.constantFrom('a', 'b', '_')
    const pattern = fc.string({ unit: fc.oneof(letters, fc.constant('*')), minLength: 1, maxLength: 4 })
    const lists = fc.array(pattern, { maxLength: 20, size: 'max' })
    const block = fc.record(
      {
        deny: lists,
        ask: lists,
        allow: lists,
        reason: fc.constantFrom('{tool} needs a person', 'why $& {tool}{tool}'),
      },
      { requiredKeys: [] },
    )
    const names = fc.array(fc.string({ unit: letters, maxLength: 6 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(block, names, fc.constantFrom(...MODES, 'none such'), (policy, tools, mode) => {
        const compiled = compile(policy)
        for (const tool of tools) {
          const settled = compiled.names.settle(tool, mode)
          if (settled === undefined) expect(['plan', 'none such']).toContain(mode)
          else expect(settled).toEqual(judged(compiled, tool, mode))
        }
      }),
      { numRuns: 300 },
    )
  })
})
