import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import type { Facts } from '../../core/verdict.ts'
import type { OwnHouse } from '../built-in-denies/compile-built-in-denies.ts'
import { compilePolicy, lexicalFacts } from '../index.ts'
import type { PolicyBlock } from '../language/language.ts'
import type { JudgedCall } from '../policy.ts'
import denied from './fixtures/denied-lines.json' with { type: 'json' }
import passed from './fixtures/passed-lines.json' with { type: 'json' }

const ownHouse: OwnHouse = {
  files: [],
  folders: ['/opt/ana/.config/banksman'],
  addresses: [],
  program: 'banksman',
  agents: {
    homes: ['/home/ana'],
    environment: { CODEX_HOME: '/srv/codex', OPENCODE_CONFIG: '/srv/oc.json' },
  },
}
const options = { ownHouse, roots: ['/space'], home: '/home/ana' }
const policyOf = (block: PolicyBlock) => compilePolicy(block, options)
/** All that a policy can say in favour of a call. */
const POLICIES = [
  policyOf({ mode: 'bypass' }),
  policyOf({ allow: ['*'] }),
  policyOf({ allow: ['Bash(*)', 'Edit(/**)', 'Write(/**)', 'apply_patch', 'mcp__*'] }),
  policyOf({ extends: 'banksman:starter', allow: ['*'] }),
]
const RULE = 'built-in: agent files'

function rules(call: JudgedCall, facts?: Facts): (string | undefined)[] {
  const found = POLICIES.map((policy) => {
    const verdict = policy.evaluate(call, facts ?? lexicalFacts(policy, call, { home: '/home/ana' }))
    return verdict.kind === 'deny' ? verdict.rule : undefined
  })
  return [...new Set(found)]
}
const bash = (command: string, cwd = '/space'): JudgedCall => ({ tool: 'Bash', arguments: { command }, cwd })
const tool = (name: string, args: JsonObject, cwd = '/space'): JudgedCall => ({
  tool: name,
  arguments: args,
  cwd,
})

describe('files that coding agents take hooks, plugins, trust, rules and MCP servers from', () => {
  it.each(denied)('P11: no line changes one: %s', (command) => {
    expect(rules(bash(command))).toEqual([RULE])
    expect(POLICIES.map((policy) => policy.evaluate(bash(command)).rule)).toEqual(POLICIES.map(() => RULE))
  })

  it.each(passed)(
    'what only reads one, speaks of one, or is about another file is left to the policy: %s',
    (command) => {
      expect(rules(bash(command))).not.toContain(RULE)
    },
  )

  it.each([
    '.claude/settings.json',
    './.claude/settings.local.json',
    '/space/packages/a/.claude/settings.json',
    '/home/ana/.claude/settings.json',
    '/mnt/x/.claude.json',
    '~/.claude/plugins/x/plugin.json',
    '.CLAUDE/Settings.json',
    'src/../.claude/hooks/a.sh',
    '.mcp.json',
    '/etc/claude-code/managed-settings.json',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
    'C:\\ProgramData\\ClaudeCode\\managed-settings.json',
    '.codex/config.toml',
    '/home/ana/.codex/hooks.json',
    '/home/ana/.codex/rules/default.rules',
    '/etc/codex/requirements.toml',
    '/srv/codex/config.toml',
    '/srv/oc.json',
    'opencode.json',
    'opencode.jsonc',
    '.opencode/plugins/a.js',
    '.opencode/plugin/a.ts',
    '/home/ana/.config/opencode/opencode.json',
    '/home/ana/.config/opencode/plugins/a.js',
    '/etc/opencode/opencode.json',
  ])('P11: no tool writes %s', (path) => {
    for (const call of [
      tool('Write', { file_path: path, content: 'x' }),
      tool('Edit', { file_path: path, old_string: 'a', new_string: 'b' }),
      tool('write_file', { path, content: 'x' }),
      tool('mcp__fs__write', { path, content: 'x' }),
      tool('mcp__fs__move_file', { source: 'a.json', destination: path }),
      tool('mcp__fs__many', { files: [{ name: 'a' }, { name: path }] }),
      tool('mcp__fs__map', { files: { [path]: { text: 'x' } } }),
      tool('apply_patch', { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` }),
    ])
      expect(rules(call), JSON.stringify(call)).toEqual([RULE])
  })

  it('P11: a patch may neither add, delete nor move one, nor may a tool remove the folder around it', () => {
    for (const call of [
      tool('apply_patch', {
        patch: '*** Begin Patch\n*** Delete File: .claude/settings.json\n*** End Patch',
      }),
      tool('apply_patch', {
        patch: '*** Begin Patch\n*** Update File: a.json\n*** Move to: .mcp.json\n@@\n*** End Patch',
      }),
      tool('apply_patch', {
        command: '*** Begin Patch\n*** Add File: .codex/config.toml\n+x\n*** End Patch',
      }),
      tool('mcp__fs__delete_directory', { path: '.claude' }),
      tool('mcp__fs__delete_directory', { path: '/home/ana' }),
      tool('mcp__fs__move', { source: '.opencode', to: 'x' }),
      tool('mcp__fs__write', { root: '/space/.claude', path: 'settings.json' }),
      tool('mcp__fs__write', { path: 'settings.json' }, '/space/.claude'),
      tool('mcp__shell__run', { command: 'echo x > .claude/settings.json' }),
      tool('mcp__shell__run', { argv: ['rm', '/home/ana/.codex/config.toml'] }),
    ])
      expect(rules(call), JSON.stringify(call)).toEqual([RULE])
  })

  it('P11: a link is what it leads to', () => {
    const call = bash('echo x > notes.json')
    expect(
      rules(call, { folder: '/space', words: { 'notes.json': '/home/ana/.claude/settings.json' } }),
    ).toEqual([RULE])
    const write = tool('Write', { file_path: 'notes.json', content: '' })
    const facts: Facts = {
      paths: { '/file_path': { resolved: '/space/.claude/settings.json', exists: true } },
    }
    expect(rules(write, facts)).toEqual([RULE])
  })

  it('leaves instructions, other files and texts for readers to the policy', () => {
    for (const call of [
      tool('Write', { file_path: 'CLAUDE.md', content: 'See .claude/settings.json' }),
      tool('Write', { file_path: '.claude/agents/review.md', content: 'x' }),
      tool('Write', { file_path: '.claude/skills/a/SKILL.md', content: 'x' }),
      tool('Write', { file_path: 'AGENTS.md', content: 'x' }),
      tool('Write', { file_path: '.opencode/agent/a.md', content: 'x' }),
      tool('Write', { file_path: 'config/settings.json', content: '{}' }),
      tool('Write', { file_path: '.vscode/settings.json', content: '{}' }),
      tool('Write', { file_path: 'docs/hooks.md', content: 'Put this into ~/.claude/settings.json:\n{}' }),
      tool('Edit', { file_path: 'a.md', old_string: '.claude/settings.json', new_string: 'x .mcp.json' }),
      tool('Read', { file_path: '.claude/settings.json' }),
      tool('WebSearch', { query: 'where is .claude/settings.json' }),
      tool('ExitPlanMode', { plan: 'Then I would edit .claude/settings.json by hand' }),
      tool('apply_patch', {
        input: '*** Begin Patch\n*** Update File: docs/a.md\n@@\n+See .claude/settings.json\n*** End Patch',
      }),
      tool('mcp__fs__write', { path: 'settings.json' }),
    ])
      expect(rules(call), JSON.stringify(call)).not.toContain(RULE)
  })

  it('P11: a grant lifts none of it', () => {
    const policy = policyOf({ ask: ['*'] })
    const about = {
      tool: 'Bash',
      definitionDigest: '',
      createdAt: 0,
      createdBy: 'ana',
      requestId: 'r',
      uses: 0,
    }
    const rules = ['ask: "*"', 'mode: default', RULE]
    const grant = { id: 'g', ...about, rules, match: { kind: 'exact', digest: 'd' } } as const
    const call = bash('rm .claude/settings.json')
    expect(policy.cover(bash('npm test'), 'd', [{ ...grant, rules: [...rules] }], {})).toHaveLength(1)
    expect(policy.cover(call, 'd', [{ ...grant, rules: [...rules] }], {})).toBeUndefined()
    expect(policy.matches(grant.match, call, 'd', {})).toBe(false)
  })

  it('says what the file is and what a person can do', () => {
    const verdict = policyOf({ mode: 'bypass' }).evaluate(bash('rm .claude/settings.json'))
    expect(verdict.because).toBe(
      'Denied: `rm .claude/settings.json` names `.claude/settings.json`. Claude Code takes its hooks from there, and no rule, mode, grant or person can let a call change that. If it has to change, edit it yourself.',
    )
  })

  it("P11: Banksman's own folder in the home folder is not even read", () => {
    for (const command of ['cat /opt/ana/.config/banksman/token', 'ls /opt/ana/.config/banksman'])
      expect(rules(bash(command))).toEqual(['built-in: own files'])
  })
})
