/** What must hold for every agent, whatever its hooks look like. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../core/json/json.ts'
import type { AgentHookAnswer } from './agent-hook-answer.ts'
import { CODING_AGENTS, findCodingAgent } from './agents.ts'
import * as claude from './claude-code/fixtures/events.ts'
import * as codex from './codex/fixtures/events.ts'
import { isUnreadable, type WantedCall } from './hook-event.ts'
import * as opencode from './opencode/fixtures/events.ts'

const WANTED: Record<string, Record<string, JsonValue>> = {
  'claude-code': claude.preToolUse,
  codex: codex.preToolUse,
  opencode: opencode.before,
}

const json = fc.jsonValue().map((value) => value as JsonValue)

describe.each(CODING_AGENTS)('$name', (agent) => {
  const event = WANTED[agent.name]!
  const read = () => agent.read(event) as WantedCall

  it('is found by its name, and nothing else is', () => {
    expect(findCodingAgent(agent.name)).toBe(agent)
    for (const name of ['', 'constructor', `${agent.name} `, agent.name.toUpperCase()])
      expect(findCodingAgent(name)).toBeUndefined()
  })

  it('has a recorded event that it can read', () => {
    expect(read()).toMatchObject({ phase: 'before', agent: agent.name, tool: 'Bash', cwd: '/srv/shop' })
  })

  it('names the session by a hash of its own id, wherever it works', () => {
    const { session } = read()
    expect(session).toMatch(new RegExp(`^${agent.name}-[0-9a-f]{32}$`))
    const elsewhere = { ...event, cwd: 'C:\\work', directory: 'C:\\work' }
    expect(agent.read(elsewhere)).toMatchObject({ session })
    const other = { ...event, session_id: 'another', sessionID: 'another' }
    expect((agent.read(other) as WantedCall).session).not.toBe(session)
  })

  it('P5: reads any JSON without throwing, and lets nothing through that it does not know', () => {
    fc.assert(fc.property(json, (value) => isUnreadable(agent.read(value))))
  })

  it('P5: an event with one member of another kind is refused, or that member says nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(event)), json, (name, value) => {
        const found = agent.read({ ...event, [name]: value })
        if (isUnreadable(found)) return found.because.trim() !== ''
        // What the policy judges is then what the event says.
        if (found.phase !== 'before' && found.phase !== 'asked') return true
        return typeof found.tool === 'string' && typeof found.arguments === 'object'
      }),
    )
  })

  it.each(['.', 'shop', '', '~', './x', '../etc'])('P5: %j is no folder that it could work in', (folder) => {
    expect(isUnreadable(agent.read({ ...event, cwd: folder, directory: folder }))).toBe(true)
  })

  it('P5: an event without one of the members that it needs is refused', () => {
    const needed = Object.keys(event).filter((name) => {
      const { [name]: _, ...rest } = event
      return isUnreadable(agent.read(rest))
    })
    const call = ['tool_name', 'tool_input', 'tool_use_id', 'session_id', 'hook_event_name', 'cwd']
    const own = ['tool', 'args', 'callID', 'sessionID', 'phase', 'directory']
    expect(needed.sort()).toEqual((agent.name === 'opencode' ? own : call).sort())
  })

  it('P5: no two answers that mean different things are the same bytes, in either phase', () => {
    const answers: AgentHookAnswer[] = [
      { kind: 'no_opinion' },
      { kind: 'allow', arguments: { command: 'touch x' } },
      { kind: 'deny', because: 'no' },
    ]
    for (const phase of ['before', 'asked'] as const) {
      const written = answers.map((answer) => JSON.stringify(agent.write(answer, phase)))
      expect(new Set(written).size).toBe(answers.length)
    }
  })

  it.each(['', ' ', '\n\t'])('P5: a deny always has words, even for %j', (because) => {
    for (const phase of ['before', 'asked'] as const)
      expect(JSON.stringify(agent.write({ kind: 'deny', because }, phase))).toContain(
        'Banksman did not allow it, and no reason was given.',
      )
  })

  it('P3: an allow carries the approved arguments', () => {
    const args = { command: 'touch y' }
    expect(JSON.stringify(agent.write({ kind: 'allow', arguments: args }, 'before'))).toContain(
      JSON.stringify(args),
    )
  })
})
