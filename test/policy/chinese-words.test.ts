/** What the policy says of a call, in every language. The reasons are made here by the policy itself. */
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../src/core/grants/grant.ts'
import { ENGLISH, sayInEnglish, told as toldFor } from '../../src/core/reasons/english.ts'
import { sayReason } from '../../src/display/reasons/say-reason.ts'
import { grantReason } from '../../src/gateway/grants/grant-sentence.ts'
import { compilePolicy, lexicalFacts, MODES, type PolicyBlock } from '../../src/policy/index.ts'

const options = {
  roots: ['/space'],
  home: '/home/ana',
  tools: { notes: { kind: 'edit', path: '/file' }, get_issue: { kind: 'read' } },
  ownHouse: {
    files: ['/space/banksman.yaml'],
    folders: ['/space/.banksman'],
    addresses: ['127.0.0.1:4790'],
    program: 'banksman',
  },
} as const

const edit = (file_path: string) => ({ tool: 'Edit', arguments: { file_path }, cwd: '/space' })
const bash = (command: string) => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })

const BLOCKS: Record<string, PolicyBlock> = {
  nothing: {},
  starter: { extends: 'banksman:starter' },
  lists: {
    deny: ['drop_*', 'Bash(rm *)'],
    ask: ['send_*', 'Bash(git push *)', 'send_mail'],
    allow: ['read_*', 'Bash(git *)', 'Bash(ls *)', 'Bash(echo *)', 'Read(./**)', 'look'],
  },
  rules: {
    rules: [
      { name: 'secret paths', when: { tool: '*', path: './secret/**' }, then: 'deny' },
      { name: 'hosts', when: { tool: 'WebFetch', host: 'example.com' }, then: 'ask' },
    ],
  },
  hosts: {
    deny: ['WebFetch(domain:evil.example)'],
    ask: ['WebFetch(good.example)', 'WebFetch(domain:npmjs.org)'],
  },
  network: { rules: [{ name: 'any host', when: { kind: 'network' }, then: 'ask' }] },
}

const CALLS = [
  { tool: 'look', arguments: {} },
  { tool: 'drop_table', arguments: {} },
  { tool: 'send_mail', arguments: { to: 'ana' } },
  { tool: 'read_file', arguments: { path: 'a.txt' }, cwd: '/space' },
  { tool: 'Read', arguments: { file_path: 'src/a.ts' }, cwd: '/space' },
  { tool: 'Read', arguments: { file_path: 'src/a.ts' } },
  { tool: 'Read', arguments: { file_path: '/etc/passwd' }, cwd: '/space' },
  { tool: 'Read', arguments: { file_path: 'src/a.ts', path: '/etc/passwd' }, cwd: '/space' },
  { tool: 'Read', arguments: { file_path: ['src/a.ts'] }, cwd: '/space' },
  { tool: 'Bash', arguments: { command: 'ls', tty: true }, cwd: '/space' },
  { tool: 'notes', arguments: { file: 'a.md' }, cwd: '/space' },
  { tool: 'get_issue', arguments: { number: 7 } },
  { tool: 'WebFetch', arguments: { url: 'https://example.com/a' } },
  { tool: 'x\u0007y', arguments: {} },
  { tool: 'write_file', arguments: { path: 'banksman.yaml' }, cwd: '/space' },
  { tool: 'anything', arguments: { to: 'http://127.0.0.1:4790/v1/tokens' } },
  { tool: 'anything', arguments: { line: 'banksman trust --yes' } },
  { tool: 'look', arguments: {}, cwd: '/space/.banksman' },
  bash('banksman trust'),
  bash('cat .banksman/agent-token'),
  bash('curl http://127.0.0.1:4790/'),
  bash('echo x > banksman.yaml'),
  bash('cat /proc/self/cwd/.banksman/x'),
  bash('cat /proc/7/fd/9'),
  bash('cat /proc/7/mem'),
  bash('grep -r x .'),
  { tool: 'Read', arguments: { file_path: '/proc/self/fd/9' }, cwd: '/space' },
  { tool: 'Grep', arguments: { pattern: 'x' }, cwd: '/space' },
  { tool: 'look', arguments: {}, cwd: '/proc/self/cwd/.banksman' },
  ...[
    'git status',
    'git push origin main',
    'git status; rm -rf /',
    'sudo rm -rf /',
    'ls && echo $X',
    'cat "$X"',
    'rm "$X"',
    'echo hi > out.txt',
    'echo hi > /tmp/out.txt',
    'git log | tee x',
    'unknown-program --now',
    './build/run',
    'PATH=/tmp ls',
    'python -c "print(1)"',
    'eval "$X"',
    '$X --now',
    'echo "unfinished',
    'ls\u0007',
    'cat < /dev/tcp/host/80',
    'alias ls=rm; ls',
    'echo $' + '{v@P}',
    'timeout --strange 3 ls',
    'xargs rm',
    'cat /etc/passwd',
    'cat *.txt',
    'npm test',
    'dd if=/dev/zero of=/dev/sda',
    'git -C /tmp status',
    'find . -exec rm {} ;',
    'gh config get oauth_token',
    'curl evil.example',
    'curl good.example',
    'curl -K settings',
    'curl "$X"',
    'curl http:/evil.example',
    'git remote add o https://evil.example/x',
    'npm install',
    'apt-get install x',
    'ls && printenv',
  ].map(bash),
]

const cases = Object.entries(BLOCKS).flatMap(([name, block]) => {
  const policy = compilePolicy(block, options)
  return CALLS.flatMap((call) =>
    [...MODES, 'nonsense'].map((mode) => {
      const facts = lexicalFacts(policy, call, { home: '/home/ana' })
      return {
        name: `${name}, ${mode}, ${JSON.stringify(call.arguments)}`,
        tool: call.tool,
        policy,
        explanation: policy.explain(call, facts, { mode }),
      }
    }),
  )
})

/** What is left when names, what is quoted and what is known by its own name are taken away. */
function leftover(text: string): string {
  return text.replaceAll(/`+[^`]*`+/gu, '').replaceAll(/\b(?:Banksman|dontAsk|shell)\b|\/[\w./-]*/gu, '')
}

function isChinese(said: string): boolean {
  return /\p{Script=Han}/u.test(said) && !/[a-z]{3,} [a-z]{2,} [a-z]/.test(leftover(said))
}

/** Everything that the policy says of these calls. */
const told = cases.flatMap(({ explanation: { verdict, commands = [], doubts = [] } }) => [
  verdict,
  ...(verdict.kind === 'ask' && verdict.terms.risk !== undefined ? [toldFor(verdict.terms.risk)] : []),
  ...commands,
  ...doubts,
])

describe('why, in every language', () => {
  it('everything has a reason, and its sentence is made of it', () => {
    expect(new Set(told.map(({ because }) => because)).size).toBeGreaterThan(200)
    for (const one of told) expect(one.because).toBe(sayInEnglish(one.reason!))
  })

  it('says in Chinese what it says in English', () => {
    const said = new Map(told.map((one) => [one.because, sayReason(one, 'zh')]))
    expect([...said].filter(([, chinese]) => !isChinese(chinese))).toEqual([])
  })

  it('no Chinese sentence is made from the English one', () => {
    const before = told.map((one) => sayReason(one, 'zh'))
    const messages = { ...ENGLISH } as Record<string, string>
    try {
      for (const code in ENGLISH) (ENGLISH as Record<string, string>)[code] = 'garbage'
      const garbled = told.map((one) => ({ ...one, because: 'garbage' }))
      expect(garbled.map((one) => sayReason(one, 'zh'))).toEqual(before)
    } finally {
      Object.assign(ENGLISH, messages)
    }
  })

  it('what others wrote stands as it is written', () => {
    const policy = compilePolicy({
      reason: '{tool} needs a person',
      rules: [
        { name: 'mine', when: { tool: 'a' }, then: 'deny', reason: 'Needs approval: {why}' },
        { name: 'yours', when: { tool: 'b' }, then: 'ask', reason: 'ask Ben first' },
        { name: 'ours', when: { tool: 'b' }, then: 'ask', reason: 'and Ana' },
      ],
    })
    const said = (tool: string) => sayReason(policy.evaluate({ tool, arguments: {} }), 'zh')
    expect(said('a')).toBe('已禁止：Needs approval: {why}')
    expect(said('b')).toBe('ask Ben first；and Ana')
    expect(said('c')).toBe('c needs a person')
  })

  it('P9: a tool whose name is one of our sentences stays between its quotes', () => {
    const tool = 'x` is on the allow list. `y'
    const verdict = compilePolicy({}).evaluate({ tool, arguments: {} })
    expect(verdict.because).toBe("Needs approval: `` x` is on the allow list. `y `` isn't on the allow list.")
    expect(sayReason(verdict, 'zh')).toBe('需要审批：`` x` is on the allow list. `y `` 不在允许名单中。')
  })
})

describe('what a grant lets through, in Chinese', () => {
  const suggested = [
    ...CALLS.filter(({ tool }) => !tool.includes('\u0007')),
    { tool: 'deploy', arguments: { environment: 'staging', count: 3 } },
    bash('git diff a.txt; git log'),
    { tool: 'WebFetch', arguments: { url: 'https://example.com/a' } },
    { tool: 'Edit', arguments: { file_path: 'a.ts' }, cwd: '/space' },
    { tool: 'Edit', arguments: { file_path: 'src/deep/a.ts' }, cwd: '/space' },
  ].flatMap((call) => {
    const policy = compilePolicy({}, { roots: options.roots, home: options.home })
    const facts = lexicalFacts(policy, call, { home: '/home/ana' })
    return policy.suggest(call, 'd', facts).map((suggestion) => ({ ...suggestion, tool: call.tool }))
  })

  it('every suggestion of every width', () => {
    expect(new Set(suggested.map(({ width }) => width))).toEqual(
      new Set(['call', 'shape', 'argument', 'tool']),
    )
    for (const { words, reason, match } of suggested) {
      expect(sayInEnglish(reason!)).toBe(words)
      if (match.kind === 'when') expect(match).toMatchObject({ words, reason })
    }
  })

  it.each([
    [
      bash('git add a.txt; git commit -m x'),
      'shape',
      '`git add *`、`git commit -m *`：星号处可为任何参数，路径限于工作区内',
    ],
    [edit('src/deep/a.ts'), 'path', 'Edit：./src/deep/a.ts'],
    [edit('src/deep/a.ts'), 'folder', 'Edit：./src/deep 内的任何文件'],
    [edit('a.ts'), 'folder', 'Edit：工作区内的任何文件'],
    [edit('a.ts'), 'call', '仅限此调用：参数和工作目录都相同'],
    [{ tool: 'WebFetch', arguments: { url: 'https://a.example/x' } }, 'shape', 'WebFetch：访问 a.example'],
    [
      { tool: 'WebSearch', arguments: { query: 'x' } },
      'argument:/query',
      'WebSearch：query: "x"，其余参数不限',
    ],
    [{ tool: 'deploy', arguments: { to: 'x' } }, 'tool', 'deploy，任何参数'],
  ])('%j: %s', (call, id, chinese) => {
    const policy = compilePolicy({}, { roots: options.roots, home: options.home })
    const suggestions = policy.suggest(call, 'd', lexicalFacts(policy, call, { home: '/home/ana' }))
    const found = suggestions.find((one) => one.id === id)
    expect(found && sayReason({ because: found.words, reason: found.reason! }, 'zh')).toBe(chinese)
  })

  it('and the sentence of a call that a grant let through', () => {
    const reason = { code: 'grant.tool', values: { tool: 'Edit' } }
    const grant: Grant = {
      id: 'g1',
      tool: 'Edit',
      definitionDigest: '',
      rules: [],
      match: { kind: 'when', when: { tool: 'Edit' }, words: 'Edit with any arguments', reason },
      createdAt: 0,
      createdBy: 'ana',
      requestId: 'r1',
      uses: 1,
    }
    const both = (...parts: Partial<Grant>[]) => {
      const told = toldFor(
        grantReason(
          parts.map((one) => ({ ...grant, ...one })),
          's1',
        ),
      )
      return [told.because, sayReason(told, 'zh')]
    }
    expect(both({})).toEqual([
      'Allowed: ana approved Edit with any arguments, in every session, on 1970-01-01 00:00 UTC.',
      '已允许：ana 于 1970-01-01 00:00 UTC 批准：Edit，任何参数，在所有会话中。',
    ])
    expect(both({ session: 's1', usesLeft: 2, expiresAt: 60_000 })[1]).toBe(
      '已允许：ana 于 1970-01-01 00:00 UTC 批准：Edit，任何参数，在本次会话中，有效期至 1970-01-01 00:01 UTC，限 3 次。',
    )
    const exact: Partial<Grant> = { session: 's0', match: { kind: 'exact', digest: 'd' } }
    expect(both(exact, { usesLeft: 0 })).toEqual([
      'Allowed: ana approved exactly this call, in session s0 and what it starts, on 1970-01-01 00:00 UTC; ana approved Edit with any arguments, in every session, for one call, on 1970-01-01 00:00 UTC.',
      '已允许：ana 于 1970-01-01 00:00 UTC 批准：仅限此调用，在会话 s0 及其启动的会话中；ana 于 1970-01-01 00:00 UTC 批准：Edit，任何参数，在所有会话中，限一次。',
    ])
    // One that an earlier version left has its English words alone.
    const old: Partial<Grant> = { match: { kind: 'when', when: {}, words: 'Edit of ./a' } }
    expect(both(old)[1]).toContain('批准：Edit of ./a，在所有会话中')
  })
})
