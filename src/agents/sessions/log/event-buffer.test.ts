import { describe, expect, it } from 'vitest'
import { createEventBuffer, type UnnumberedEvent } from './event-buffer.ts'

const event = (delta: string): UnnumberedEvent => ({
  kind: 'text',
  delta,
  session: 's1',
  agent: { name: 'main' },
  at: 0,
})
/** Of the process `node-1`. */
const MARK = 'n35971be6'
const BEGUN: UnnumberedEvent = { ...event(''), kind: 'turn_begun', text: 'hi', by: 'ana' }

describe('the event book', () => {
  it('goes on after any event that it has, and knows no other', () => {
    const book = createEventBuffer(() => 1000, 'node-1')
    const first = book.write('t1', BEGUN)
    const second = book.write('t1', event('a'))
    expect([first.id, second.id]).toEqual([`t1-${MARK}_1000`, `t1-${MARK}_1001`])
    expect(book.at(book.positionAfter(first.id)!)).toBe(second)
    expect(book.at(book.positionAfter(second.id)!)).toBe(undefined)
    for (const id of ['t1-1000', 't1-', '', 'x', 't1-r0', 't1-n00000000_1000', `t2-${MARK}_1000`])
      expect(book.positionAfter(id), id).toBe(undefined)
    for (const id of ['999', '1002', '1000.5', ''].map((n) => `t1-${MARK}_${n}`))
      expect(book.positionAfter(id), id).toBe(undefined)
  })

  it('forgets the oldest, and says so', () => {
    const book = createEventBuffer(() => 1, 'node-1')
    const first = book.write('t1', BEGUN)
    for (let count = 0; count < 10_000; count++) book.write('t1', event(String(count)))
    expect(book.positionAfter(first.id)).toBe(undefined)
    expect(book.beginningOf('t1')).toBe(undefined)
    expect(book.isGone(1)).toBe(true)
    expect(book.at(book.end() - 1)).toMatchObject({ delta: '9999', id: `t1-${MARK}_10001` })
    expect(book.isGone(book.end() - 2000)).toBe(false)
  })

  it('P7: after a restart no old number is taken for a new one', () => {
    const before = createEventBuffer(() => 1000, 'node-1')
    const old = [before.write('t1', BEGUN), before.write('t1', event('a'))]
    const after = createEventBuffer(() => 2000, 'node-1')
    after.write('t1', { ...BEGUN, resumed: true } as UnnumberedEvent)
    for (const { id } of old) expect(after.positionAfter(id)).toBe(undefined)
    expect(after.beginningOf('t1')).toBe(undefined)
  })

  it('no number of another process is taken for one of ours, if both begin in the same millisecond', () => {
    const theirs = createEventBuffer(() => 1000, 'node-2').write('t1', BEGUN)
    const ours = createEventBuffer(() => 1000, 'node-1')
    ours.write('t1', BEGUN)
    expect(ours.positionAfter(theirs.id)).toBe(undefined)
  })

  it('wakes who waits, by an event, by an abort and by its end', async () => {
    const book = createEventBuffer(() => 1, 'node-1')
    const controller = new AbortController()
    const waits = [book.more(undefined), book.more(undefined), book.more(controller.signal)]
    book.write('t1', event('a'))
    await Promise.all(waits)
    const more = [book.more(controller.signal), book.more(undefined)]
    controller.abort()
    await more[0]
    book.close()
    await more[1]
    await book.more(controller.signal)
  })
})
