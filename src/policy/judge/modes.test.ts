import { describe, expect, it } from 'vitest'
import { MODES } from '../../core/session.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'
import type { JudgedCall } from '../policy.ts'

const roots = ['/space']
const tools = { get_issue: { kind: 'read' }, notes: { kind: 'edit', path: '/file' } }

function judge(block: PolicyBlock, call: JudgedCall, mode?: string): string {
  const policy = compilePolicy(block, { roots, home: '/home/ana', tools })
  return policy.evaluate(call, lexicalFacts(policy, call, { home: '/home/ana' }), { mode }).kind
}

const calls: Record<string, JudgedCall> = {
  'reads inside': { tool: 'Read', arguments: { file_path: 'src/a.ts' }, cwd: '/space' },
  'reads outside': { tool: 'Read', arguments: { file_path: '/etc/passwd' }, cwd: '/space' },
  'reads no file': { tool: 'get_issue', arguments: { number: 7 } },
  'edits inside': { tool: 'Edit', arguments: { file_path: 'src/a.ts' }, cwd: '/space' },
  'edits outside': { tool: 'Edit', arguments: { file_path: '../a.ts' }, cwd: '/space' },
  'edits with a tool of its own': { tool: 'notes', arguments: { file: 'a.md' }, cwd: '/space' },
  'shell, only reads': { tool: 'Bash', arguments: { command: 'git status && cat src/a.ts' }, cwd: '/space' },
  'shell, reads outside': { tool: 'Bash', arguments: { command: 'cat /etc/passwd' }, cwd: '/space' },
  'shell, reads and writes': { tool: 'Bash', arguments: { command: 'cat src/a.ts > b' }, cwd: '/space' },
  'shell, runs': { tool: 'Bash', arguments: { command: 'npm test' }, cwd: '/space' },
  network: { tool: 'WebFetch', arguments: { url: 'https://example.com' } },
  unknown: { tool: 'deploy', arguments: { path: 'src/a.ts' }, cwd: '/space' },
}

describe('modes', () => {
  it('do to an unmatched call what the reference says', () => {
    const table = Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        MODES.map((mode) => judge({ mode }, call)).join(' '),
      ]),
    )
    // default acceptEdits plan dontAsk bypass
    expect(table).toEqual({
      'reads inside': 'ask ask allow deny allow',
      'reads outside': 'ask ask deny deny allow',
      'reads no file': 'ask ask allow deny allow',
      'edits inside': 'ask allow deny deny allow',
      'edits outside': 'ask ask deny deny allow',
      'edits with a tool of its own': 'ask allow deny deny allow',
      'shell, only reads': 'ask ask allow deny allow',
      'shell, reads outside': 'ask ask deny deny allow',
      'shell, reads and writes': 'ask ask deny deny allow',
      'shell, runs': 'ask ask deny deny allow',
      network: 'ask ask deny deny allow',
      unknown: 'ask ask deny deny allow',
    })
  })

  it('P5: a session mode takes the place of the policy mode, and an unknown one denies', () => {
    expect(judge({ mode: 'bypass' }, calls.unknown!, 'dontAsk')).toBe('deny')
    expect(judge({ mode: 'dontAsk' }, calls['edits inside']!, 'acceptEdits')).toBe('allow')
    expect(judge({ mode: 'bypass' }, calls.unknown!, 'acceptedits')).toBe('deny')
  })

  it('P5: no mode lifts a deny or an ask', () => {
    for (const mode of MODES) {
      for (const [name, call] of Object.entries(calls)) {
        expect(judge({ mode, deny: ['*'] }, call), `${mode} ${name}`).toBe('deny')
        expect(judge({ mode, ask: ['*'], allow: ['*'] }, call), `${mode} ${name}`).toBe('ask')
        expect(judge({ mode, ask: ['*'] }, call), `${mode} ${name}`).not.toBe('allow')
      }
    }
  })

  it('acceptEdits lets a command write inside the roots where the command itself is allowed', () => {
    const block: PolicyBlock = { mode: 'acceptEdits', allow: ['Bash(echo *)'] }
    const bash = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })
    expect(judge(block, bash('echo x > out.txt'))).toBe('allow')
    expect(judge(block, bash('echo x >> /space/sub/out.txt 2>/dev/null'))).toBe('allow')
    expect(judge(block, bash('echo x > /etc/cron.d/x'))).toBe('ask')
    expect(judge(block, bash('echo x > ../out.txt'))).toBe('ask')
    expect(judge(block, bash('echo x > $OUT'))).toBe('ask')
    expect(judge({ ...block, mode: 'default' }, bash('echo x > out.txt'))).toBe('ask')
    expect(judge({ ...block, deny: ['Edit(./out.txt)'] }, bash('echo x > out.txt'))).toBe('deny')
    expect(
      judge({ ...block, mode: 'default', allow: ['Bash(echo *)', 'Edit(./out/**)'] }, bash('echo x > out/a')),
    ).toBe('allow')
  })

  it('P5: an edit whose path is not known to be inside is not accepted', () => {
    const policy = compilePolicy({ mode: 'acceptEdits' }, { roots, tools })
    const edit = calls['edits inside']!
    expect(policy.evaluate(edit).kind).toBe('ask')
    expect(policy.evaluate({ tool: 'Edit', arguments: {}, cwd: '/space' }).kind).toBe('ask')
    expect(policy.evaluate({ tool: 'Edit', arguments: { file_path: 7 }, cwd: '/space' }).kind).toBe('ask')
    expect(
      compilePolicy({ mode: 'acceptEdits' }).evaluate(edit, {
        paths: { '/file_path': { resolved: '/x', exists: true } },
      }).kind,
    ).toBe('ask')
  })

  it('P5: what a tool says of itself only narrows', () => {
    const hinted = (tool: string, annotations: object, args = {}) => {
      const policy = compilePolicy({ mode: 'plan' }, { roots, tools })
      const call = { tool, arguments: args, cwd: '/space', definition: { annotations } }
      return policy.evaluate(call, lexicalFacts(policy, call)).kind
    }
    expect(hinted('mystery', { readOnlyHint: true })).toBe('deny')
    expect(hinted('get_issue', {})).toBe('allow')
    expect(hinted('get_issue', { readOnlyHint: true, destructiveHint: false })).toBe('allow')
    expect(hinted('get_issue', { readOnlyHint: false })).toBe('deny')
    expect(hinted('get_issue', { destructiveHint: true })).toBe('deny')
  })
})
