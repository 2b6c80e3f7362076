/** The real opencode behind `banksman connect opencode`, on a model that follows a script. Its own rules allow every command. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  describeAgent,
  type ScriptedCall,
  SUITE_POLICY,
  scene,
  suiteScenes,
} from '../connected/agent-suite.ts'
import { type ConnectedAgent, standIn } from '../connected/connected-agent.ts'
import { hasOpencode, openOpencode } from './connected-opencode.ts'

const bash = (command: string): ScriptedCall => ({
  tool: 'bash',
  arguments: { command, description: 'as asked' },
})

describe.skipIf(!hasOpencode)('opencode', () => {
  let opencode: ConnectedAgent
  let plugin: string

  beforeAll(async () => {
    opencode = await openOpencode(
      [
        ...suiteScenes(bash, ['maybe', 'removed', 'after']),
        scene('write it.', [
          { tool: 'write', arguments: { filePath: 'written.txt', content: 'as approved\n' } },
        ]),
        { steps: [{ say: 'A title.' }], repeat: true },
      ],
      SUITE_POLICY,
    )
    await opencode.startServer()
    await opencode.connect()
    plugin = join(opencode.home, '.config/opencode/plugins/banksman.js')
  })
  afterAll(() => opencode?.close())

  const socket = () => ({ path: join(opencode.place.folder, '.banksman/run/banksman.sock') })
  describeAgent('opencode', () => opencode, socket)

  it('a file that it writes is shown as that, under the names of the catalogue', async () => {
    const done = opencode.say('write it.')
    const [request] = await opencode.pending()
    expect(request).toMatchObject({ tool: 'Write', arguments: { file_path: 'written.txt' } })
    await opencode.decide({ decision: 'approve' })
    await done
    expect(opencode.read('written.txt')).toBe('as approved\n')
  })

  it('P5: an answer that is neither yes nor no is a no', async () => {
    await opencode.server().stop('SIGKILL')
    const body = JSON.stringify({ decision: 'maybe' })
    const other = await standIn(socket(), { status: 200, type: 'application/json', body })
    try {
      await opencode.say('make maybe.')
      expect(opencode.exists('maybe')).toBe(false)
      expect(opencode.told('make maybe.')).toContain('not allowed')
    } finally {
      await other.close()
      await opencode.startServer()
    }
  })

  describe('what connect says', () => {
    it('a plugin that can’t be loaded, or was taken away: the call runs, and it is told', async () => {
      const text = readFileSync(plugin, 'utf8')
      writeFileSync(plugin, `throw new Error('broken')\n${text}`)
      await opencode.say('make removed.')
      expect(opencode.exists('removed')).toBe(true)
      const { stdout, code } = await opencode.banksman('connect')
      expect(stdout).toMatch(/FAIL {2}opencode: .*were changed/)
      expect(code).toBe(1)
      rmSync(plugin)
      expect((await opencode.banksman('connect')).stdout).toMatch(
        /FAIL {2}opencode: .*has no hooks of Banksman/,
      )
      writeFileSync(plugin, text)
    })
  })

  it('is disconnected: the plugin is gone, and its calls run', async () => {
    expect(await opencode.banksman('disconnect', 'opencode', '--yes')).toMatchObject({ code: 0 })
    expect(existsSync(plugin)).toBe(false)
    await opencode.say('make after.')
    expect(opencode.exists('after')).toBe(true)
  })
})
