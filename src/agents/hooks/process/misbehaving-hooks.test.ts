/** Hooks that do everything wrong, as real processes. None of it may end in a decision that changes or approves anything. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { createTestChain, mount } from '../chain/fixtures/test-chain.ts'
import { about, callOf, type StartedHook, startedHooks } from './fixtures/started-hooks.ts'
import type { ProcessHookOptions } from './process-hook.ts'

const { start } = startedHooks()
const misbehave = (how: string, options: Partial<ProcessHookOptions> = {}) =>
  start('misbehave.mjs', options, how)

/** Asks until it would wait no longer: the limit is set once the hook has what it is asked. */
async function askBriefly({ hook, logged }: StartedHook, sign: RegExp): Promise<string> {
  const limit = new AbortController()
  const asked = Promise.all(
    [
      hook.beforeTool!(callOf('x'), about({ signal: limit.signal })),
      hook.approveTool!(callOf('x'), about({ signal: limit.signal })),
    ].map((answer) =>
      Promise.resolve(answer).then(
        (decision) => `it decided ${JSON.stringify(decision)}`,
        (error: Error) => error.message,
      ),
    ),
  )
  await logged(sign)
  limit.abort(new DOMException('time is up', 'TimeoutError'))
  return (await asked).join(' | ')
}

describe('an answer that is none', () => {
  it.each([
    ['crashes', 'it exited with code 1', 'it exited with code 1'],
    ['is-killed', 'it was ended by SIGKILL', 'it was ended by SIGKILL'],
    ['error-and-result', 'it answered with an error: broken', 'it answered with an error: broken'],
    ['key-twice', 'its reply is not plain JSON', 'its reply is not plain JSON'],
    ['text', 'reply must be an object; found the text "approved"', 'reply must be an object'],
    ['list', 'reply must be an object; found a list', 'reply must be an object; found a list'],
    [
      'unknown-action',
      'reply.action must be one of continue, modify, respond, deny_tool, abort_turn, hard_abort; found the text "redact"',
      'reply lacks boolean `approved`; found: action',
    ],
    [
      'wrong-type',
      'reply.call must be an object; found the text "echo"',
      'reply.approved must be true or false; found the text "yes"',
    ],
    [
      'wrong-key',
      'reply says modify and lacks `call`; found: action, args, allow',
      'reply lacks boolean `approved`; found: action, args, allow',
    ],
    ['no-result', 'reply.result must be an object; found nothing', 'reply.approved must be true or false'],
    [
      'file-media',
      'reply.result.media[0] must be media://<id> of something on the shelf, or a data: URL; found the text "/etc/passwd"',
      'reply lacks boolean `approved`',
    ],
    ['too-long', 'its reply is a line of 2097', 'its reply is a line of 2097'],
    ['too-long-id-last', 'its reply is a line of 2097', 'its reply is a line of 2097'],
  ])('P5: %s', async (how, before, approval) => {
    const one = misbehave(how)
    await expect(one.hook.beforeTool!(callOf('x'), about())).rejects.toThrow(before)
    const other = misbehave(how)
    const asked = other.hook.approveTool!(callOf('x'), about())
    await expect(asked).rejects.toThrow(approval)
  })

  it.each([
    ['garbage', /not a JSON object: not json at all/],
    ['null-id', /no call waits for/],
    ['half-id', /no call waits for/],
    ['string-id', /no call waits for/],
    ['asks', /a message of its own/],
  ])('P5: %s is passed over, and the call fails at its time limit', async (how, sign) => {
    const said = await askBriefly(misbehave(how), sign)
    expect(said).toMatch(
      /^it did not answer hook\.before_tool in time.* \| it did not answer hook\.approve_tool in time/,
    )
    expect(said.includes('it had written a line that is no JSON object: ')).toBe(how === 'garbage')
  })

  it('P5: a chain that waited for it in vain tells what it had written instead of an answer', async () => {
    const started = misbehave('garbage')
    await until(() => started.hook.status().state === 'up')
    const { chain, clock, faults } = createTestChain([mount('gate', started.hook, { kind: 'process' })])
    const step = chain.beforeTool(callOf('x'), about())
    await started.logged(/ESC/)
    await clock.advance(5000)
    const reason =
      'hook "gate" timed out after 5000 ms; it had written a line that is no JSON object: ⟨NUL⟩⟨ESC⟩[2J'
    expect(await step).toEqual({ kind: 'deny', by: 'gate', reason })
    expect(faults[0]).toMatchObject({ reason, effect: 'denied' })
  })

  it('P5: a reply to a call that is not there is passed over', async () => {
    const started = misbehave('other-id')
    await until(() => started.hook.status().state === 'up')
    const limit = new AbortController()
    const asked = started.hook.approveTool!(callOf('x'), about({ signal: limit.signal }))
    await started.logged(/a reply that no call waits for/)
    limit.abort()
    await expect(asked).rejects.toThrow('the wait for hook.approve_tool was given up')
  })

  it('P9: what it prints can not move the cursor of whoever reads the log', async () => {
    const started = misbehave('garbage')
    await askBriefly(started, /ESC/)
    expect(started.lines.join('')).not.toMatch(/[\0\x1b]/)
    expect(started.lines[0]).toMatch(/^stdout: /)
  })

  it('P5: hanging is not answering', async () => {
    const { hook } = misbehave('hangs')
    await until(() => hook.status().state === 'up')
    const asked = hook.beforeTool!(callOf('x'), about({ signal: AbortSignal.timeout(50) }))
    await expect(asked).rejects.toThrow('it did not answer hook.before_tool in time')
    await expect(async () =>
      hook.beforeTool!(callOf('x'), about({ signal: AbortSignal.abort() })),
    ).rejects.toThrow('was given up')
  })

  it('P2: of two replies the first counts, and a late one counts for nobody', async () => {
    const twice = misbehave('replies-twice')
    expect(await twice.hook.beforeTool!(callOf('x'), about())).toEqual({
      action: 'deny_tool',
      reason: 'first',
    })
    expect(await twice.hook.approveTool!(callOf('x'), about())).toEqual({ approved: false, reason: 'first' })
    await twice.logged(/no call waits for/)

    const { hook } = misbehave('replies-late')
    await until(() => hook.status().state === 'up')
    await expect(
      hook.beforeTool!(callOf('late'), about({ signal: AbortSignal.timeout(50) })),
    ).rejects.toThrow()
    expect(await hook.beforeTool!(callOf('x'), about())).toEqual({ action: 'deny_tool', reason: 'in time' })
  })
})

describe('many calls', () => {
  it('P2: 64 in flight, answered in any order, get their own answers', async () => {
    const { hook } = misbehave('shuffles')
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => hook.beforeTool!(callOf('x', { n }), about())),
    )
    expect(answers).toEqual(
      Array.from({ length: 64 }, (_, n) => ({ action: 'deny_tool', reason: `number ${n}` })),
    )
  })

  it('P5: a line over the limit fails its own call, and the next is answered', async () => {
    const { hook } = misbehave('too-long')
    const [one, two] = await Promise.allSettled([
      hook.beforeTool!(callOf('x'), about()),
      hook.beforeTool!(callOf('y'), about()),
    ])
    expect([one?.status, two?.status]).toEqual(['rejected', 'rejected'])
    expect(hook.status()).toEqual({ state: 'up' })
  })

  it('P5: after a flood the answer is still found, and the log stays short', async () => {
    const { hook, lines } = misbehave('floods-then-answers')
    expect(await hook.beforeTool!(callOf('x'), about())).toEqual({
      action: 'deny_tool',
      reason: 'after the flood',
    })
    expect(lines.length).toBeLessThan(200)
  })

  it('P5: a flood without end is held back, holds up nobody else, and is ended', async () => {
    const flooding = misbehave('floods-for-ever')
    const other = start('plain.sh')
    await flooding.logged(/a message of its own/)
    await flooding.logged(/held back/)
    expect(await other.hook.beforeTool!(callOf('x'), about())).toEqual({ action: 'continue' })
    await flooding.hook.close()
    expect(flooding.lines.length).toBeLessThan(500)
  })

  it('P5: a hook that does not read fails the calls, and not the memory', async () => {
    const { hook } = misbehave('stops-reading')
    await until(() => hook.status().state === 'up')
    const limit = new AbortController()
    const large = callOf('x', { text: 'x'.repeat(1024 * 1024) })
    const asked = Array.from({ length: 20 }, () =>
      Promise.resolve(hook.beforeTool!(large, about({ signal: limit.signal }))).catch(
        (error: Error) => error.message,
      ),
    )
    expect(await asked.at(-1)).toBe('it does not read: too much waits to be written to it')
    limit.abort()
    const given = (await Promise.all(asked)).filter(
      (said) => said === 'the wait for hook.before_tool was given up',
    )
    expect(given.length).toBeLessThan(12)
  })

  it('P5: whoever waits for hello waits no longer than its own time', async () => {
    const { hook } = misbehave('silent')
    const limit = new AbortController()
    const asked = hook.beforeTool!(callOf('x'), about({ signal: limit.signal }))
    limit.abort()
    await expect(asked).rejects.toThrow('it has not said hello yet')
  })
})

describe('a hook that is not there', () => {
  const timing = { firstPauseMs: 600_000, longestPauseMs: 600_000 }

  it.each([
    ['dies', 'it did not say hello: it exited with code 3; it is started again after 600000 ms'],
    ['refuses-hello', 'it did not say hello: it answered with an error: not today'],
  ])('P5: %s: what waits fails, what comes later fails at once and says why', async (how, reason) => {
    const { hook, lines } = misbehave(how, { timing })
    await expect(hook.approveTool!(callOf('x'), about())).rejects.toThrow('it did not say hello')
    await until(() => lines.some((line) => line.includes('started again')))
    await expect(async () => hook.approveTool!(callOf('x'), about())).rejects.toThrow(`it is down: ${reason}`)
    expect(hook.status()).toMatchObject({ state: 'down' })
  })

  it('P5: no hello in time: it is ended, and what waits fails', async () => {
    const { hook } = misbehave('silent', { timing: { ...timing, helloMs: 300 } })
    await expect(hook.approveTool!(callOf('x'), about())).rejects.toThrow(
      'it did not say hello: it did not answer hook.hello in time',
    )
    await until(() => hook.status().state === 'down')
  })

  it('P5: no such program, no such folder', async () => {
    const missing = start('plain.sh', { command: ['there-is-no-such-program'], timing })
    await expect(missing.hook.approveTool!(callOf('x'), about())).rejects.toThrow(
      `it did not say hello: it can't be started: there is no program "there-is-no-such-program"`,
    )
    const nowhere = start('plain.sh', { dir: '/no/such/folder', timing })
    await expect(nowhere.hook.approveTool!(callOf('x'), about())).rejects.toThrow(
      `it did not say hello: it can't be started: there is no folder "/no/such/folder"`,
    )
    const typo = start('plain.sh', { command: ['pyton3'], dir: '/', timing })
    const failure = await Promise.resolve(typo.hook.approveTool!(callOf('x'), about())).catch(String)
    expect(failure).toContain('there is no program "pyton3"')
    expect(failure).not.toContain('folder')
    const long = start('plain.sh', { command: ['true', 'x'.repeat(10_000_000)], timing })
    await expect(long.hook.approveTool!(callOf('x'), about())).rejects.toThrow('E2BIG')
  })

  it('is started again after a crash, each time later', async () => {
    const { hook, lines } = misbehave('crashes', { timing: { firstPauseMs: 10, longestPauseMs: 40 } })
    for (let crash = 0; crash < 4; crash++) {
      await until(() => hook.status().state === 'up')
      await expect(hook.beforeTool!(callOf('x'), about())).rejects.toThrow('it exited with code 1')
      await until(() => lines.length > crash)
    }
    expect(lines.map((line) => /after (\d+) ms/.exec(line)?.[1])).toEqual(['10', '20', '40', '40'])
  })

  it('once it has held, the next pause is the first again', async () => {
    const { hook, lines } = misbehave('crashes', {
      timing: { firstPauseMs: 10, longestPauseMs: 40, heldMs: 0 },
    })
    for (let crash = 0; crash < 3; crash++) {
      await until(() => hook.status().state === 'up')
      await expect(hook.beforeTool!(callOf('x'), about())).rejects.toThrow()
      await until(() => lines.length > crash)
    }
    expect(lines.map((line) => /after (\d+) ms/.exec(line)?.[1])).toEqual(['10', '10', '10'])
  })
})

describe('the end', () => {
  async function family(how: string) {
    const started = misbehave(how, { timing: { graceMs: 100, firstPauseMs: 600_000 } })
    await started.logged(/stderr: \d+$/)
    await until(() => started.hook.status().state === 'up')
    const pids = started.lines.map((line) => Number(/(\d+)$/.exec(line)?.[1])).filter((pid) => pid > 0)
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual(pids)
    return { hook: started.hook, pids }
  }

  it('P11: takes the whole tree along, deaf grandchildren too', async () => {
    const { hook, pids } = await family('forks')
    await hook.close()
    expect(pids.filter(isAlive)).toEqual([])
  })

  it('P11: a crash takes the whole tree along, so that restarts leave nothing behind', async () => {
    const { hook, pids } = await family('forks-and-crashes')
    await expect(hook.beforeTool!(callOf('x'), about())).rejects.toThrow('it exited with code 1')
    await until(() => pids.filter(isAlive).length === 0)
    expect(hook.status()).toMatchObject({ state: 'down' })
  })

  it('comes to one that ignores the end of stdin and SIGTERM', async () => {
    const { hook, logged } = misbehave('stubborn', { timing: { graceMs: 100 } })
    await until(() => hook.status().state === 'up')
    const closing = hook.close()
    await logged(/stderr: no/)
    await closing
    expect(hook.status()).toEqual({ state: 'closed' })
  })

  it('P5: fails what waits', async () => {
    const { hook } = misbehave('hangs')
    await until(() => hook.status().state === 'up')
    const asked = expect(hook.approveTool!(callOf('x'), about())).rejects.toThrow('it is being closed')
    await hook.close()
    await asked
  })

  it('can come before the beginning, and twice', async () => {
    const { hook } = misbehave('silent')
    const asked = expect(hook.approveTool!(callOf('x'), about())).rejects.toThrow('it is being closed')
    await Promise.all([hook.close(), hook.close()])
    await asked
    const down = misbehave('dies', { timing: { firstPauseMs: 600_000 } })
    await until(() => down.hook.status().state === 'down')
    await down.hook.close()
  })
})

/** A zombie is over: nobody has asked after it yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
