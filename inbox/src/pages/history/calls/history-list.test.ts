import { describe, expect, it } from 'vitest'
import type { HistoryQuery, WireHistory, WireHistoryItem } from '../../../../../src/client/index.ts'
import { ClientError } from '../../../../../src/client/index.ts'
import { createHistoryList } from './history-list.ts'

describe('the calls of the past', () => {
  it('come page by page, each once, and say how far back was looked', async () => {
    const { past, asked } = pastOf([
      { items: [call(3), call(2)], cursor: 'p2', looked: 40, back: 'b1' },
      { items: [call(2), call(1)], looked: 10, back: 'b2' },
    ])
    await past.more()
    expect(past.state.value).toMatchObject({ cursor: 'p2', looked: 40, back: 'b1' })
    await past.more()
    expect(namesOf(past.state.value.items)).toEqual(['c3', 'c2', 'c1'])
    expect(past.state.value).toMatchObject({ looked: 50, back: 'b2', isLoading: false })
    expect(past.state.value.cursor).toBeUndefined()
    expect(asked).toMatchObject([
      { tool: 'Bash', limit: 50 },
      { tool: 'Bash', cursor: 'p2' },
    ])
  })

  it('what is new waits beside the list until it is wanted', async () => {
    const { past } = pastOf([
      { items: [call(1)], looked: 1 },
      { items: [call(3), call(2), call(1)], looked: 3 },
    ])
    await past.more()
    await past.look()
    expect(namesOf(past.state.value.items)).toEqual(['c1'])
    expect(namesOf(past.state.value.fresh)).toEqual(['c3', 'c2'])
    past.takeFresh()
    expect(namesOf(past.state.value.items)).toEqual(['c3', 'c2', 'c1'])
    expect(past.state.value.fresh).toEqual([])
  })

  it('where more is new than a page holds, the list begins anew: nothing is left out in between', async () => {
    const many = Array.from({ length: 50 }, (_, index) => call(100 - index))
    const { past } = pastOf([
      { items: [call(1)], looked: 1 },
      { items: many, looked: 50, cursor: 'p' },
      { items: many, looked: 50, cursor: 'p' },
    ])
    await past.more()
    await past.look()
    expect(past.state.value.isFarBehind).toBe(true)
    past.takeFresh()
    await Promise.resolve()
    expect(namesOf(past.state.value.items)).not.toContain('c1')
  })

  it('a failure is told and can be tried again; what is there stays', async () => {
    const failure = new ClientError({ code: 'unreachable', detail: 'no' })
    const { past } = pastOf([{ items: [call(1)], cursor: 'p', looked: 1 }, failure, { items: [], looked: 1 }])
    await past.more()
    await past.more()
    expect(past.state.value.error).toBe(failure)
    expect(namesOf(past.state.value.items)).toEqual(['c1'])
    await past.more()
    expect(past.state.value.error).toBeUndefined()
  })
})

function pastOf(answers: (WireHistory | ClientError)[]) {
  const asked: HistoryQuery[] = []
  const client = {
    async history(query: HistoryQuery = {}) {
      asked.push(query)
      const answer = answers.shift()
      if (answer === undefined || answer instanceof ClientError) throw answer
      return answer
    },
  }
  const onRefused = () => {}
  return { past: createHistoryList({ client, query: { tool: 'Bash' }, onRefused }), asked }
}

function call(n: number, session = 's'): WireHistoryItem {
  return {
    kind: 'settled',
    call: {
      session,
      callId: `c${n}`,
      tool: 'Bash',
      digest: '',
      verdict: 'allow',
      because: '',
      submittedBy: 'agent-1',
      createdAt: new Date(n).toISOString(),
      summary: '',
    },
  }
}

function namesOf(items: readonly WireHistoryItem[]): string[] {
  return items.map((item) => (item.kind === 'settled' ? item.call.callId : item.request.id))
}
