import { describe, expect, it } from 'vitest'
import type { HookMount } from '../hook.ts'
import { aboutTurn, createTestChain, mount, RESULT } from './fixtures/test-chain.ts'

const GO = { kind: 'go', result: { text: 'sent', isError: false }, changedBy: [] }
const stepOf = (answer: unknown, more: Partial<HookMount> = {}) =>
  createTestChain([mount('a', { afterTool: () => answer as never }, more)]).chain.afterTool(
    RESULT,
    aboutTurn(),
  )

describe('afterTool', () => {
  it.each([
    ['nothing', undefined],
    ['continue', { action: 'continue' }],
    ['modify without a result', { action: 'modify' }],
    ['the same result', { action: 'modify', result: RESULT }],
    [
      'the same result with empty parts',
      { action: 'continue', result: { text: 'sent', forUser: '', media: [], handled: false } },
    ],
  ])('%s changes nothing, from anyone', async (_, answer) => {
    expect(await stepOf(answer)).toEqual(GO)
  })

  it('a trusted hook replaces the whole result, and the next one sees it', async () => {
    const seen: unknown[] = []
    const { chain, shelf } = createTestChain([
      mount(
        'a',
        {
          afterTool: () => ({
            action: 'modify',
            result: { text: 'masked', media: [{ type: 'text/plain', data: new Uint8Array(1) }] },
          }),
        },
        { trusted: true },
      ),
      mount('b', { afterTool: (result) => void seen.push(result) }),
    ])
    const step = await chain.afterTool({ ...RESULT, isError: true, forUser: 'secret' }, aboutTurn())
    const media = [{ id: 'm1', type: 'text/plain' }]
    expect(step).toEqual({ kind: 'go', result: { text: 'masked', isError: false, media }, changedBy: ['a'] })
    expect(seen).toEqual([{ ...RESULT, text: 'masked', media }])
    expect(shelf.size()).toBe(1)
  })

  it('what came with the result counts as being on the shelf', async () => {
    const media = [{ id: 'from the tool', type: 'image/png' }]
    const { chain } = createTestChain([
      mount(
        'a',
        { afterTool: (result) => ({ action: 'modify', result: { ...result, text: 'masked' } }) },
        { trusted: true },
      ),
    ])
    expect(await chain.afterTool({ ...RESULT, media }, aboutTurn())).toMatchObject({
      kind: 'go',
      result: { text: 'masked', media },
    })
  })

  it.each([
    [
      { action: 'deny_tool', reason: 'x' },
      '"deny_tool" has no meaning here; afterTool takes continue, modify, abort_turn, hard_abort',
    ],
    [{ action: 'respond', result: { text: 'x' } }, '"respond" has no meaning here'],
    [{ action: 'redact' }, 'unknown action "redact"'],
    [{ action: 'modify', result: { for_llm: 'x' } }, 'result.text must be a text'],
    [
      { action: 'modify', result: { text: 'x', media: [{ id: 'elsewhere', type: 'a/b' }] } },
      'there is no media "elsewhere"',
    ],
  ])('P5: %j withholds the result, or is passed over where the mount says so', async (answer, words) => {
    const step = await stepOf(answer, { trusted: true })
    expect(step).toMatchObject({ kind: 'withhold', by: 'a' })
    expect(step.kind === 'withhold' && step.reason).toContain(`hook "a" failed: ${words}`)
    expect(await stepOf(answer, { trusted: true, onFailure: 'continue' })).toEqual(GO)
  })

  it('P5: a change by a hook that is not trusted withholds the result, whatever onFailure says', async () => {
    expect(await stepOf({ action: 'modify', result: { text: 'masked' } }, { onFailure: 'continue' })).toEqual(
      {
        kind: 'withhold',
        by: 'a',
        reason: 'hook "a" is not trusted, so it may not change a result; set trusted: true if it should',
      },
    )
  })

  it('may end the turn', async () => {
    expect(await stepOf({ action: 'hard_abort', reason: 'leak' })).toEqual({
      kind: 'stop',
      hard: true,
      by: 'a',
      reason: 'leak',
    })
  })
})
