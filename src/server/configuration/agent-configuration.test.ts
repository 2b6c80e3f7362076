/** What `banksman.yaml` says of the agent: read whole, or refused with its place. */
import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const read = (text: string) => readConfiguration(text, '/home/ana/project/banksman.yaml', 'ana')

describe('the agent in banksman.yaml', () => {
  it('nothing said: the defaults, and no chat is open', () => {
    const { talk, channels } = read('')
    expect(talk.agent).toMatchObject({ name: 'main', model: undefined, maxSteps: 30, fetchAllow: [] })
    expect(talk.agent.tools).toContain('exec')
    expect(talk.hooks).toEqual({ builtins: [], processes: [] })
    expect(channels.map(({ key }) => key)).toEqual(['inbox'])
  })

  it('paths are meant from the file', () => {
    const { talk, channels } = read(`
agent:
  workspace: ./work
  model: { provider: scripted, script: talk.yaml }
hooks:
  processes:
    audit: { command: [python3, audit.py], intercept: [before_tool] }
pet: { answerFrom: person, deadline: 90s }
reactPlus: { cookie: true, pages: ./pages }
`)
    expect(talk.agent.workspace).toBe('/home/ana/project/work')
    expect(talk.agent.model).toEqual({ provider: 'scripted', script: '/home/ana/project/talk.yaml' })
    expect(talk.hooks.processes).toMatchObject([{ name: 'audit', dir: '/home/ana/project', trusted: false }])
    expect(channels.map(({ key, options }) => [key, options])).toEqual([
      ['inbox', {}],
      ['pet', { answerFrom: 'person', deadlineMs: 90_000 }],
      ['reactPlus', { cookie: true, pages: '/home/ana/project/pages' }],
    ])
  })

  it('other agents have an engine, and the keys that their engine knows', () => {
    const { talk } = read('agents: { coder: { engine: loop, workspace: ./code, maxSteps: 5 } }')
    expect(talk.agents).toMatchObject([
      {
        engine: 'loop',
        name: 'coder',
        workspace: '/home/ana/project/code',
        settings: { name: 'coder', maxSteps: 5, model: undefined },
      },
    ])
    expect(read('').talk.agents).toEqual([])
  })

  it.each([
    ['agent: { modle: x }', ':1:10: unknown key "modle"; did you mean model?'],
    ['agent:\n  tools: [shell]', ':2:'],
    ['agent:\n  maxSteps: 0', ':2:3: agent.maxSteps must be at least 1'],
    ['agent:\n  model: { provider: magic }', ':2:'],
    ['agent:\n  model: { provider: anthropic, model: x, apiKey: sk-1 }', ':2:'],
    ['agents:\n  coder: { engine: codex }', ':2:12: agents.coder.engine must be one of these engines: loop'],
    ['agents:\n  coder: { maxSteps: 3 }', 'agents.coder.engine must be one of these engines: loop'],
    ['agents:\n  coder: { engine: loop, name: x }', 'unknown key "name"'],
    ['agents:\n  coder: { engine: loop, maxSteps: 0 }', ':2:26: agents.coder.maxSteps must be at least 1'],
    ['agents:\n  coder: { engine: loop, model: { provider: magic } }', ':2:'],
    ['agents:\n  main: { engine: loop }', ':2:3: agents.main: that is the name of the default agent'],
    ['agents:\n  "a b": { engine: loop }', ':2:'],
    ['hooks:\n  processes:\n    x: { command: [a], intercept: [before_tol] }', ':3:'],
    ['hooks:\n  proceses: {}', ':2:'],
    ['pet: { answerFrom: anyone }', ':1:'],
    ['reactPlus: { cookies: true }', 'unknown key "cookies"; did you mean cookie?'],
    ['pet: { deadline: 60 }', ':1:'],
  ])('P5: %j is refused, with its place', (text, words) => {
    expect(() => read(text)).toThrowError(
      expect.objectContaining({ message: expect.stringContaining(words) }),
    )
  })
})
