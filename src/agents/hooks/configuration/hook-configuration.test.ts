import { describe, expect, it } from 'vitest'
import { isBanksmanError } from '../../../core/errors.ts'
import { readHookConfiguration } from './hook-configuration.ts'

const GATE = { command: ['python3', 'gate.py'], intercept: ['approve_tool'] }
const faultOf = (value: unknown) => {
  try {
    readHookConfiguration(value)
  } catch (error) {
    if (isBanksmanError(error, 'invalid_configuration')) return [error.details.pointer, error.message]
  }
  return undefined
}

describe('what is read', () => {
  it.each([undefined, null, {}, { enabled: true, builtins: null, processes: null }])(
    '%j is no hooks',
    (value) => {
      expect(readHookConfiguration(value)).toEqual({ builtins: [], processes: [] })
    },
  )

  it('takes the whole shape of the original, in the order of names', () => {
    expect(
      readHookConfiguration({
        enabled: true,
        defaults: { observer_timeout_ms: 100, interceptor_timeout_ms: 0, approval_timeout_ms: -1 },
        builtins: { audit: { enabled: true, priority: 10, config: { file: 'x' } } },
        processes: {
          b: { ...GATE, dir: '', transport: '', intercept: ['approve_tool', '', 'before_tool'] },
          a: {
            enabled: true,
            priority: 100,
            transport: 'stdio',
            command: ['python3', 'x.py'],
            dir: 'hooks',
            env: { K: 'V' },
            observe: ['agent.tool.exec_start', 'turn_end', '*', ''],
            intercept: [],
          },
        },
      }),
    ).toEqual({
      builtins: [
        {
          name: 'audit',
          priority: 10,
          config: { file: 'x' },
          timeouts: { observeMs: 100, interceptMs: 5000, approveMs: 60_000 },
        },
      ],
      processes: [
        {
          name: 'a',
          priority: 100,
          command: ['python3', 'x.py'],
          dir: 'hooks',
          env: { K: 'V' },
          observe: ['agent.tool.exec_start', 'turn_end', '*', ''],
          intercept: [],
          trusted: false,
          onFailure: 'deny',
          tools: [],
          timeouts: { observeMs: 100, interceptMs: 5000, approveMs: 60_000 },
        },
        {
          name: 'b',
          priority: 0,
          command: GATE.command,
          env: {},
          observe: [],
          intercept: ['before_tool', 'approve_tool'],
          trusted: false,
          onFailure: 'deny',
          tools: [],
          timeouts: { observeMs: 100, interceptMs: 5000, approveMs: 60_000 },
        },
      ],
    })
  })

  it('takes what is ours', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const { processes } = readHookConfiguration({
      processes: {
        weather: {
          command: ['weather'],
          intercept: ['before_tool'],
          trusted: true,
          onFailure: 'continue',
          generation: 'a',
          tools: [
            { name: 'weather', description: 'The weather', parameters },
            { name: 'tides', description: 'The tides' },
          ],
          timeouts: { observer_ms: 1, interceptor_ms: 30_000, approval_ms: 0 },
        },
      },
    })
    expect(processes).toMatchObject([
      {
        trusted: true,
        onFailure: 'continue',
        generation: 'a',
        tools: [
          { name: 'weather', description: 'The weather', schema: parameters },
          { name: 'tides', description: 'The tides', schema: { type: 'object', properties: {} } },
        ],
        timeouts: { observeMs: 1, interceptMs: 30_000, approveMs: 60_000 },
      },
    ])
  })

  it('P5: a hook is on unless it says that it is off', () => {
    expect(readHookConfiguration({ processes: { gate: GATE } }).processes).toHaveLength(1)
    expect(readHookConfiguration({ processes: { gate: { ...GATE, enabled: null } } }).processes).toHaveLength(
      1,
    )
    expect(readHookConfiguration({ processes: { gate: { enabled: false } } }).processes).toEqual([])
    expect(readHookConfiguration({ enabled: false, processes: { gate: GATE } }).processes).toEqual([])
  })
})

describe('what is refused', () => {
  const gate = (more: object) => ({ processes: { gate: { ...GATE, ...more } } })
  const weather = { name: 'weather', description: 'The weather' }
  const provider = (more: object = {}) => ({
    ...GATE,
    intercept: ['before_tool'],
    trusted: true,
    tools: [weather],
    ...more,
  })
  it.each([
    [[], '/hooks', 'hooks must be an object with enabled, defaults, builtins, processes'],
    [
      { process: {} },
      '/hooks/process',
      'hooks.process is an unknown key; the keys here are enabled, defaults',
    ],
    [{ enabled: 'yes' }, '/hooks/enabled', 'hooks.enabled must be true or false'],
    [{ defaults: { timeout: 1 } }, '/hooks/defaults/timeout', 'is an unknown key'],
    [
      { defaults: { observer_timeout_ms: '1s' } },
      '/hooks/defaults/observer_timeout_ms',
      'must be a number of milliseconds',
    ],
    [{ defaults: { observer_timeout_ms: 1e12 } }, '/hooks/defaults/observer_timeout_ms', 'at most a day'],
    [{ builtins: { audit: { priority: 1.5 } } }, '/hooks/builtins/audit/priority', 'must be a whole number'],
    [
      { builtins: { audit: true } },
      '/hooks/builtins/audit',
      'must be an object with enabled, priority, config',
    ],
    [{ processes: [GATE] }, '/hooks/processes', 'must be names with hooks'],
    [{ processes: { gate: null } }, '/hooks/processes/gate', 'must be an object with enabled'],
    [{ processes: { ' ': GATE } }, '/hooks/processes/ ', 'is no name for a hook'],
    [
      JSON.parse(`{"processes": {"__proto__": ${JSON.stringify(GATE)}}}`),
      '/hooks/processes/__proto__',
      'is no name for a hook',
    ],
    [{ processes: { 'a/b': { ...GATE, comand: [] } } }, '/hooks/processes/a~1b/comand', 'unknown key'],
    [gate({ transport: 'http' }), '/hooks/processes/gate/transport', 'must be stdio'],
    [gate({ command: undefined }), '/hooks/processes/gate/command', 'must name a program'],
    [gate({ command: [] }), '/hooks/processes/gate/command', 'must name a program'],
    [gate({ command: [''] }), '/hooks/processes/gate/command', 'must name a program'],
    [
      gate({ command: 'python3 gate.py' }),
      '/hooks/processes/gate/command',
      'must be a list, as in [python3, hook.py]',
    ],
    [gate({ command: ['x', 5] }), '/hooks/processes/gate/command/1', 'must be a text; put it in quotes'],
    [gate({ command: ['x\0'] }), '/hooks/processes/gate/command/0', 'zero character'],
    [gate({ env: { PORT: 80 } }), '/hooks/processes/gate/env/PORT', 'must be a text; put it in quotes'],
    [
      gate({ intercept: ['before_tools'] }),
      '/hooks/processes/gate/intercept/0',
      'must be one of before_llm, after_llm, before_tool, after_tool, approve_tool',
    ],
    [gate({ intercept: 'approve_tool' }), '/hooks/processes/gate/intercept', 'must be a list of before_llm'],
    [gate({ intercept: [''] }), '/hooks/processes/gate', 'is told of nothing and asked about nothing'],
    [gate({ intercept: null }), '/hooks/processes/gate', 'is told of nothing and asked about nothing'],
    [gate({ observe: ['agent.turn.start', 'tool_start'] }), '/hooks/processes/gate/observe/1', 'tool_start'],
    [gate({ trusted: 'true' }), '/hooks/processes/gate/trusted', 'must be true or false'],
    [gate({ onFailure: 'allow' }), '/hooks/processes/gate/onFailure', 'must be deny or continue'],
    [gate({ generation: 'c' }), '/hooks/processes/gate/generation', 'must be a or b'],
    [
      gate({ timeouts: { observe: 1 } }),
      '/hooks/processes/gate/timeouts/observe',
      'observer_ms, interceptor_ms, approval_ms',
    ],
    [
      { processes: { gate: provider({ trusted: false }) } },
      '/hooks/processes/gate/tools',
      'only a trusted hook',
    ],
    [
      { processes: { gate: provider({ intercept: ['approve_tool'] }) } },
      '/hooks/processes/gate/tools',
      'at before_tool; add that to intercept',
    ],
    [
      { processes: { gate: provider({ tools: [weather, weather] }) } },
      '/hooks/processes/gate/tools/1/name',
      'is taken: hook "gate"',
    ],
    [
      { processes: { a: provider(), b: provider() } },
      '/hooks/processes/b/tools/0/name',
      'is taken: hook "a"',
    ],
    [
      { processes: { gate: provider({ tools: [{ ...weather, name: 'a b' }] }) } },
      '/hooks/processes/gate/tools/0/name',
      'letters, digits',
    ],
    [
      { processes: { gate: provider({ tools: [{ ...weather, parameters: [] }] }) } },
      '/hooks/processes/gate/tools/0/parameters',
      'must be a JSON schema',
    ],
    [
      { builtins: { gate: {} }, processes: { gate: GATE } },
      '/hooks/processes/gate',
      'has the name of a built-in hook',
    ],
  ])('P5: %j', (value, pointer, words) => {
    const [place, message] = faultOf(value) ?? []
    expect(place).toBe(pointer)
    expect(message).toContain(words)
  })

  it('also in what is turned off', () => {
    expect(faultOf({ enabled: false, processes: { gate: { enabled: false, interept: [] } } })).toBeDefined()
  })
})
