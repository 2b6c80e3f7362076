/** Tasks by themselves: how often the Banksman server is asked, whatever the client asks and when. */
import { describe, expect, it } from 'vitest'
import { type ClientMessage, readClientLine } from '../lines/client-message.ts'
import { type GatedCall, readGatedCall } from './gated-call.ts'
import { createLikeIds } from './like-ids.ts'
import { createOwnTasks, type OwnTaskPorts } from './own-tasks.ts'
import type { PendingAsk } from './pending-ask.ts'

function message(method: string, params: object): ClientMessage {
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`)
  return readClientLine({ bytes }, 1_000_000) as ClientMessage
}

type Outcome = Awaited<ReturnType<OwnTaskPorts['proceed']>>

/** A task, what was asked about it, and the answer to give. */
function openTask(waiting: PendingAsk = { requestId: 'r' }) {
  const asked: Parameters<OwnTaskPorts['proceed']>[1][] = []
  const given: ((outcome: Outcome) => void)[] = []
  const withdrawn: unknown[] = []
  const tasks = createOwnTasks({
    proceed: (_, how) => {
      asked.push(how)
      return new Promise((resolve) => given.push(resolve))
    },
    withdraw: async (pending) => void withdrawn.push(pending),
    newId: createLikeIds().next,
  })
  const call = readGatedCall(message('tools/call', { name: 'x', arguments: {} })) as GatedCall
  const opened = tasks.open({ call, session: 's', callId: 'c', waiting, rounds: 0 })
  const task = JSON.parse(opened.toString()).result
  const { taskId } = task
  const send = async (method: string) =>
    JSON.parse((await tasks.answer(message(method, { taskId })))!.toString()).result
  return { task, tasks, asked, given, withdrawn, send }
}

const REFUSED = { answered: Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"isError":true}}\n') }

describe('a task', () => {
  it('lasts until its request ends, and says whom it waits for', async () => {
    const expiresAt = Date.now() + 3_600_000
    const { task, send } = openTask({
      requestId: 'r',
      url: 'http://127.0.0.1/#/pending/r',
      approvers: ['ana', 'the group sre'],
      expiresAt,
    })
    expect(task.statusMessage).toBe('Waiting for ana or the group sre: http://127.0.0.1/#/pending/r')
    expect(Date.parse(task.createdAt) + task.ttlMs).toBe(expiresAt)
    await send('tasks/cancel')
    expect(await send('tasks/get')).toMatchObject({ status: 'cancelled', ttlMs: task.ttlMs })
    expect(openTask().task).toMatchObject({ statusMessage: 'Waiting for approval', ttlMs: null })
  })

  it('P4: is asked about once, however often its client asks at once and after it was sent', async () => {
    const { asked, given, send } = openTask()
    const both = [send('tasks/get'), send('tasks/get')]
    expect(asked).toHaveLength(1)
    given[0]!('sent')
    await Promise.all(both)
    expect(await send('tasks/get')).toMatchObject({ status: 'working' })
    asked[0]!.done('{"content":[]}')
    expect(await send('tasks/get')).toMatchObject({ status: 'completed', result: { content: [] } })
    expect(asked).toHaveLength(1)
  })

  it('P5: that was cancelled is told so to whoever is asking, withdrawn once, and never asked about again', async () => {
    const { asked, given, withdrawn, send } = openTask()
    const asking = send('tasks/get')
    await send('tasks/cancel')
    expect(asked[0]!.signal.aborted).toBe(true)
    given[0]!(REFUSED)
    expect(await asking).toMatchObject({ status: 'cancelled' })
    await send('tasks/cancel')
    expect(await send('tasks/get')).toMatchObject({ status: 'cancelled' })
    expect([asked.length, withdrawn.length]).toEqual([1, 1])
  })

  it('P5: is not begun for a client that has gone', async () => {
    const { tasks, asked, send } = openTask()
    void send('tasks/get')
    tasks.close()
    expect(asked[0]!.signal.aborted).toBe(true)
  })
})
