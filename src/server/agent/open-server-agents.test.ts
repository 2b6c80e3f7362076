import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { ana, openTestGateway } from '../../gateway/fixtures/test-gateway.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { agentWorkspaces, openServerAgents } from './open-server-agents.ts'

const MODEL = 'model: { provider: scripted, script: script.yaml }'

async function open(yaml: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-agents-')))
  writeFileSync(join(folder, 'script.yaml'), '- steps: [{ say: I am scripted }]\n')
  const fixture = await openTestGateway()
  onTestFinished(async () => {
    await fixture.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const configuration = readConfiguration(yaml, join(folder, 'banksman.yaml'), 'ana')
  const said: string[] = []
  const agents = await openServerAgents({
    gateway: fixture.gateway,
    configuration,
    folder,
    ownFolders: [join(folder, 'own')],
    records: fixture.store.records,
    notify: async () => 'gone',
    keepOut: [],
    environment: {},
    own: () => [],
    report: () => {},
    say: (line) => said.push(line),
  })
  onTestFinished(() => agents.close())
  return { agents, said, configuration, folder }
}

describe('the agents of a server', () => {
  it('are those under agents: beside the default one, in one host', async () => {
    const { agents, configuration, folder } = await open(`
agent: { name: clerk, ${MODEL} }
agents:
  checker: { engine: loop, ${MODEL}, tools: [read_file], workspace: ./checked }
`)
    const { agent } = agents.main!
    expect(agent.describe()).toMatchObject({ name: 'clerk', agents: ['clerk', 'checker'] })
    expect(agent.describe('checker').tools.map(({ name }) => name)).toEqual(['read_file'])
    await agent.say({ session: 's1', text: 'hello', agent: 'checker' }, ana)
    await until(async () => (await agent.progress('s1', ana)).state === 'idle')
    expect(await agent.progress('s1', ana)).toMatchObject({
      agent: { name: 'checker' },
      turn: { ended: { status: 'completed', text: 'I am scripted' } },
    })
    expect(agentWorkspaces(configuration.talk)).toEqual([undefined, join(folder, 'checked')])
  })

  it('may be there without a default one: who is not named is told whom there is', async () => {
    const { agents } = await open(`agents: { checker: { engine: loop, ${MODEL} } }`)
    const { agent } = agents.main!
    await expect(agent.say({ session: 's1', text: 'hello' }, ana)).rejects.toMatchObject({
      message: expect.stringContaining('there is no agent `main` here; there are: checker'),
    })
    expect(agent.describe()).toMatchObject({ name: 'checker' })
  })

  it('P5: one that has no model keeps the server from starting, and says where to name it', async () => {
    await expect(open('agents: { checker: { engine: loop } }')).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('agents.checker.model: name a model'),
    })
  })

  it('with secretary: there are coding sessions, each in a folder of its own', async () => {
    const { agents, folder } = await open(`
secretary: { engine: loop, ${MODEL}, folders: [shop] }
`)
    mkdirSync(join(folder, 'shop', 'web'), { recursive: true })
    const { session, said } = await agents.secretary!.start({ folder: 'shop', text: 'hello' }, ana)
    expect(session).toMatchObject({ owner: 'ana', agent: 'coder', folder: join(folder, 'shop') })
    expect(said).toMatchObject({ turn: 't1', kind: 'begun' })
    const { agent } = agents.main!
    await until(async () => (await agent.progress(session.id, ana)).state === 'idle')
    expect(await agents.secretary!.progress(session.id, ana)).toMatchObject({
      folder: join(folder, 'shop'),
      mode: 'default',
      turn: { ended: { status: 'completed', text: 'I am scripted' } },
    })
    await expect(agents.secretary!.start({ folder }, ana)).rejects.toThrow(
      'is not a folder that sessions may',
    )
    // A plain conversation with the agent has no folder.
    await agent.say({ session: 's9', text: 'hello', agent: 'coder' }, ana)
    await until(async () => (await agent.progress('s9', ana)).state === 'idle')
    expect((await agent.progress('s9', ana)).turn?.ended).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('has no folder'),
    })
  })

  it('none: nothing is opened, and what is configured for one is named', async () => {
    const { agents, said } = await open(
      'hooks: { processes: { gate: { command: [node], intercept: [before_tool] } } }',
    )
    expect(agents.main).toBe(undefined)
    expect(said.join()).toContain('hooks: is configured')
  })
})
