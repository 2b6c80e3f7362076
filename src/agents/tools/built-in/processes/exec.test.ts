/** `exec` with real processes. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../../test/fixtures/until.ts'
import { openToolFixture, type ToolFixture } from '../fixtures/tool-fixture.ts'
import { createExec } from './exec.ts'
import { createOutputKeeper } from './output-keeper.ts'
import { runProcess } from './run-process.ts'

let bench: ToolFixture
const exec = createExec()
const shell = (command: string, more: object = {}) => bench.run(exec, { command, shell: true, ...more })

beforeEach(async () => {
  bench = await openToolFixture()
})
afterEach(() => bench.close())

describe('what runs', () => {
  it('is one program with exactly these words, and no shell', async () => {
    const words = ['a b', '$HOME', '*', "'", '"', '`id`', '$(id)', ';', '', 'é\n', '-n']
    const script = 'console.log(JSON.stringify(process.argv.slice(1)))'
    const { text } = await bench.run(exec, { command: 'node', arguments: ['-e', script, '--', ...words] })
    expect(text).toBe(`exit code 0\nstdout:\n${JSON.stringify(words)}`)
  })

  it('is a line of bash where that was asked for, whatever it begins with', async () => {
    expect((await shell('echo a | tr a b; false')).text).toBe('exit code 1\nstdout:\nb')
    expect(await shell('-x')).toMatchObject({ isError: true, text: expect.stringContaining('exit code 127') })
    expect((await shell('[[ -n $BASH_VERSION && $- != *i* ]] && echo it is')).text).toContain('it is')
  })

  it.each([
    [{ command: 'ls', arguments: [], shell: true }, 'no arguments'],
    [{ command: 'ls -la' }, '{"command":"ls","arguments":["-la"]}'],
    [{ command: '#ls' }, '"arguments": []'],
    [{ command: 'A=b' }, '"arguments": []'],
    [{ command: 'l"s"' }, '"arguments": []'],
    [{ command: '~/ls' }, '"arguments": []'],
    [{ command: 'a*' }, '"arguments": []'],
    [{ command: 'a\\b' }, '"arguments": []'],
    [{ command: '' }, 'command must have at least 1'],
    [{ command: 'ls', arguments: ['a\0b'] }, 'NUL'],
    [{ command: 'ls', timeoutSeconds: 601 }, 'at most 600'],
    [{ command: 'ls', timeout: 1 }, '"timeout" is no argument'],
  ])('is refused where the policy would read something else: %j', async (args, words) => {
    expect(await bench.run(exec, args)).toMatchObject({ isError: true, text: expect.stringContaining(words) })
  })

  it('says what could not be started, and ends with a program’s own signal', async () => {
    expect((await bench.run(exec, { command: 'no-such-program' })).text).toContain('there is no such program')
    await writeFile(join(bench.workspace, 'plain'), 'x')
    expect((await bench.run(exec, { command: './plain' })).text).toContain('not executable')
    expect(
      (await bench.run(exec, { command: 'ls', arguments: Array(40).fill('x'.repeat(100_000)) })).text,
    ).toContain('too long')
    expect((await shell('kill -9 $$')).text).toBe('ended by SIGKILL\n(no output)')
  })

  it('reads what it is given and nothing else', async () => {
    expect((await bench.run(exec, { command: 'cat' })).text).toBe('exit code 0\n(no output)')
    expect((await bench.run(exec, { command: 'cat', stdin: 'given' })).text).toBe(
      'exit code 0\nstdout:\ngiven',
    )
    expect((await bench.run(exec, { command: 'true', stdin: 'x'.repeat(500_000) })).text).toContain(
      'exit code 0',
    )
  })
})

describe('where and with what', () => {
  it('P11: a command gets few variables, none of ours and no keys', async () => {
    const tool = createExec({
      environment: {
        PATH: `.:${process.env.PATH}::relative`,
        HOME: '/somewhere',
        BANKSMAN_TOKEN: 'x',
        BANKSMAN_DATA: 'x',
        OPENAI_API_KEY: 'x',
        LD_PRELOAD: 'x',
        BASH_ENV: 'x',
        NODE_OPTIONS: '--bad',
      },
    })
    const { text } = await bench.run(tool, { command: 'env' })
    const names = text
      .split('\n')
      .slice(2)
      .map((line) => line.split('=')[0])
    expect(names.sort()).toEqual(['HOME', 'PATH', 'PWD', 'TERM'])
    expect(text).not.toMatch(/PATH=.*(?:^|[=:])(?:\.|relative)?(?::|$)/m)
  })

  it('it runs in the workspace, or in a folder of it', async () => {
    await mkdir(join(bench.workspace, 'd'))
    expect((await bench.run(exec, { command: 'pwd' })).text).toContain(bench.workspace)
    expect((await bench.run(exec, { command: 'pwd', cwd: 'd' })).text).toBe(
      `exit code 0\nstdout:\n${join(bench.workspace, 'd')}`,
    )
  })

  it.each(['..', '/', '/proc/self/cwd', 'out', '~', 'none', 'file'])(
    'P5: it does not run in %s',
    async (cwd) => {
      await symlink(bench.outside, join(bench.workspace, 'out'))
      await writeFile(join(bench.workspace, 'file'), '')
      const made = join(bench.outside, 'made')
      const result = await bench.run(exec, { command: 'touch', arguments: [made], cwd })
      expect(result).toMatchObject({ isError: true })
      expect(existsSync(made)).toBe(false)
    },
  )
})

describe('what it leaves behind', () => {
  /** A tree of four, two of which ignore SIGTERM; each writes its number down. */
  const TREE = `
    note() { echo $1 >> pids; }
    (trap '' TERM; note $BASHPID; while :; do sleep 1000 & note $!; wait; done) &
    (note $BASHPID; (trap '' TERM INT HUP; note $BASHPID; while :; do sleep 1000; done) & sleep 1000) &
    note $$
    while [ $(wc -l < pids) -lt 5 ]; do sleep 0.01; done
    touch ready; sleep 1000`

  it('when its time is over: nothing, whoever ignores SIGTERM', async () => {
    const result = await shell(`${TREE}`, { timeoutSeconds: 1 })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('its time limit') })
    await expectAllGone()
  })

  it('when it is stopped: nothing', async () => {
    const stop = new AbortController()
    const running = bench.run(exec, { command: TREE, shell: true }, stop.signal)
    await until(() => existsSync(join(bench.workspace, 'ready')))
    stop.abort()
    expect(await running).toMatchObject({ isError: true, text: expect.stringContaining('stopped') })
    await expectAllGone()
  })

  it('when it has ended by itself: nothing, and nobody waits for who keeps the pipes open', async () => {
    const result = await shell('echo $$ > pids; sleep 1000 & echo $! >> pids; echo said')
    expect(result).toEqual({ text: 'exit code 0\nstdout:\nsaid' })
    await expectAllGone()
  })

  it('a process that has left the group keeps nobody waiting', async () => {
    const result = await shell(
      "setsid sh -c 'echo $$ > daemon; exec sleep 1000' & while [ ! -s daemon ]; do :; done; echo said",
    )
    expect(result.text).toBe('exit code 0\nstdout:\nsaid')
    process.kill(Number(await readFile(join(bench.workspace, 'daemon'), 'utf8')), 'SIGKILL')
  })

  it('a call that was stopped before it began starts nothing', async () => {
    await bench.run(exec, { command: 'touch', arguments: ['made'] }, AbortSignal.abort())
    expect(existsSync(join(bench.workspace, 'made'))).toBe(false)
  })

  async function expectAllGone(): Promise<void> {
    const pids = readFileSync(join(bench.workspace, 'pids'), 'utf8').trim().split('\n').map(Number)
    expect(pids.length).toBeGreaterThan(1)
    await until(() => pids.every((pid) => !isRunning(pid)))
  }
})

describe('output', () => {
  it('P9: of a flood the beginning and the end are kept, with how much was left out', async () => {
    const before = process.memoryUsage().rss
    const { text } = await shell("echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last")
    expect(text).toMatch(/^exit code 0\nstdout:\nfirst\nx+\n\[… (\d+) bytes left out …\]\nx+\nlast$/)
    expect(Number(/(\d+) bytes/.exec(text)?.[1])).toBe(300_000_012 - 64 * 1024)
    expect(text.length).toBeLessThan(70_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  it('one that never ends is read on until its time is over', async () => {
    const { text } = await bench.run(exec, { command: 'yes', timeoutSeconds: 1 })
    expect(text).toContain('its time limit')
    expect(text).toContain('bytes left out')
  })

  it('P9: what is no text is made visible', async () => {
    expect((await shell(String.raw`printf 'a\xff\0b\xc3'; printf '\xe9' >&2`)).text).toBe(
      String.raw`exit code 0
stdout:
a\xff\x00b\xc3
stderr:
\xe9`,
    )
  })

  it('keeps what fits whole, in whatever pieces it comes', () => {
    const piece = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => 97 + (byte % 26)))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 2, max: 60 }), (pieces, kept) => {
        const keeper = createOutputKeeper(kept)
        for (const one of pieces) keeper.add(one)
        const whole = Buffer.concat(pieces).toString()
        const half = Math.floor(kept / 2)
        const expected =
          whole.length <= 2 * half
            ? whole
            : `${whole.slice(0, half)}\n[… ${whole.length - 2 * half} bytes left out …]\n${whole.slice(-half)}`
        expect(keeper.text()).toBe(expected)
      }),
    )
  })

  it('leaves no half of a character at a cut', () => {
    const keeper = createOutputKeeper(20)
    keeper.add(Buffer.from('é😀'.repeat(20)))
    expect(keeper.text()).not.toMatch(/\\x|\ufffd/)
  })
})

it('a program that stops itself is ended too', async () => {
  const end = await runProcess({
    program: 'bash',
    words: ['-c', 'kill -STOP $$'],
    cwd: bench.workspace,
    environment: { PATH: process.env.PATH ?? '' },
    stdin: undefined,
    timeoutMs: 300,
    graceMs: 1000,
    keptBytes: 1000,
    signal: new AbortController().signal,
  })
  expect(end.kind).toBe('timed-out')
})

function isRunning(pid: number): boolean {
  try {
    // A dead child of somebody else's that was not yet collected is not running.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
