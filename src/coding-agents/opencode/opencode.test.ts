import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonValue } from '../../core/json/json.ts'
import { sessionOf, type WantedCall } from '../hook-event.ts'
import * as events from './fixtures/events.ts'
import { opencode } from './index.ts'
import { fromCatalogue, toCatalogue } from './tool-names.ts'

const place = { agent: 'opencode', session: sessionOf('opencode', events.before.sessionID) }
const wanted = {
  ...place,
  phase: 'before',
  cwd: '/srv/shop',
  lineage: { name: 'opencode' },
  can: { terminate: false },
}
const made = {
  ...place,
  phase: 'after',
  callId: 'call_0',
  tool: 'Bash',
  arguments: events.before.args,
}

it.each<[string, JsonValue, object]>([
  [
    'a command',
    events.before,
    { ...wanted, callId: 'call_0', tool: 'Bash', arguments: events.before.args, given: events.before.args },
  ],
  [
    'an edit, by the names that the policy has',
    events.edit,
    {
      ...wanted,
      callId: 'call_1',
      tool: 'Edit',
      arguments: { file_path: '/srv/shop/a.ts', old_string: 'a', new_string: 'b', replace_all: true },
      given: events.edit.args,
    },
  ],
  ['a call that went well', events.after, { ...made, outcome: { ok: true } }],
  ['one that failed', events.failed, { ...made, outcome: { ok: false, summary: 'no such file' } }],
  ['the end of a session', events.over, { ...place, phase: 'over' }],
])('reads %s', (_, event, expected) => {
  expect(opencode.read(event)).toEqual(expected)
})

it.each<[string, JsonValue, string]>([
  [
    'a plugin of a later version',
    { ...events.before, version: 2 },
    'use a plugin that was made for this server',
  ],
  ['another phase', { ...events.before, phase: 'asked' }, 'phase must be one of before, after, over'],
  [
    'an argument that would hide another',
    { ...events.edit, args: { filePath: '/a', file_path: '/b' } },
    'an argument has the name',
  ],
  ['arguments that are a text', { ...events.before, args: '{}' }, 'args must be an object'],
])('P5: refuses %s', (_, event, because) => {
  expect(opencode.read(event)).toEqual({ phase: 'before', because: expect.stringContaining(because) })
})

it.each(['read_file', 'exec', 'Bash', 'mcp__a__b', 'toString'])(
  'P5: a tool that calls itself %s is not the one that the policy knows',
  (tool) => {
    expect(opencode.read({ ...events.before, tool })).toMatchObject({ tool: `opencode__${tool}` })
  },
)

it('P3: what was approved goes back under the names that opencode has', () => {
  const call = opencode.read(events.edit) as WantedCall
  const approved = { file_path: '/srv/shop/a.ts', old_string: 'a', new_string: 'c' }
  expect(opencode.argumentsFor(call, approved)).toEqual({
    filePath: '/srv/shop/a.ts',
    oldString: 'a',
    newString: 'c',
  })
  // An edit that has the argument under both names has no way back.
  expect(opencode.argumentsFor(call, { ...approved, filePath: '/etc/passwd' })).toBeUndefined()
})

it('P3: arguments that were not changed come back as they were, whatever they are called', () => {
  const names = fc.constantFrom(
    'filePath',
    'file_path',
    'oldString',
    'old_string',
    'include',
    'glob',
    '__proto__',
    'x',
  )
  const args = fc.uniqueArray(names).map((found) => Object.fromEntries(found.map((name) => [name, 1])))
  const tools = fc.constantFrom('bash', 'read', 'write', 'edit', 'list', 'glob', 'grep', 'webfetch', 'task')
  fc.assert(
    fc.property(tools, args, (tool, given) => {
      const call = toCatalogue(tool, given)
      if (call === undefined) return
      expect(Object.keys(call.arguments)).toHaveLength(Object.keys(given).length)
      const back = fromCatalogue(call.tool, call.arguments)
      if (back !== undefined) expect(Object.entries(back)).toEqual(Object.entries(given))
    }),
  )
})

const args = { command: 'touch y' }

it.each([
  ['no opinion', { kind: 'no_opinion' }, { decision: 'none' }],
  ['an approval', { kind: 'allow', arguments: args }, { decision: 'allow', args }],
  ['a no', { kind: 'deny', because: 'ana said no' }, { decision: 'deny', reason: 'ana said no' }],
  [
    'a ticket',
    { kind: 'deny', because: 'waiting for ana', waiting: true },
    { decision: 'deny', reason: 'waiting for ana', waiting: true },
  ],
  [
    'the end of the session',
    { kind: 'deny', because: 'ana ended it.', stop: true },
    {
      decision: 'deny',
      reason: 'ana ended it. The session was ended: make no more calls, and tell the user.',
    },
  ],
  ['what was reported', { kind: 'noted' }, { noted: true }],
  [
    'an edit, after the call',
    { kind: 'noted', note: 'ana changed it' },
    { noted: true, note: 'ana changed it' },
  ],
] as const)('writes %s', (_, answer, expected) => {
  expect(opencode.write(answer, 'before')).toEqual(expected)
})
