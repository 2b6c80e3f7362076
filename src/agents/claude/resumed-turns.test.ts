/** A turn that another process began: what the model is told, and what becomes of the calls that were open. */
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import { openHostedClaude } from './fixtures/hosted-claude.ts'
import type { ManualQuery } from './fixtures/manual-sdk.ts'

const TOUCH = { command: 'touch a' }
const ECHO = { command: 'echo a' }
const QUESTION = {
  questions: [{ question: 'Which?', header: 'W', options: [{ label: 'A' }, { label: 'B' }] }],
}
const allowed = { hookSpecificOutput: { permissionDecision: 'allow' } }

/** A call that waits, and then the process ends. `meanwhile`: while no process runs. */
async function restartedWith(tool: string, args: object, meanwhile?: (id: string, digest: string) => object) {
  const claude = await openHostedClaude()
  const query = await claude.say('go')
  query.init()
  const id = query.call(tool, args)
  void query.before(id, tool, args)
  const request = await claude.pending()
  await claude.host.close()
  if (meanwhile !== undefined)
    await claude.gateway.decide(request.id, meanwhile(request.id, request.digest) as never, ana)
  // As after kill -9: who waited has not said that it waits no longer.
  await claude.setup.store.leases.take({ name: `hold/${request.id}`, holder: 'the dead', leaseMs: 15_000 })
  const next = await claude.restart()
  const resumed = await firstHeard(next.queries)
  return { claude, next, request, query: resumed, before: query }
}

async function firstHeard(queries: ManualQuery[]): Promise<ManualQuery> {
  await until(() => queries[0]?.heard.length === 1)
  queries[0]!.init()
  return queries[0]!
}

describe('a turn that goes on after a restart', () => {
  it('P4: with a call that waits: made again, it is the same request, and runs once', async () => {
    const { claude, next, request, query, before } = await restartedWith('Bash', TOUCH)
    expect(before.isClosed).toBe(true)
    expect(query.options.resume).toBeDefined()
    expect(query.heard[0]!.text).toContain('the server was restarted')
    expect(query.heard[0]!.text).toContain('make exactly the same call again')
    const id = query.call('Bash', TOUCH)
    const asked = query.before(id, 'Bash', TOUCH)
    await until(() => next.host.progress('s1', ana).then(({ state }) => state === 'waiting'))
    await claude.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
    expect(await asked).toMatchObject(allowed)
    await query.after(id, 'made')
    query.result({ result: 'done' })
    expect(await next.endOf()).toMatchObject({ status: 'completed' })
    expect(await claude.gateway.get(request.id, ana)).toMatchObject({ state: 'done' })
    const outcomes = (await next.entries()).flatMap((entry) =>
      entry.kind === 'result' ? [entry.outcome] : [],
    )
    expect(outcomes).toEqual(['refused', 'ran'])
    expect((await claude.gateway.list({ state: 'pending', limit: 10 }, ana)).items).toEqual([])
  })

  it('with a call that was approved meanwhile: made again, it runs without another question', async () => {
    const { claude, query, request } = await restartedWith('Bash', TOUCH, (_, digest) => ({
      decision: 'approve',
      digest,
    }))
    expect(query.heard[0]!.text).toContain('it may run')
    const id = query.call('Bash', TOUCH)
    expect(await query.before(id, 'Bash', TOUCH)).toMatchObject(allowed)
    expect(await claude.gateway.get(request.id, ana)).toMatchObject({ state: 'running' })
  })

  it('with a call that was rejected meanwhile: the model is told why', async () => {
    const { query } = await restartedWith('Bash', TOUCH, (_, digest) => ({
      decision: 'reject',
      digest,
      reason: 'not that file',
    }))
    expect(query.heard[0]!.text).toContain('not that file')
  })

  it('with a question that was answered meanwhile: the model is told the answer', async () => {
    const { query, next } = await restartedWith('AskUserQuestion', QUESTION, (_, digest) => ({
      decision: 'answer',
      digest,
      answers: { q1: { choices: ['B'] } },
    }))
    expect(query.heard[0]!.text).toContain('"B"')
    expect((await next.entries()).findLast(({ kind }) => kind === 'result')).toMatchObject({
      outcome: 'answered',
    })
  })

  it('a call that nobody makes again is withdrawn with the turn', async () => {
    const { claude, next, request, query } = await restartedWith('Bash', TOUCH)
    query.result({ result: 'never mind' })
    expect(await next.endOf()).toMatchObject({ status: 'completed', text: 'never mind' })
    expect(await claude.gateway.get(request.id, ana)).toMatchObject({ state: 'cancelled' })
  })

  it('P4: with a call that may have run: the model is told, and the same call is asked about though the policy allows it', async () => {
    const claude = await openHostedClaude()
    const query = await claude.say('go')
    query.init()
    const ran = query.call('Bash', ECHO)
    expect(await query.before(ran, 'Bash', ECHO)).toMatchObject(allowed)
    const next = await claude.restart()
    const resumed = await firstHeard(next.queries)
    expect(resumed.heard[0]!.text).toContain('it may have run')
    const id = resumed.call('Bash', ECHO)
    const asked = resumed.before(id, 'Bash', ECHO)
    const request = await claude.pending()
    expect(request.terms).toMatchObject({ scopes: ['once'] })
    await claude.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
    expect(await asked).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('before the model had said anything: it is told what the person said', async () => {
    const claude = await openHostedClaude()
    const query = await claude.say('go there')
    query.init()
    await until(async () => (await claude.entries()).some(({ kind }) => kind === 'note'))
    const next = await claude.restart()
    const resumed = await firstHeard(next.queries)
    expect(resumed.heard.map(({ text }) => text)).toEqual(['go there'])
  })
})
