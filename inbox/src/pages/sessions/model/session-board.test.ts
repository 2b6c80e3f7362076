import { describe, expect, it, onTestFinished } from 'vitest'
import type { Client } from '../../../../../src/client/index.ts'
import { openCodingServer } from '../../../../../test/e2e/inbox/coding-server.ts'
import { startEveryKind } from '../../../../../test/e2e/inbox/coding-sessions.ts'
import { until } from '../../../../../test/fixtures/until.ts'
import { type BoardChoice, createSessionBoard } from './session-board.ts'

async function open(count?: (path: string) => void) {
  const setup = await openCodingServer()
  onTestFinished(() => setup.close())
  const ana = await setup.client('admin', 'ana')
  const boardOf = (client: Client, which: BoardChoice) => {
    const counted: Pick<Client, 'sessions' | 'progress'> = {
      sessions: (...given) => client.sessions(...given),
      progress: (id, how) => {
        count?.(id)
        return client.progress(id, how)
      },
    }
    const board = createSessionBoard({ client: counted, which, now: Date.now, onRefused: () => {} })
    onTestFinished(board.close)
    return board
  }
  return { setup, ana, boardOf }
}

describe('the board of coding sessions', () => {
  it('P6: has those of this person with how far each is, closed ones and those of others only where they are wanted', async () => {
    const { setup, ana, boardOf } = await open()
    const ids = await startEveryKind(ana)
    const ben = await setup.client('approver', 'ben')
    const { session } = await ben.startSession({ folder: 'docs' })
    const listed = async (client: Client, which: BoardChoice) => {
      const board = boardOf(client, which)
      await board.refresh()
      return new Map(board.sessions.value?.map((row) => [row.id, row.coding.state]))
    }
    const mine = await listed(ana, 'open')
    expect([...mine.keys()].toSorted()).toEqual([ids.failed, ids.done, ids.running, ids.waiting].toSorted())
    expect(mine.get(ids.running!)).toBe('running')
    expect(mine.get(ids.waiting!)).toBe('waiting')
    expect([...(await listed(ana, 'all')).keys()]).toHaveLength(6)
    expect([...(await listed(ana, 'everyone')).keys()]).toContain(session.id)
    expect([...(await listed(ben, 'open')).keys()]).toEqual([session.id])
    const board = boardOf(ana, 'open')
    await until(() => board.progress.value.size === 4)
    expect(board.progress.value.get(ids.running!)?.progress.turn?.said.at(-1)).toContain('rounding')
    expect(board.isActive()).toBe(true)
  })

  it('keeps what is shown in its place, puts new ones on top, and arranges when it is told to', async () => {
    const { ana, boardOf } = await open()
    const start = async (text: string) => (await ana.startSession({ folder: 'web', text })).session.id
    const over = (id: string) => until(async () => (await ana.progress(id)).turn?.ended !== undefined)
    const first = await start('one')
    await over(first)
    const second = await start('two')
    await over(second)
    const board = boardOf(ana, 'open')
    await until(() => board.progress.value.size === 2)
    const order = () => board.sessions.value?.map(({ id }) => id)
    await until(() => order()?.[0] === second)
    await ana.say(first, 'again')
    await over(first)
    const third = await start('three')
    await board.refresh()
    expect(order()).toEqual([third, second, first])
    board.arrange()
    expect(order()).toEqual([third, first, second])
  })

  it('asks again only those that work or have changed', async () => {
    const asked: string[] = []
    const { ana, boardOf } = await open((id) => asked.push(id))
    const ids = await startEveryKind(ana)
    const board = boardOf(ana, 'open')
    await until(() => board.progress.value.size === 4)
    asked.length = 0
    await board.refresh()
    expect(asked.toSorted()).toEqual([ids.running, ids.waiting].toSorted())
    await ana.say(ids.done!, 'something else')
    await until(async () => (await ana.progress(ids.done!)).turn?.ended !== undefined)
    asked.length = 0
    await board.refresh()
    expect(asked).toContain(ids.done)
    expect(board.progress.value.get(ids.done!)?.progress.turn?.said).toEqual(['Done: something else'])
  })

  it('says why it could not be read, and keeps what it knew', async () => {
    const { setup, ana, boardOf } = await open()
    const { session } = await ana.startSession({ folder: 'web' })
    const board = boardOf(ana, 'open')
    await until(() => board.sessions.value !== undefined)
    await setup.server.close()
    await board.refresh()
    expect(board.failure.value?.code).toBe('unreachable')
    expect(board.sessions.value?.map(({ id }) => id)).toEqual([session.id])
  })
})
