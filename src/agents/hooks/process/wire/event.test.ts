import { describe, expect, it } from 'vitest'
import type { TurnEvent, TurnEventBody } from '../../../../core/conversation.ts'
import { eventFromWire, eventToWire } from './event.ts'
import { AGENT_KINDS, generationOf, KIND_OF, matchesKind } from './event-kinds.ts'

const BASE = { id: 't7-3', turn: 't7', session: 's', agent: { name: 'main' }, at: 0 }
const usage = { inputTokens: 1, outputTokens: 1 }
const called = { call: 'c', tool: 'ls' }

const CASES: [TurnEventBody, string, number, 'info' | 'warn' | 'error', object][] = [
  [
    { kind: 'turn_begun', text: 'hi', by: 'ana' },
    'agent.turn.start',
    0,
    'info',
    { UserMessage: 'hi', MediaCount: 0 },
  ],
  [
    { kind: 'turn_ended', status: 'completed', text: 'é', usage, steps: 2, durationMs: 1.5 },
    'agent.turn.end',
    1,
    'info',
    { Status: 'completed', Iterations: 2, Duration: 1_500_000, FinalContentLen: 2, FinalContent: 'é' },
  ],
  [
    { kind: 'turn_ended', status: 'terminated', text: '', usage, steps: 0, durationMs: 0 },
    'agent.turn.end',
    1,
    'warn',
    { Status: 'aborted', Iterations: 0, Duration: 0, FinalContentLen: 0, FinalContent: '' },
  ],
  [
    { kind: 'turn_ended', status: 'failed', text: '', usage, steps: 0, durationMs: 0 },
    'agent.turn.end',
    1,
    'error',
    { Status: 'error', Iterations: 0, Duration: 0, FinalContentLen: 0, FinalContent: '' },
  ],
  [
    { kind: 'model_called', step: 1, model: 'm', messages: 3, tools: 2 },
    'agent.llm.request',
    2,
    'info',
    { Model: 'm', MessagesCount: 3, ToolsCount: 2 },
  ],
  [
    { kind: 'model_answered', step: 1, text: 'abc', reasoning: 'hm', calls: 2, usage },
    'agent.llm.response',
    4,
    'info',
    { ContentLen: 3, ToolCalls: 2, HasReasoning: true },
  ],
  [
    { kind: 'model_retried', attempt: 1, of: 3, delayMs: 2, because: 'busy' },
    'agent.llm.retry',
    5,
    'warn',
    { Attempt: 1, MaxRetries: 3, Reason: 'busy', Error: 'busy', Backoff: 2_000_000 },
  ],
  [
    { kind: 'call_started', ...called, arguments: { a: 1 } },
    'agent.tool.exec_start',
    8,
    'info',
    { Tool: 'ls', Arguments: { a: 1 }, ToolCallID: 'c' },
  ],
  [
    { kind: 'call_finished', ...called, ok: false, text: 'ab', durationMs: 1 },
    'agent.tool.exec_end',
    9,
    'warn',
    {
      Tool: 'ls',
      Duration: 1_000_000,
      ForLLMLen: 2,
      ForUserLen: 0,
      IsError: true,
      Async: false,
      ToolCallID: 'c',
    },
  ],
  [
    { kind: 'call_refused', ...called, state: 'denied', because: 'no', mayRetry: false },
    'agent.tool.exec_skipped',
    10,
    'warn',
    { Tool: 'ls', Reason: 'no', ToolCallID: 'c' },
  ],
  [
    { kind: 'call_answered', ...called, text: 'x', by: 'ana', request: 'r' },
    'agent.tool.exec_skipped',
    10,
    'warn',
    { Tool: 'ls', Reason: 'a person gave the result', ToolCallID: 'c' },
  ],
  [
    { kind: 'steered', text: 'abc', by: 'ana' },
    'agent.steering.injected',
    11,
    'info',
    { Count: 1, TotalContentLen: 3 },
  ],
  [
    { kind: 'interrupted', how: 'hard', by: 'ana', reason: 'no' },
    'agent.interrupt.received',
    13,
    'info',
    { Kind: 'hard_abort', Role: 'user', ContentLen: 0, QueueDepth: 0, HintLen: 2 },
  ],
  [
    { kind: 'sub_began', child: 'k', task: 'look' },
    'agent.subturn.spawn',
    14,
    'info',
    { AgentID: 'k', Label: 'look', ParentTurnID: 'main-turn-t7' },
  ],
  [
    { kind: 'sub_ended', child: 'k', status: 'limit' },
    'agent.subturn.end',
    15,
    'info',
    { AgentID: 'k', Status: 'error' },
  ],
  [
    { kind: 'failed', stage: 'llm', message: 'm' },
    'agent.error',
    18,
    'error',
    { Stage: 'llm', Message: 'm' },
  ],
  [
    { kind: 'call_waiting', ...called, request: 'r', arguments: { a: 1 } },
    'agent.tool.approval_pending',
    19,
    'info',
    { Tool: 'ls', Arguments: { a: 1 }, ToolCallID: 'c', RequestID: 'r' },
  ],
]

describe('events on the wire', () => {
  it.each(CASES)('%j', (body, kind, number, severity, payload) => {
    const event = { ...BASE, ...body } as TurnEvent
    const step = 'step' in body ? body.step : 0
    expect(eventToWire(event, 'b')).toMatchObject({
      method: 'hook.runtime_event',
      params: {
        id: 't7-3',
        kind,
        time: '1970-01-01T00:00:00.000Z',
        source: { component: 'agent', name: 'main' },
        scope: { agent_id: 'main', session_key: 's', turn_id: 'main-turn-t7' },
        severity,
        payload,
        attrs: { agent_source: 'runTurn', iteration: step },
      },
    })
    const first = eventToWire(event, 'a')
    expect(first).toMatchObject({
      method: 'hook.event',
      params: {
        Kind: number,
        Time: '1970-01-01T00:00:00.000Z',
        Meta: { AgentID: 'main', TurnID: 'main-turn-t7', SessionKey: 's', Iteration: step },
        Payload: payload,
      },
    })
    for (const sent of [first, eventToWire(event, 'b')]) expect(eventFromWire(sent!.params)).toEqual(event)
  })

  it('covers every kind that hooks are told of', () => {
    const told = Object.entries(KIND_OF).flatMap(([kind, wire]) => (wire === undefined ? [] : [kind]))
    expect(new Set(CASES.map(([{ kind }]) => kind))).toEqual(new Set(told))
  })

  it('does not tell of each word', () => {
    expect(eventToWire({ ...BASE, kind: 'text', delta: 'x' }, 'b')).toBeUndefined()
  })

  it.each([{}, { event: null }, { event: 'x' }, { Kind: 3 }])('finds nothing of ours in %j', (params) => {
    expect(eventFromWire(params)).toBeUndefined()
  })
})

describe('which events a hook asks for', () => {
  const begun: TurnEvent = { ...BASE, kind: 'turn_begun', text: '', by: 'ana' }
  const ended: TurnEvent = {
    ...BASE,
    kind: 'turn_ended',
    status: 'completed',
    text: '',
    usage,
    steps: 1,
    durationMs: 1,
  }

  it.each([
    [['*'], true, true],
    [['all'], true, true],
    [[''], true, true],
    [['agent.turn.start'], true, false],
    [['turn_start'], true, false],
    [['turn_begun'], true, false],
    [['turn_end', 'agent.turn.start'], true, true],
    [['agent.llm.delta', 'mcp.tool.call.end', 'bus.close.drained'], false, false],
    [[], false, false],
  ])('%j', (observe, first, last) => {
    const matches = matchesKind(observe)
    expect([matches(begun), matches(ended)]).toEqual([first, last])
  })

  it('P5: an unknown kind is an error that lists the known', () => {
    expect(() => matchesKind(['agent.turn.begin'])).toThrow(
      /there is no event kind "agent.turn.begin"; there are \*, agent.turn.start, turn_start, .*gateway.ready/,
    )
    expect(() => matchesKind(['toString'])).toThrow('there is no event kind')
  })

  it('who uses the older names alone speaks the first generation', () => {
    expect(generationOf(['turn_start', 'error'])).toBe('a')
    expect(generationOf(['turn_start', 'agent.error'])).toBe('b')
    expect(generationOf(['*'])).toBe('b')
    expect(generationOf([])).toBe('b')
    expect(generationOf(['turn_start'], 'b')).toBe('b')
    expect(generationOf(['*'], 'a')).toBe('a')
  })

  it('the numbers of the first generation are fixed', () => {
    expect(AGENT_KINDS.map(([, alias]) => alias).indexOf('error')).toBe(18)
    expect(AGENT_KINDS[19]).toEqual(['agent.tool.approval_pending', 'tool_approval_pending'])
  })
})
