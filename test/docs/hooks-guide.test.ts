/**
 * The guide on hooks does what it says: its programs are run as they are printed, with the configuration printed beside
 * them. Only `banksman/hooks` is found in the sources, since the package is not built here.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createHookChain } from '../../src/agents/hooks/chain/create-hook-chain.ts'
import { aboutTurn } from '../../src/agents/hooks/chain/fixtures/test-chain.ts'
import { readHookConfiguration } from '../../src/agents/hooks/configuration/hook-configuration.ts'
import { createHookMounts } from '../../src/agents/hooks/configuration/hook-mounts.ts'
import type { HookChain } from '../../src/agents/hooks/hook-chain.ts'
import { createProcessHook } from '../../src/agents/hooks/process/process-hook.ts'
import { hostClock } from '../../src/server/host/host.ts'
import { ROOT } from '../architecture/source-files.ts'

const sections = readFileSync(join(ROOT, 'docs/guide/hooks.md'), 'utf8').split(/^(?=## )/m)

/** The files that a section prints, by name. */
function filesOf(title: string): Map<string, string> {
  const section = sections.find((one) => one.startsWith(`## ${title}\n`)) ?? ''
  const blocks = section.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]))
}

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(files: ReadonlyMap<string, string>): Promise<{ chain: HookChain; log: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'hooks-guide-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of files) {
    const door = join(ROOT, 'src/agents/hooks/index.ts')
    writeFileSync(join(folder, name), text.replace("'banksman/hooks'", JSON.stringify(door)))
  }
  // The programs are TypeScript, and the machine's own node may be too old for that.
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  symlinkSync(process.execPath, join(programs, 'node'))
  const log: string[] = []
  const configuration = readHookConfiguration(parse(files.get('banksman.yaml') ?? '').hooks)
  const mounts = await createHookMounts(configuration, {
    builtins: {},
    startProcess: ({ timeouts: _, ...process }) =>
      createProcessHook({
        ...process,
        dir: folder,
        log: (line) => void log.push(line),
        hostEnvironment: { PATH: [programs, globalThis.process.env.PATH].join(delimiter) },
        timing: { helloMs: 30_000 },
      }),
  })
  // A machine under load starts programs slowly, and their first answer waits for that.
  const patient = mounts.map((mount) => ({ ...mount, timeouts: { interceptMs: 30_000, approveMs: 30_000 } }))
  const chain = createHookChain(patient, {
    clock: hostClock,
    media: { put: () => Promise.reject(new Error('there is no shelf')), get: async () => undefined },
    report: ({ reason }) => void log.push(reason),
  })
  ends.push(() => chain.close())
  return { chain, log }
}

const call = (tool: string, args: Record<string, string>) => ({ callId: 't1.1.0', tool, arguments: args })

describe('docs/guide/hooks.md', () => {
  it('the hook in TypeScript denies what is forced', async () => {
    const { chain, log } = await start(filesOf('A hook in TypeScript'))
    const forced = call('exec', { command: 'git push --force', shell: 'true' })
    expect(await chain.beforeTool(forced, aboutTurn())).toEqual({
      kind: 'deny',
      by: 'no-force',
      reason: 'nothing is forced here',
    })
    expect(await chain.beforeTool(call('exec', { command: 'ls' }), aboutTurn())).toMatchObject({ kind: 'go' })
    expect(log).toEqual([])
  })

  it('the hook in Python approves, refuses, and writes down what it is told', async () => {
    const { chain, log } = await start(filesOf('A hook in Python'))
    expect(await chain.approveTool(call('write_file', { path: 'a.txt' }), aboutTurn())).toEqual({
      kind: 'go',
    })
    expect(await chain.approveTool(call('write_file', { path: 'package.lock' }), aboutTurn())).toEqual({
      kind: 'deny',
      by: 'gate',
      reason: 'lock files are written by their own programs',
    })
    const event = { id: 't1-1', turn: 't1', session: 's1', agent: { name: 'main' }, at: 0 }
    chain.tell({ ...event, kind: 'observing', step: 1, results: 1 })
    chain.tell({ ...event, kind: 'call_started', call: 't1.1.0', tool: 'exec', arguments: {} })
    await expect.poll(() => log).toHaveLength(1)
    expect(log[0]).toContain('agent.tool.exec_start')
  })

  it('the configuration that shows everything is taken, and its hook provides the tool', async () => {
    const files = new Map([...filesOf('Configuration'), ...filesOf('A hook that provides a tool')])
    const { chain } = await start(files)
    expect(chain.tools).toMatchObject([{ name: 'weather', hook: 'weather' }])
    const weather = call('weather', {})
    expect(await chain.beforeTool(weather, aboutTurn())).toMatchObject({ kind: 'go' })
    expect(await chain.provide(weather, aboutTurn())).toMatchObject({
      kind: 'result',
      by: 'weather',
      result: { text: 'It is sunny in Hangzhou.' },
    })
    expect(await chain.beforeTool(call('exec', {}), aboutTurn())).toMatchObject({ kind: 'go' })
  })

  it('the hook that masks results is trusted to, and not without that', async () => {
    const files = filesOf('Changing results')
    const result = { ...call('exec', {}), text: 'key sk-abcdefgh12345', isError: false, durationMs: 1 }
    const { chain } = await start(files)
    expect(await chain.afterTool(result, aboutTurn())).toMatchObject({
      kind: 'go',
      result: { text: 'key (a key)' },
      changedBy: ['masks'],
    })
    const untrusted = await start(
      new Map(files).set('banksman.yaml', files.get('banksman.yaml')!.replace('trusted: true', '')),
    )
    expect(await untrusted.chain.afterTool(result, aboutTurn())).toMatchObject({
      kind: 'withhold',
      reason: 'hook "masks" is not trusted, so it may not change a result; set trusted: true if it should',
    })
  })

  it('prints no program that is not run here', () => {
    const printed = sections.flatMap((section) =>
      [...section.matchAll(/^```\w+ (\S+)$/gm)].map(([, name]) => name),
    )
    expect(printed.sort()).toEqual([
      ...Array(4).fill('banksman.yaml'),
      'gate.py',
      'masks.ts',
      'no-force.ts',
      'weather.ts',
    ])
  })
})
