import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { AgentHookAnswer } from '../agent-hook-answer.ts'
import { sessionOf } from '../hook-event.ts'
import * as events from './fixtures/events.ts'
import { codex } from './index.ts'

const place = { agent: 'codex', session: sessionOf('codex', events.common.session_id) }
const wanted = { ...place, phase: 'before', cwd: '/srv/shop', lineage: { name: 'codex' } }
const command = { command: 'touch x' }
const cannotEdit = { edit: false, terminate: false }

it.each<[string, JsonValue, object]>([
  [
    'a command, whose arguments can be changed',
    events.preToolUse,
    {
      ...wanted,
      callId: 'call_0',
      tool: 'Bash',
      arguments: command,
      given: command,
      can: { edit: true, terminate: false },
    },
  ],
  [
    'a tool of an MCP server, whose arguments are not known to be taken',
    events.preToolUseOfMcp,
    {
      ...wanted,
      callId: 'call_1',
      tool: 'mcp__tracker__close',
      arguments: { id: 7 },
      given: { id: 7 },
      can: cannotEdit,
    },
  ],
  [
    'a patch, which can be changed',
    events.preToolUseOfPatch,
    {
      ...wanted,
      callId: 'call_2',
      tool: 'apply_patch',
      arguments: events.preToolUseOfPatch.tool_input,
      given: events.preToolUseOfPatch.tool_input,
      can: { edit: true, terminate: false },
    },
  ],
  [
    'a prompt of its own, with its words apart from the command',
    events.permissionRequest,
    {
      ...wanted,
      phase: 'asked',
      tool: 'Bash',
      arguments: { command: 'touch /etc/x' },
      given: events.permissionRequest.tool_input,
      context: 'to write outside the workspace',
      can: cannotEdit,
    },
  ],
  [
    'a call that was made',
    events.postToolUse,
    {
      ...place,
      phase: 'after',
      callId: 'call_0',
      tool: 'Bash',
      arguments: command,
      outcome: { ok: true, summary: expect.stringContaining('doesn’t tell') },
    },
  ],
  ['the end of a session', events.sessionEnd, { ...place, phase: 'over' }],
])('reads %s', (_, event, expected) => {
  expect(codex.read(event)).toEqual(expected)
})

it.each(['read_file', 'exec', 'Read', 'Write', 'bash'])(
  'P5: a tool that calls itself %s is not the one that the policy knows',
  (tool) => {
    expect(codex.read({ ...events.preToolUse, tool_name: tool })).toMatchObject({ tool: `codex__${tool}` })
  },
)

const args = { command: 'touch y' }

it.each<[string, AgentHookAnswer, 'before' | 'asked' | 'after', JsonObject]>([
  ['no opinion', { kind: 'no_opinion' }, 'before', {}],
  [
    'an approval',
    { kind: 'allow', arguments: args },
    'before',
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: args } },
  ],
  [
    'a no',
    { kind: 'deny', because: 'ana said no' },
    'before',
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'ana said no',
      },
    },
  ],
  [
    'an approval of a prompt',
    { kind: 'allow', arguments: args },
    'asked',
    { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
  ],
  [
    'a no to a prompt',
    { kind: 'deny', because: 'ana said no' },
    'asked',
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'ana said no' },
      },
    },
  ],
  [
    'P3: an edit at a prompt as a no, since the changed arguments would be dropped',
    { kind: 'allow', arguments: args, note: 'ana changed it to touch y' },
    'asked',
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'ana changed it to touch y' },
      },
    },
  ],
  [
    'an edit, which the model is told after the call',
    { kind: 'noted', note: 'ana changed it' },
    'after',
    { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'ana changed it' } },
  ],
])('writes %s', (_, answer, phase, expected) => {
  expect(codex.write(answer, phase)).toEqual(expected)
})

const text = fc.string()
const anyAnswer = fc.oneof(
  fc.record({ kind: fc.constant('deny' as const), because: text }),
  fc.record({ kind: fc.constant('deny' as const), because: text, stop: fc.constant(true as const) }),
  fc.record({ kind: fc.constant('allow' as const), arguments: fc.constant(args), note: text }),
  fc.record({ kind: fc.constant('allow' as const), arguments: fc.constant(args) }),
)

it('P5: never writes what Codex takes for a failed hook, which makes the call', () => {
  fc.assert(
    fc.property(anyAnswer, fc.constantFrom('before' as const, 'asked' as const), (answer, phase) => {
      const written = codex.write(answer, phase) as { hookSpecificOutput: Record<string, unknown> }
      expect(Object.keys(written)).toEqual(['hookSpecificOutput'])
      const { permissionDecision, permissionDecisionReason, updatedInput, decision } =
        written.hookSpecificOutput
      if (phase === 'asked') {
        const { behavior, message, ...more } = decision as Record<string, string>
        expect(more).toEqual({})
        if (behavior === 'deny') expect(message?.trim()).not.toBe('')
        else expect(behavior).toBe('allow')
      } else if (permissionDecision === 'allow') expect(updatedInput).toEqual(args)
      else {
        expect(permissionDecision).toBe('deny')
        expect((permissionDecisionReason as string).trim()).not.toBe('')
        expect(updatedInput).toBeUndefined()
      }
    }),
  )
})

describe('how a call ended', () => {
  const outcomeOf = (tool_response: JsonValue) => {
    const event = codex.read({ ...events.postToolUse, tool_response })
    return 'outcome' in event ? event.outcome : undefined
  }

  it('of a command is not told, and that is said', () => {
    expect(outcomeOf('No such file')).toEqual({
      ok: true,
      summary: expect.stringMatching(/doesn’t tell whether/),
    })
  })

  it('of an MCP tool is as its answer says', () => {
    expect(outcomeOf({ content: [], isError: true })).toMatchObject({ ok: false })
    expect(outcomeOf({ content: [], isError: false })).toEqual({ ok: true })
  })
})
