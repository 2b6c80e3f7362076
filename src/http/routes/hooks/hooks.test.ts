/** What a coding agent hears, from its event to the outcome. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as claude from '../../../coding-agents/claude-code/fixtures/events.ts'
import * as codex from '../../../coding-agents/codex/fixtures/events.ts'
import { sessionOf } from '../../../coding-agents/hook-event.ts'
import * as opencode from '../../../coding-agents/opencode/fixtures/events.ts'
import { newestRequest } from '../../../gateway/fixtures/test-gateway.ts'
import { type HookGateway, made, openHookGateway, wanted } from './fixtures/hook-gateway.ts'

let http: HookGateway
beforeAll(async () => {
  http = await openHookGateway()
})
afterAll(() => http.close())

const denied = (because: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining(because),
  },
})

const allowed = (args: object) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: args },
})

describe('a call of Claude Code', () => {
  it('that the policy allows is none of our business, and on record', async () => {
    const event = wanted({ tool_name: 'Read', tool_input: { file_path: '/srv/shop/a.ts' } })
    const { status, json } = await http.hook(event)
    expect([status, json]).toEqual([200, {}])
    const { items } = await http.setup.store.calls.list({})
    expect(items[0]).toMatchObject({
      tool: 'Read',
      callId: event.tool_use_id,
      submittedBy: 'claude-code@host',
    })
    expect((await http.hook(made(event))).json).toEqual({})
    const { known } = await http.setup.store.lookup(items[0]!.session, event.tool_use_id, '')
    expect(known?.hold).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
  })

  it('that brought more than a call may have is on record as made', async () => {
    const event = wanted({ tool_name: 'Read', tool_input: { file_path: '/srv/shop/large.ts' } })
    await http.hook(event)
    const { items } = await http.setup.store.calls.list({})
    const report = { ...made(event), tool_response: { text: 'x'.repeat(3 * 1024 * 1024) } }
    expect((await http.hook(report)).json).toEqual({})
    const { known } = await http.setup.store.lookup(items[0]!.session, event.tool_use_id, '')
    expect(known?.hold).toMatchObject({ state: 'done', outcome: { kind: 'ok' } })
  })

  it('P5: that is itself too large is denied', async () => {
    const event = wanted({
      tool_name: 'Read',
      tool_input: { file_path: '/srv/x', more: 'x'.repeat(3 * 1024 * 1024) },
    })
    expect((await http.hook(event)).json).toEqual(denied('larger than'))
  })

  it('that the policy denies is denied with the reason', async () => {
    const event = wanted({ tool_name: 'mcp__tracker__close', tool_input: { id: 7 } })
    const { status, json } = await http.hook(event)
    expect([status, json]).toEqual([200, denied('"state":"denied"')])
  })

  it('P3: that a person approves runs with exactly what was approved, and is reported', async () => {
    const event = wanted()
    const answer = http.hook(event)
    const { id, session, agent } = await http.decide({ decision: 'approve' })
    expect(session).toMatch(/^claude-code-[0-9a-f]{32}$/)
    expect(agent).toEqual({ name: 'claude-code', parents: [] })
    expect((await answer).json).toEqual(allowed(event.tool_input))
    expect(await http.stateOf(id)).toBe('running')
    expect((await http.hook(made(event))).json).toEqual({})
    expect(await http.stateOf(id)).toBe('done')
  })

  it('P3: that a person changes runs with the changed arguments, and the model is told', async () => {
    const event = wanted()
    const answer = http.hook(event)
    const edited = { command: 'touch y', description: 'Make a file' }
    await http.decide({ decision: 'edit', arguments: edited })
    const { hookSpecificOutput } = (await answer).json
    expect(hookSpecificOutput).toMatchObject({ permissionDecision: 'allow', updatedInput: edited })
    expect(hookSpecificOutput.additionalContext).toContain('ana changed the arguments of this call')
    // It was told already.
    expect((await http.hook(made(event, { tool_input: edited }))).json).toEqual({})
  })

  it('that a person rejects is denied with their reason', async () => {
    const answer = http.hook(wanted())
    await http.decide({ decision: 'reject', reason: 'not on a Friday' })
    expect((await answer).json).toEqual(denied('ana rejected it: not on a Friday'))
  })

  it('that a person answers does not run, and the model hears the answer', async () => {
    const answer = http.hook(wanted())
    await http.decide({ decision: 'respond', text: 'it is there already' })
    expect((await answer).json).toEqual(denied('ana answered instead, and the tool did not run: it is there'))
  })

  it('that failed is reported as failed', async () => {
    const event = wanted()
    const answer = http.hook(event)
    const { id } = await http.decide({ decision: 'approve' })
    await answer
    await http.hook({ ...claude.postToolUseFailure, tool_use_id: event.tool_use_id })
    expect((await http.setup.store.get(id))?.progress.outcome).toMatchObject({
      kind: 'error',
      summary: 'Exit code 1',
    })
  })

  it('is unknown, and asks nobody, when its session is over without a word of it', async () => {
    const event = wanted({ session_id: 'closed soon' })
    const answer = http.hook(event)
    const { id } = await http.decide({ decision: 'approve' })
    await answer
    expect((await http.hook({ ...claude.sessionEnd, session_id: 'another' })).json).toEqual({})
    expect(await http.stateOf(id)).toBe('running')
    expect((await http.hook({ ...claude.sessionEnd, session_id: 'closed soon' })).json).toEqual({})
    expect(await http.stateOf(id)).toBe('unknown')
  })

  it('is refused, and ends the turn, when a person ends the session', async () => {
    const event = wanted({ session_id: 'to be ended' })
    const answer = http.hook(event)
    await http.decide({ decision: 'terminate', reason: 'enough' })
    const { json } = await answer
    expect(json).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining('ana ended the session: enough'),
    })
    const next = await http.hook(wanted({ session_id: 'to be ended' }))
    expect(next.json).toMatchObject({ continue: false, ...denied('was ended') })
  })

  it('that people have allowed before runs without a question, as approved', async () => {
    const event = wanted({ session_id: 'granted' })
    const answer = http.hook(event)
    await http.decide({ decision: 'approve', scope: 'session' })
    expect((await answer).json).toEqual(allowed(event.tool_input))
    await http.hook(made(event))
    const again = wanted({ session_id: 'granted' })
    expect((await http.hook(again)).json).toEqual(allowed(again.tool_input))
  })
})

describe('the token of a hook', () => {
  it('tells when it was last used, and in which session, at once where that is new', async () => {
    const lastHook = async () => {
      const { items } = (await http.send('GET', '/v1/tokens', { as: 'ana' })).json
      return items.find(({ scope }: { scope?: string }) => scope === 'hooks:codex').lastHook
    }
    const probe = (session_id: string) => http.hook({ ...codex.sessionEnd, session_id }, { agent: 'codex' })
    expect((await probe('probe-1')).json).toEqual({})
    const first = await lastHook()
    expect(first.session).toBe(sessionOf('codex', 'probe-1'))
    await probe('probe-2')
    expect((await lastHook()).session).toBe(sessionOf('codex', 'probe-2'))
    http.setup.clock.jump(59_000)
    const before = (await lastHook()).at
    await probe('probe-2')
    expect((await lastHook()).at).toBe(before)
    http.setup.clock.jump(1000)
    await probe('probe-2')
    expect((await lastHook()).at).not.toBe(before)
  })

  it('P5: a sighting that can not be written changes no answer', async () => {
    const { records } = http.setup.store
    const { get } = records
    records.get = (kind, key) => (kind.endsWith('_seen') ? Promise.reject(new Error('away')) : get(kind, key))
    try {
      const denied = wanted({ tool_name: 'mcp__tracker__close', session_id: 'unseen' })
      expect((await http.hook(denied)).json.hookSpecificOutput.permissionDecision).toBe('deny')
    } finally {
      records.get = get
    }
  })
})

describe('a question of Claude Code', () => {
  it('is answered from elsewhere, by the question’s own words', async () => {
    const event = { ...claude.askUserQuestion, tool_use_id: 'toolu_question' }
    const answer = http.hook(event)
    await http.decide({ decision: 'answer', answers: { q1: { choices: ['Postgres'] } } })
    expect((await answer).json).toEqual(
      allowed({ ...event.tool_input, answers: { 'Which db?': 'Postgres' } }),
    )
  })

  it('that a person declines is denied', async () => {
    const answer = http.hook({ ...claude.askUserQuestion, tool_use_id: 'toolu_declined' })
    await http.decide({ decision: 'reject', reason: 'ask ben' })
    expect((await answer).json).toEqual(denied('ana declined to answer: ask ben'))
  })
})

describe('a prompt of Claude Code itself ("my rules first")', () => {
  const decision = async (answer: Promise<{ json: { hookSpecificOutput: { decision: object } } }>) =>
    (await answer).json.hookSpecificOutput.decision

  it('is answered by a person elsewhere, and found by its arguments when it is reported', async () => {
    const event = { ...claude.permissionRequest, session_id: 'prompts' }
    const answer = http.hook(event)
    const { id } = await http.decide({ decision: 'approve' })
    expect(await decision(answer)).toEqual({ behavior: 'allow', updatedInput: event.tool_input })
    await http.hook(made(event, { tool_use_id: 'toolu_unheard_of' }))
    expect(await http.stateOf(id)).toBe('done')
  })

  it('that was changed is told after the call', async () => {
    const event = { ...claude.permissionRequest, session_id: 'changed prompts' }
    const answer = http.hook(event)
    const edited = { command: 'touch z' }
    await http.decide({ decision: 'edit', arguments: edited })
    expect(await decision(answer)).toEqual({ behavior: 'allow', updatedInput: edited })
    const after = await http.hook(made(event, { tool_input: edited, tool_use_id: 'toolu_7' }))
    expect(after.json.hookSpecificOutput.additionalContext).toContain('ana changed the arguments')
  })

  it('that the policy allows stays with the user', async () => {
    const event = { ...claude.permissionRequest, tool_name: 'Read', tool_input: { file_path: '/srv/shop/a' } }
    expect((await http.hook(event)).json).toEqual({})
  })

  it('is denied in its own form', async () => {
    const answer = http.hook({ ...claude.permissionRequest, session_id: 'refused prompts' })
    await http.decide({ decision: 'reject', reason: 'no' })
    expect(await decision(answer)).toEqual({
      behavior: 'deny',
      message: expect.stringContaining('ana rejected it: no'),
    })
  })
})

describe('a call of Codex', () => {
  it('P3: that was changed runs changed, and the model is told after it', async () => {
    const event = { ...codex.preToolUse, tool_use_id: 'call_edit' }
    const answer = http.hook(event, { agent: 'codex' })
    const edited = { command: 'touch y' }
    await http.decide({ decision: 'edit', arguments: edited })
    expect((await answer).json).toEqual(allowed(edited))
    const after = await http.hook(made(event, { tool_input: edited }), { agent: 'codex' })
    expect(after.json.hookSpecificOutput).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('ana changed the arguments'),
    })
  })

  it('P3: can not be changed where Codex is not known to take it', async () => {
    const event = { ...codex.preToolUseOfMcp, tool_name: 'mcp__tracker__open', tool_use_id: 'call_mcp' }
    const answer = http.hook(event, { agent: 'codex' })
    const { terms, id } = await newestRequest(http.setup)
    expect(terms.allowedDecisions).not.toContain('edit')
    await http.decide({ decision: 'approve' })
    expect((await answer).json).toEqual(allowed(event.tool_input))
    expect(await http.stateOf(id)).toBe('running')
  })
})

describe('a call of opencode', () => {
  it('P3: goes back under its own names', async () => {
    const answer = http.hook({ ...opencode.edit, callID: 'call_edit' }, { agent: 'opencode' })
    const { tool } = await http.decide({ decision: 'approve' })
    expect(tool).toBe('Edit')
    expect((await answer).json).toEqual({ decision: 'allow', args: opencode.edit.args })
  })

  it('P3: is denied and given back when what was approved has no way back', async () => {
    const answer = http.hook(
      { ...opencode.edit, callID: 'call_lost', sessionID: 'ses_lost' },
      { agent: 'opencode' },
    )
    const both = { file_path: '/srv/shop/a.ts', filePath: '/etc/passwd', old_string: 'a', new_string: 'b' }
    const { id } = await http.decide({ decision: 'edit', arguments: both })
    expect((await answer).json).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining("can't be given"),
    })
    expect(await http.stateOf(id)).toBe('approved')
  })
})
