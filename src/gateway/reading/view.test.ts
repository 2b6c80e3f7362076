import { afterEach, describe, expect, it } from 'vitest'
import type { DecisionInput } from '../../core/decision.ts'
import type { Request } from '../../core/request.ts'
import type { Facts } from '../../core/verdict.ts'
import { compilePolicy } from '../../policy/index.ts'
import { judgeByEnvironment } from '../fixtures/grant-fixtures.ts'
import {
  aCall,
  agent,
  ana,
  approve,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

const decide = (request: Request, decision: Partial<DecisionInput> & Pick<DecisionInput, 'decision'>) =>
  setup.gateway.decide(request.id, { digest: request.digest, ...decision }, ana)

const to = (environment: string, version = 0) => ({ arguments: { environment, version } })
const deploys = judgeByEnvironment((call) =>
  call.tool === 'read' ? { kind: 'allow', because: 'reading' } : ask('deploys'),
)

describe('view: who sees it', () => {
  it('P6: people see it, its own agent may not, and to another agent it does not exist', async () => {
    setup = await openTestGateway()
    const { id } = await askedRequest(setup)
    for (const person of [ana, ben, eve]) {
      expect((await setup.gateway.view(id, person)).request.id).toBe(id)
    }
    await expect(setup.gateway.view(id, agent)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setup.gateway.view(id, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(setup.gateway.view('req_none', ana)).rejects.toMatchObject({ code: 'unknown_id' })
  })

  it('P10: looking changes nothing', async () => {
    setup = await openTestGateway()
    const { id } = await askedRequest(setup)
    const before = await setup.store.journal.cursor()
    await setup.gateway.view(id, ana)
    expect(await setup.store.journal.cursor()).toBe(before)
  })
})

describe('view: what the policy says now', () => {
  it('is told with the session’s mode, while it is pending', async () => {
    setup = await openTestGateway({ policy: { ask: ['deploy'] } })
    const request = await askedRequest(setup)
    const { judgement } = await setup.gateway.view(request.id, ana)
    expect(judgement).toMatchObject({
      explanation: { verdict: { kind: 'ask' }, mode: 'default', tool: { name: 'deploy', known: false } },
      policyChanged: false,
      factsChanged: false,
    })
    await setup.gateway.setMode(request.session, 'plan', ana)
    expect((await setup.gateway.view(request.id, ana)).judgement?.explanation.mode).toBe('plan')
    await decide(request, { decision: 'reject' })
    expect((await setup.gateway.view(request.id, ana)).judgement).toBeUndefined()
  })

  it('says that the policy is another one than when it was asked', async () => {
    setup = await openTestGateway({ policy: { ask: ['deploy'] } })
    const { id } = await askedRequest(setup)
    const restarted = await setup.restart({ policy: { deny: ['deploy'] } })
    setup = restarted
    const { judgement } = await setup.gateway.view(id, ana)
    expect(judgement).toMatchObject({ policyChanged: true, explanation: { verdict: { kind: 'deny' } } })
  })

  it('says that what it was judged on has changed, for the edit that is shown now too', async () => {
    let facts: Facts = { paths: { '/path': { resolved: '/one', exists: true } } }
    setup = await openTestGateway({
      policy: { rules: [{ name: 'two', when: { tool: 'deploy' }, then: 'ask', quorum: 2 }] },
      gatherFacts: async () => facts,
    })
    const request = await askedRequest(setup)
    const isChanged = async () => (await setup.gateway.view(request.id, ana)).judgement?.factsChanged
    expect(await isChanged()).toBe(false)
    facts = { paths: { '/path': { resolved: '/two', exists: true } }, at: 5 }
    expect(await isChanged()).toBe(true)
    await decide(request, { decision: 'edit', arguments: { environment: 'qa' } })
    expect(await isChanged()).toBe(false)
    facts = {}
    expect(await isChanged()).toBe(true)
  })

  it('of a question nothing is told: it is asked in any case', async () => {
    setup = await openTestGateway({ policy: { allow: ['*'] } })
    const { id } = await askedRequest(setup, {
      tool: 'ask_user_question',
      arguments: { questions: [{ id: 'q', question: 'Which?' }] },
    })
    expect(await setup.gateway.view(id, ana)).not.toHaveProperty('judgement')
  })

  it('P5: facts that can not be gathered fail nothing, and are not made up', async () => {
    let isBroken = false
    setup = await openTestGateway({
      gatherFacts: async () => {
        if (isBroken) throw new Error('the disk is gone')
        return { paths: {} }
      },
    })
    const { id } = await askedRequest(setup)
    isBroken = true
    const view = await setup.gateway.view(id, ana)
    expect(view).not.toHaveProperty('facts')
    expect(view.judgement).toMatchObject({ factsChanged: false })
    expect(setup.faults).toEqual([expect.objectContaining({ doing: expect.stringContaining(id) })])
  })

  it('nothing is looked up for one that is no longer pending', async () => {
    let looked = 0
    setup = await openTestGateway({
      gatherFacts: async () => {
        looked++
        return {}
      },
    })
    const request = await askedRequest(setup)
    await decide(request, { decision: 'reject' })
    const lookedBefore = looked
    expect(await setup.gateway.view(request.id, ana)).not.toHaveProperty('facts')
    expect(looked).toBe(lookedBefore)
  })
})

describe('view: the file that a call changes', () => {
  const edit = { tool: 'Edit', arguments: { file_path: '/w/a.txt', old_string: 'b', new_string: 'c' } }
  const facts: Facts = { paths: { '/file_path': { resolved: '/w/a.txt', exists: true } } }

  async function textShownTo(person: typeof ana, text: string): Promise<string | undefined> {
    const read: string[] = []
    setup = await openTestGateway({
      gatherFacts: async () => facts,
      readText: async (path) => {
        read.push(path)
        return text
      },
    })
    const { id } = await askedRequest(setup, edit)
    const { facts: found, judgement } = await setup.gateway.view(id, person)
    expect(read.every((path) => path === '/w/a.txt')).toBe(true)
    // What is only shown is no part of what it was judged on.
    expect(judgement?.factsChanged).toBe(false)
    return found?.paths?.['/file_path']?.text
  }

  it('is shown to who may decide', async () => {
    expect(await textShownTo(ben, 'a\nb\n')).toBe('a\nb\n')
  })

  it('P6: is not shown to who may only look', async () => {
    expect(await textShownTo(eve, 'a\nb\n')).toBeUndefined()
  })

  it('P9: is not shown where there is a secret in it', async () => {
    expect(await textShownTo(ana, `b\nTOKEN=ghp_${'a1B2'.repeat(9)}\n`)).toBeUndefined()
  })

  it('P11: is not read where the policy denies the call by now', async () => {
    const path = { resolved: '/w/a.txt', exists: true }
    let read = 0
    let isLate = false
    setup = await openTestGateway({
      policy: policyFrom(() => (isLate ? { kind: 'deny', because: 'ours' } : ask('edits'))),
      gatherFacts: async () => ({ paths: { '/file_path': path } }),
      readText: async () => {
        read++
        return 'b'
      },
    })
    const { id } = await askedRequest(setup, edit)
    isLate = true
    expect((await setup.gateway.view(id, ana)).facts?.paths?.['/file_path']).toEqual(path)
    expect(read).toBe(0)
  })

  it('is left out where it can not be read', async () => {
    setup = await openTestGateway({
      gatherFacts: async () => facts,
      readText: async () => {
        throw new Error('no')
      },
    })
    const { id } = await askedRequest(setup, edit)
    expect((await setup.gateway.view(id, ana)).facts).toEqual(facts)
  })
})

describe('view: earlier decisions', () => {
  it('the same call first, then calls of the same kind, then of the same tool; the newest first', async () => {
    setup = await openTestGateway({ policy: deploys })
    const same = await askedRequest(setup, to('staging', 1))
    await decide(same, { decision: 'reject', reason: 'not on a Friday' })
    const alike = await askedRequest(setup, to('staging', 2))
    await approve(setup, alike)
    const newerAlike = await askedRequest(setup, { ...to('staging', 3), session: 'another' })
    await decide(newerAlike, { decision: 'respond', text: 'later' })
    for (let version = 0; version < 4; version++) {
      await decide(await askedRequest(setup, to('production', version)), { decision: 'reject' })
    }
    await decide(await askedRequest(setup, { ...to('staging', 1), tool: 'ship' }), { decision: 'reject' })
    await askedRequest(setup, to('staging', 9))
    const { id } = await askedRequest(setup, to('staging', 1))
    const { earlier } = await setup.gateway.view(id, ana)
    expect(earlier.map(({ likeness }) => likeness)).toEqual([
      'same',
      'alike',
      'alike',
      'tool',
      'tool',
      'tool',
    ])
    expect(earlier.slice(0, 3).map(({ request }) => request.id)).toEqual([same.id, newerAlike.id, alike.id])
    // It is not among its own.
    const ofDecided = (await setup.gateway.view(alike.id, ana)).earlier
    expect(ofDecided.map(({ request }) => request.id)).not.toContain(alike.id)
    expect(earlier[0]?.request.progress.decision).toMatchObject({ kind: 'reject', reason: 'not on a Friday' })
  })

  it('ten at most, and none that nobody decided', async () => {
    setup = await openTestGateway({ policy: deploys })
    for (let count = 0; count < 12; count++) {
      await decide(await askedRequest(setup, to('staging', 1)), { decision: 'reject' })
    }
    const withdrawn = await askedRequest(setup, to('staging', 1))
    await setup.gateway.cancel(withdrawn.id, {}, agent)
    const { id } = await askedRequest(setup, to('staging', 1))
    const { earlier } = await setup.gateway.view(id, ana)
    expect(earlier).toHaveLength(10)
    expect(earlier.map(({ request }) => request.id)).not.toContain(withdrawn.id)
  })

  it('P5: one whose arguments were erased counts by its tool or its digest only', async () => {
    setup = await openTestGateway({ policy: deploys })
    const same = await askedRequest(setup, to('staging', 1))
    await decide(same, { decision: 'reject' })
    const other = await askedRequest(setup, to('staging', 2))
    await decide(other, { decision: 'reject' })
    setup.clock.jump(1000)
    await setup.gateway.history.eraseOlderThan(1)
    const { id } = await askedRequest(setup, to('staging', 1))
    const { earlier } = await setup.gateway.view(id, ana)
    expect(earlier.map(({ likeness, request }) => [likeness, request.id])).toEqual([
      ['same', same.id],
      ['tool', other.id],
    ])
  })

  it('a shell line is like one of the same shape', async () => {
    const policy = compilePolicy({ extends: ['banksman:starter'], ask: ['Bash'] }, { roots: ['/w'] })
    setup = await openTestGateway({
      policy,
      gatherFacts: async (call) => {
        const { words } = policy.lookups(call)
        return { folder: '/w', words: Object.fromEntries(words.map((word) => [word, `/w/${word}`])) }
      },
    })
    const bash = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/w' })
    await approve(setup, await askedRequest(setup, bash('git add a')))
    await approve(setup, await askedRequest(setup, bash('ls a')))
    const { id } = await askedRequest(setup, bash('git add b'))
    const { earlier } = await setup.gateway.view(id, ana)
    expect(earlier.map(({ likeness }) => likeness)).toEqual(['alike', 'tool'])
  })
})

describe('view: what the session did before', () => {
  it('the last five calls of the session before this one, the newest first', async () => {
    setup = await openTestGateway({ policy: deploys })
    for (let count = 0; count < 7; count++) {
      setup.clock.jump(10)
      if (count === 5) await askedRequest(setup, { callId: 'b5', ...to('qa') })
      else await setup.gateway.review(aCall({ tool: 'read', callId: `b${count}` }), agent)
    }
    await setup.gateway.review(aCall({ tool: 'read', session: 'another' }), agent)
    setup.clock.jump(10)
    const { id } = await askedRequest(setup)
    setup.clock.jump(10)
    await setup.gateway.review(aCall({ tool: 'read', callId: 'after' }), agent)
    await setup.gateway.flush()
    const { before } = await setup.gateway.view(id, ana)
    expect(before.map(({ callId, verdict, request }) => [callId, verdict, request?.state])).toEqual([
      ['b6', 'allow', undefined],
      ['b5', 'ask', 'pending'],
      ['b4', 'allow', undefined],
      ['b3', 'allow', undefined],
      ['b2', 'allow', undefined],
    ])
  })

  it('P3: a call that a person changed is told as it ran', async () => {
    setup = await openTestGateway({ policy: deploys })
    const first = await askedRequest(setup, { callId: 'changed', ...to('qa') })
    const edit = { decision: 'edit', digest: first.digest, arguments: to('staging').arguments } as const
    await setup.gateway.decide(first.id, edit, ana)
    setup.clock.jump(10)
    const { id } = await askedRequest(setup)
    const { before } = await setup.gateway.view(id, ana)
    expect(before.map(({ bytes }) => JSON.parse(bytes).arguments)).toEqual([to('staging').arguments])
  })

  it('those that nobody was asked about are found however busy others were since', async () => {
    setup = await openTestGateway({ policy: deploys })
    await setup.gateway.review(aCall({ tool: 'read', callId: 'mine' }), agent)
    const { id } = await askedRequest(setup)
    for (let count = 0; count < 1050; count++) {
      await setup.gateway.review(aCall({ tool: 'read', session: `other-${count % 7}` }), agent)
    }
    await setup.gateway.flush()
    const { before, earlier } = await setup.gateway.view(id, ana)
    expect(before.map(({ callId }) => callId)).toEqual(['mine'])
    expect(earlier).toEqual([])
  })
})

describe('view: who could meet the conditions', () => {
  it('is told by rule, as the directory has it now', async () => {
    setup = await openTestGateway({
      policy: {
        rules: [
          { name: 'sre', when: { tool: 'deploy' }, then: 'ask', approvers: ['group:sre'] },
          { name: 'any', when: { tool: 'deploy' }, then: 'ask' },
        ],
      },
    })
    const { id } = await askedRequest(setup)
    expect((await setup.gateway.view(id, eve)).eligible).toEqual({ sre: ['ben'], any: ['ana', 'ben'] })
  })
})
