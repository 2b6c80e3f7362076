import { expect, it } from 'vitest'
import type { JsonValue } from '../../core/json/json.ts'
import { sessionOf, type WantedCall } from '../hook-event.ts'
import * as events from './fixtures/events.ts'
import { claudeCode } from './index.ts'

const place = { agent: 'claude-code', session: sessionOf('claude-code', events.common.session_id) }
const wanted = {
  ...place,
  phase: 'before',
  tool: 'Bash',
  arguments: { command: 'touch x', description: 'Make a file' },
  given: { command: 'touch x', description: 'Make a file' },
  cwd: '/srv/shop',
  lineage: { name: 'claude-code' },
  can: {},
}
const made = { ...place, phase: 'after', callId: 'toolu_01', tool: 'Bash', arguments: wanted.arguments }

it.each<[string, JsonValue, object]>([
  ['a command', events.preToolUse, { ...wanted, callId: 'toolu_01' }],
  [
    'a command of a sub-agent',
    events.preToolUseOfSubAgent,
    { ...wanted, callId: 'toolu_02', lineage: { name: 'Explore', parents: ['claude-code'] } },
  ],
  [
    'a tool of an MCP server',
    events.preToolUseOfMcp,
    { ...wanted, callId: 'toolu_03', tool: 'mcp__tracker__close', arguments: { id: 7 }, given: { id: 7 } },
  ],
  ['a prompt of its own', events.permissionRequest, { ...wanted, phase: 'asked' }],
  ['a call that went well', events.postToolUse, { ...made, outcome: { ok: true } }],
  ['one that failed', events.postToolUseFailure, { ...made, outcome: { ok: false, summary: 'Exit code 1' } }],
  [
    'one that it did not make',
    events.permissionDenied,
    { ...made, outcome: { ok: false, summary: 'Claude Code did not run it: a deny rule matches' } },
  ],
  ['the end of a session', events.sessionEnd, { ...place, phase: 'over' }],
  ['the end of a turn', events.stop, { ...place, phase: 'over' }],
])('reads %s', (_, event, expected) => {
  expect(claudeCode.read(event)).toEqual(expected)
})

it('reads its question as one to a person, and hands the answer back by its own words', () => {
  const call = claudeCode.read(events.askUserQuestion) as WantedCall
  expect(call).toMatchObject({
    tool: 'ask_user_question',
    arguments: {
      questions: [
        {
          id: 'q1',
          question: 'Which db?',
          freeText: true,
          header: 'Database',
          options: [{ label: 'Postgres', description: 'the usual' }, { label: 'SQLite' }],
        },
      ],
    },
  })
  expect(claudeCode.answeredArguments!(call, { q1: { choices: ['Postgres'] } })).toEqual({
    ...events.askUserQuestion.tool_input,
    answers: { 'Which db?': 'Postgres' },
  })
})

it.each<[string, JsonValue, string | undefined, string]>([
  ['no object', ['PreToolUse'], undefined, 'must be an object; found a list'],
  [
    'an event of tomorrow',
    { ...events.preToolUse, hook_event_name: 'PreToolUse2' },
    undefined,
    'found "PreToolUse2"',
  ],
  [
    'one that is named like a member of every object',
    { ...events.preToolUse, hook_event_name: 'toString' },
    undefined,
    'found "toString"',
  ],
  ['a name that is no text', { ...events.preToolUse, hook_event_name: 1 }, undefined, 'found a number'],
  ['no session', { ...events.preToolUse, session_id: '' }, 'before', 'session_id must be a text'],
  [
    'arguments in a list',
    { ...events.preToolUse, tool_input: ['rm'] },
    'before',
    'tool_input must be an object; found a list',
  ],
  [
    'a call without an id',
    { ...events.preToolUse, tool_use_id: null },
    'before',
    'tool_use_id must be a text',
  ],
  [
    'a folder that is no text',
    { ...events.permissionRequest, cwd: 7 },
    'asked',
    'cwd must be the absolute path',
  ],
])('P5: refuses %s', (_, event, phase, because) => {
  const found = claudeCode.read(event)
  expect(found).toEqual({
    ...(phase === undefined ? {} : { phase }),
    because: expect.stringContaining(because),
  })
})

const args = { command: 'touch y' }

it.each([
  ['no opinion', { kind: 'no_opinion' }, 'before', {}],
  [
    'an approval',
    { kind: 'allow', arguments: args },
    'before',
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: args } },
  ],
  [
    'an edit, which the model is told',
    { kind: 'allow', arguments: args, note: 'ana changed it' },
    'before',
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: args,
        additionalContext: 'ana changed it',
      },
    },
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
    'the end of the session',
    { kind: 'deny', because: 'ana ended it', stop: true },
    'before',
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'ana ended it',
      },
      continue: false,
      stopReason: 'ana ended it',
    },
  ],
  ['no opinion on a prompt of its own', { kind: 'no_opinion' }, 'asked', {}],
  [
    'an approval of a prompt',
    { kind: 'allow', arguments: args },
    'asked',
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: args },
      },
    },
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
    'the end of the session at a prompt',
    { kind: 'deny', because: 'ana ended it', stop: true },
    'asked',
    {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'ana ended it', interrupt: true },
      },
    },
  ],
  ['what was reported', { kind: 'noted' }, 'after', {}],
  [
    'an edit, after the call',
    { kind: 'noted', note: 'ana changed it' },
    'after',
    { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'ana changed it' } },
  ],
] as const)('writes %s', (_, answer, phase, expected) => {
  expect(claudeCode.write(answer, phase)).toEqual(expected)
})
