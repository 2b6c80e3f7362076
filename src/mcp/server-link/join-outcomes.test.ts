import { describe, expect, it } from 'vitest'
import { ClientError } from '../../client/transport/client-error.ts'
import { createJoinOutcomes, type OutcomeAnswers } from './join-outcomes.ts'

function joined(answer: (outcomes: unknown[]) => OutcomeAnswers | Promise<OutcomeAnswers>) {
  const sent: unknown[][] = []
  const report = createJoinOutcomes(async (outcomes) => {
    sent.push(outcomes)
    return answer(outcomes)
  })
  return { sent, report }
}

const allRecorded = (outcomes: unknown[]) => ({ outcomes: outcomes.map(() => ({})) })

describe('outcomes of the same moment', () => {
  it('go in one exchange, and in as many as the server needs', async () => {
    const { sent, report } = joined(allRecorded)
    await Promise.all(Array.from({ length: 250 }, (_, at) => report(at)))
    expect(sent.map(({ length }) => length)).toEqual([100, 100, 50])
    await report('later')
    expect(sent.at(-1)).toEqual(['later'])
  })

  it('P10: are on the record only where the server says so of each', async () => {
    const { report } = joined(() => ({ outcomes: [{}, { code: 'not_running', detail: 'no' }] }))
    const [first, second, third] = await Promise.allSettled([report(1), report(2), report(3)])
    expect(first).toMatchObject({ status: 'fulfilled' })
    expect(second).toMatchObject({ reason: { code: 'not_running', detail: 'no' } })
    expect(third).toMatchObject({ reason: { code: 'unexpected_answer' } })
  })

  it('P10: are not on the record where the exchange failed, or its answer is none', async () => {
    const failing = joined(() => {
      throw new ClientError({ code: 'unreachable', detail: 'away' })
    })
    await expect(failing.report(1)).rejects.toMatchObject({ code: 'unreachable' })
    for (const nonsense of [undefined, {}, { outcomes: null }, { outcomes: [null] }, { outcomes: 'x' }]) {
      const { report } = joined(() => nonsense as never)
      await expect(report(1)).rejects.toThrow()
    }
  })
})
