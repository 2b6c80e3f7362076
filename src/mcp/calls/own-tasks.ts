/**
 * Calls that wait for a person as tasks of the client (2026-07-28, `io.modelcontextprotocol/tasks`). The client asks after them, and what was approved
 * meanwhile runs when it does: one that has gone never asks, and its approval lapses.
 */
import { randomBytes } from 'node:crypto'
import { messageOf } from '../../core/errors.ts'
import { errorLine, INTERNAL_ERROR, resultLine } from '../lines/answers.ts'
import type { ClientMessage } from '../lines/client-message.ts'
import { membersAt } from '../lines/json-members.ts'
import type { MessageId } from '../lines/message-id.ts'
import type { PendingCall } from './answer-pending.ts'
import { asObject } from './gated-call.ts'
import { waitingLine } from './pending-ask.ts'

export interface OwnTasks {
  /** The answer that makes the call a task. */
  open(pending: PendingCall): Buffer
  /** What a message about one of our tasks is answered; undefined where it is about none. */
  answer(message: ClientMessage): Promise<Buffer> | undefined
  /** The client has gone: what it was asking after a moment ago is not begun any more. */
  close(): void
}

export interface OwnTaskPorts {
  /**
   * Asks once more, without waiting. `sent`: it runs now, and its answer comes to `done` as the JSON of a result. `answered`: it will not run.
   * `signal`: the client doesn't want it any more; what has not begun doesn't begin.
   */
  proceed(
    pending: PendingCall,
    how: { id: MessageId; done(result: string): void; signal: AbortSignal },
  ): Promise<'pending' | 'sent' | { answered: Buffer }>
  /** The client doesn't want it any more. */
  withdraw(pending: PendingCall): Promise<void>
  newId(): MessageId
}

interface OwnTask {
  pending: PendingCall
  createdAt: string
  updatedAt: string
  status: 'working' | 'completed' | 'cancelled'
  isSent: boolean
  /** Nobody wants it any more. */
  stop: AbortController
  /** JSON, as the server wrote it. */
  result?: string
  asking?: Promise<void>
}

const METHODS = new Set(['tasks/get', 'tasks/cancel', 'tasks/update', 'tasks/result'])
const POLL_MS = 2_000
const MAX_TASKS = 1_000

export function createOwnTasks({ proceed, withdraw, newId }: OwnTaskPorts): OwnTasks {
  const tasks = new Map<string, OwnTask>()

  function complete(task: OwnTask, result: string): void {
    task.status = 'completed'
    task.result = result
    task.updatedAt = new Date().toISOString()
  }

  /** One at a time: two questions at once must not make two runs. */
  function look(task: OwnTask): Promise<void> {
    task.asking ??= (async () => {
      const done = (result: string) => complete(task, result)
      const outcome = await proceed(task.pending, { id: newId(), done, signal: task.stop.signal })
      if (task.status !== 'working') return
      if (outcome === 'sent') task.isSent = true
      else if (outcome !== 'pending') complete(task, resultIn(outcome.answered))
    })().finally(() => {
      delete task.asking
    })
    return task.asking
  }

  function told(
    taskId: string,
    { createdAt, updatedAt, status, pending: { waiting } }: OwnTask,
  ): Record<string, unknown> {
    const { requestId, expiresAt } = waiting
    return {
      taskId,
      status,
      statusMessage: status === 'working' ? waitingLine(waiting) : undefined,
      createdAt,
      lastUpdatedAt: updatedAt,
      ttlMs: expiresAt === undefined ? null : Math.max(0, expiresAt - Date.parse(createdAt)),
      pollIntervalMs: POLL_MS,
      _meta: { 'banksman/request': requestId },
    }
  }

  async function answer(id: MessageId, method: string, taskId: string, task: OwnTask): Promise<Buffer> {
    if (method === 'tasks/cancel') {
      if (task.status === 'working' && !task.isSent) {
        task.status = 'cancelled'
        task.stop.abort()
        task.updatedAt = new Date().toISOString()
        await withdraw(task.pending)
      }
      return resultLine(id, { resultType: 'complete' })
    }
    if (method === 'tasks/update') return resultLine(id, { resultType: 'complete' })
    if (task.status === 'working' && !task.isSent) await look(task)
    const members = { resultType: 'complete', ...told(taskId, task) }
    if (task.result === undefined) return resultLine(id, members)
    const text = JSON.stringify(members)
    return Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":'),
      Buffer.from(id.source, 'latin1'),
      Buffer.from(`,"result":${text.slice(0, -1)},"result":`),
      Buffer.from(task.result, 'latin1'),
      Buffer.from('}}\n'),
    ])
  }

  return {
    open(pending) {
      const now = new Date().toISOString()
      const taskId = `bmt_${randomBytes(24).toString('base64url')}`
      const task: OwnTask = {
        pending,
        createdAt: now,
        updatedAt: now,
        status: 'working',
        isSent: false,
        stop: new AbortController(),
      }
      for (const [known, { status }] of tasks) {
        if (tasks.size < MAX_TASKS) break
        if (status !== 'working') tasks.delete(known)
      }
      tasks.set(taskId, task)
      return resultLine(pending.call.id, { resultType: 'task', ...told(taskId, task) })
    },
    answer({ id, method, params }) {
      if (id === undefined || !METHODS.has(method)) return undefined
      const { taskId } = asObject(params)
      const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined
      if (task === undefined) return undefined
      return answer(id, method, taskId as string, task).catch((error) =>
        errorLine(id, INTERNAL_ERROR, messageOf(error)),
      )
    },
    close() {
      for (const { stop } of tasks.values()) stop.abort()
    },
  }
}

/** The result in an answer of ours, or what stands for an error. */
function resultIn(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const result = membersAt(text, 0).get('result')
  return result === undefined
    ? '{"resultType":"complete","content":[],"isError":true}'
    : text.slice(result.from, result.to)
}
