import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { MODES } from '../../core/session.ts'
import type { OwnHouse } from '../built-in-denies/compile-built-in-denies.ts'
import { compilePolicy, lexicalFacts } from '../index.ts'
import type { PolicyBlock } from '../language/language.ts'
import type { JudgedCall } from '../policy.ts'

const ownHouse: OwnHouse = {
  ...{ files: [], folders: [], addresses: [], program: 'banksman' },
  agents: { homes: ['/home/ana'], environment: {} },
}
const BLOCKS: PolicyBlock[] = [
  { mode: 'bypass' },
  { allow: ['*'] },
  { allow: ['Bash', 'exec', 'mcp__*'] },
  { allow: ['Bash(*)', 'Bash(claude *)', 'Bash(npx *)'] },
  { extends: 'banksman:starter', allow: ['*'], mode: 'bypass' },
]
const POLICIES = BLOCKS.map((block) =>
  compilePolicy(block, { ownHouse, roots: ['/space'], home: '/home/ana' }),
)
const RULE = 'built-in: starts an agent'
const tool = (name: string, args: JsonObject): JudgedCall => ({ tool: name, arguments: args, cwd: '/space' })
const bash = (command: string) => tool('Bash', { command })

function verdicts(call: JudgedCall): string[] {
  const found = POLICIES.map((policy) => {
    const { kind, rule } = policy.evaluate(call, lexicalFacts(policy, call, { home: '/home/ana' }))
    return `${kind} ${rule === RULE}`
  })
  return [...new Set(found)]
}

describe('starting a coding agent', () => {
  it.each([
    'claude -p hi',
    'claude',
    'cd sub && claude -p hi > out.txt',
    '/usr/local/bin/claude -p hi',
    './node_modules/.bin/codex exec hi',
    'codex exec "fix it"',
    'opencode run hi',
    'gemini -p hi',
    'qwen -p hi',
    'copilot -p hi',
    'cursor-agent -p hi',
    'kiro-cli chat hi',
    'q chat hi',
    'cline task new hi',
    'goose run -t hi',
    'kimi -c hi',
    'openclaw agent --message hi',
    'npx @anthropic-ai/claude-code -p hi',
    'npx -y @openai/codex@latest exec hi',
    'npx -y -p @openai/codex codex exec hi',
    'npm exec -- @google/gemini-cli -p hi',
    'bunx @openai/codex exec hi',
    'bun x opencode-ai run hi',
    'pnpm dlx opencode-ai run hi',
    'yarn dlx @qwen-code/qwen-code -p hi',
    'uvx kimi-cli',
    'node node_modules/@anthropic-ai/claude-code/cli.js -p hi',
    'timeout 60 claude -p hi',
    'nohup claude -p hi &',
    'bash -c "claude -p hi"',
    'echo hi | claude -p',
    'xargs -I{} claude -p {} < list',
    'unheard-of claude -p hi',
    'docker exec web claude -p hi',
    'tmux new-session -d "claude -p hi"',
    'env FOO=1 claude -p hi',
    '~/.local/share/claude/versions/2.1.325 -p hi',
    '$(which claude) -p hi',
    '"$(command -v codex)" exec hi',
    'c=claude; $c -p hi',
  ])('P11: needs a person whatever is allowed: %s', (command) => {
    expect(verdicts(bash(command))).toEqual(['ask true'])
  })

  it.each([
    'claude --settings x.json -p hi',
    '~/.local/share/claude/versions/2.1.325 --bare -p hi',
    '$(which claude) --bare -p hi',
    'c=codex; "$c" exec --ignore-user-config hi',
    'claude --settings={} -p hi',
    'claude --setting-sources user -p hi',
    'claude -p hi --dangerously-skip-permissions',
    'claude --permission-mode bypassPermissions -p hi',
    'claude --permission-mode=bypassPermissions -p hi',
    'claude --bare -p hi',
    'CLAUDE_CONFIG_DIR=/tmp/x claude -p hi',
    'env CLAUDE_CONFIG_DIR=/tmp/x claude -p hi',
    'export CLAUDE_CONFIG_DIR=/tmp/x; claude -p hi',
    'HOME=/tmp claude -p hi',
    'env -i claude -p hi',
    'unset CLAUDE_CONFIG_DIR; claude -p hi',
    'codex --dangerously-bypass-hook-trust exec hi',
    'codex exec -c features.hooks=false hi',
    'codex exec --config features.hooks=false hi',
    'codex exec -cfeatures.hooks=false hi',
    'codex exec --config=hooks.state={} hi',
    'codex --yolo exec hi',
    'codex --disable hooks exec hi',
    'CODEX_HOME=/tmp/x codex exec hi',
    'opencode --pure run hi',
    'OPENCODE_CONFIG=/tmp/x opencode run hi',
    "OPENCODE_CONFIG_CONTENT='{}' opencode run hi",
    'OPENCODE_PERMISSION="{}" opencode run hi',
    'gemini --yolo -p hi',
    'gemini --approval-mode yolo -p hi',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini -p hi',
    'copilot --allow-all-tools -p hi',
    'COPILOT_HOME=/tmp/x copilot -p hi',
    'qwen -y -p hi',
    'cursor-agent --force -p hi',
    'kiro-cli chat --trust-all-tools hi',
    'GOOSE_MODE=auto goose run -t hi',
    'kimi --config-file x.toml',
    'BANKSMAN_URL=http://x claude -p hi',
    'timeout 9 claude --settings x -p hi',
    'npx @anthropic-ai/claude-code --settings x -p hi',
  ])('P11: is denied where hooks or settings are left out: %s', (command) => {
    expect(verdicts(bash(command))).toEqual(['deny true'])
  })

  it.each([
    'claude --version',
    'codex --help',
    'which claude',
    'npm install -g @anthropic-ai/claude-code',
    'npm view @openai/codex version',
    'grep -r claude src',
    'git commit -m "claude and codex"',
    'git checkout -b codex',
    'echo claude',
    'ls claude codex',
    'cat gemini.md',
    'goose up',
    'goose postgres "x" status',
    'copilot svc deploy',
    'python3 codex.py',
    'npx vitest run codex.test.ts',
    'npm test',
  ])('leaves what starts none as it was: %s', (command) => {
    expect(verdicts(bash(command)).join()).not.toContain('true')
  })

  it('P11: finds starts in the commands of tools that are not known', () => {
    expect(verdicts(tool('mcp__shell__run', { command: 'claude -p hi' }))).toEqual(['ask true'])
    expect(verdicts(tool('mcp__shell__run', { argv: ['codex', 'exec', 'hi'] }))).toEqual(['ask true'])
    expect(verdicts(tool('mcp__shell__run', { command: 'npx', args: ['@openai/codex', 'exec'] }))).toEqual([
      'ask true',
    ])
    expect(verdicts(tool('mcp__shell__run', { command: 'codex --yolo exec' }))).toEqual(['deny true'])
    expect(verdicts(tool('mcp__shell__run', { command: 'codex exec', env: { CODEX_HOME: '/x' } }))).toEqual([
      'deny true',
    ])
    expect(verdicts(tool('mcp__notes__add', { text: 'claude -p hi' })).join()).not.toContain('true')
  })

  it('P11: no mode lets one through, and no grant answers for the next', () => {
    const policy = compilePolicy({ allow: ['*'] }, { ownHouse, roots: ['/space'] })
    for (const mode of MODES)
      expect(policy.evaluate(bash('claude -p hi'), {}, { mode }).kind).not.toBe('allow')
    const about = {
      tool: 'Bash',
      definitionDigest: '',
      createdAt: 0,
      createdBy: 'ana',
      requestId: 'r',
      uses: 0,
    }
    const grant = {
      id: 'g',
      ...about,
      rules: [RULE, 'mode: default'],
      match: { kind: 'exact', digest: 'd' } as const,
    }
    expect(policy.cover(bash('claude -p hi'), 'd', [grant], {})).toBeUndefined()
    expect(policy.matches(grant.match, bash('claude -p hi'), 'd', {})).toBe(false)
  })

  it('says what it is about, and offers no answer for later', () => {
    const policy = compilePolicy({ mode: 'bypass' }, { ownHouse, roots: ['/space'] })
    const verdict = policy.evaluate(bash('codex exec hi'))
    expect(verdict.because).toBe(
      'Needs approval: it starts Codex, and what that does is not part of this call.',
    )
    expect(verdict.kind === 'ask' && verdict.terms.scopes).toEqual(['once'])
    expect(policy.evaluate(bash('codex --yolo exec hi')).because).toBe(
      'Denied: `codex --yolo exec hi` starts Codex with `--yolo`, which can leave out its hooks or settings. No rule, mode, grant or person can allow that. Start it without that.',
    )
  })
})
