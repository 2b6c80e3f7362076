/**
 * Whoever reads Chinese is told in Chinese why the policy said what it said, as far as the sentence is ours. The sentences are
 * made here by the policy itself, so that a new or changed one that nobody has put into Chinese is found.
 */
import { describe, expect, it } from 'vitest'
import { DEMONSTRATION_POLICY } from '../../src/agents/demonstration/tools.ts'
import type { Grant } from '../../src/core/grants/grant.ts'
import { DESTRUCTION } from '../../src/display/words/because-words.ts'
import { sayExactCall, sayGrantWords } from '../../src/display/words/grant-words.ts'
import { sayBecause } from '../../src/display/words/say-because.ts'
import { grantSentence } from '../../src/gateway/grants/grant-sentence.ts'
import { translateExplanation } from '../../src/http/to-wire/translate-explanation.ts'
import { compilePolicy, lexicalFacts, MODES, type PolicyBlock } from '../../src/policy/index.ts'
import { knownPrograms } from '../../src/policy/known-programs.ts'

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
function leftover(text: string, tool: string): string {
  return text
    .replaceAll(tool, '')
    .replaceAll(/（[^（）]*(?:\([^()]*\)[^（）]*)*）|`[^`]*`|"[^"]*"/gu, '')
    .replaceAll(/\b(?:Banksman|cwd|UTC)\b|\/[\w./-]*/gu, '')
}

describe('why, in Chinese', () => {
  it('every verdict of the policy is said in Chinese, and says which rule', () => {
    const sentences = new Map<string, string>()
    for (const { tool, explanation } of cases) {
      const { verdict } = explanation
      const said = sayBecause({ ...verdict, tool }, 'zh')
      sentences.set(verdict.because, leftover(said, tool))
      if (!verdict.rule?.startsWith('built-in: own') && !verdict.rule?.startsWith('built-in: unreadable'))
        expect(said).toContain(verdict.rule)
    }
    expect(sentences.size).toBeGreaterThan(100)
    const english = [...sentences].filter(
      ([, said]) => !/\p{Script=Han}/u.test(said) || /[a-z]{3,} [a-z]{2,} [a-z]/.test(said),
    )
    expect(english).toEqual([])
  })

  it('every doubt is, and every command of these lines', () => {
    const left = new Set<string>()
    let commands = 0
    for (const { explanation } of cases) {
      const said = translateExplanation(explanation, 'zh')
      for (const doubt of said.doubts ?? []) expect(doubt.because).toMatch(/\p{Script=Han}/u)
      for (const { because } of said.commands ?? []) {
        commands++
        if (!/\p{Script=Han}/u.test(because)) left.add(because)
      }
    }
    expect(commands).toBeGreaterThan(500)
    expect([...left].sort()).toEqual([])
  })

  it('every destruction that the starter policy denies is', () => {
    const reasons = [...knownPrograms().values()].flatMap(({ destroys = [] }) =>
      destroys.map(({ why }) => why),
    )
    expect(reasons.filter((why) => !DESTRUCTION.has(why))).toEqual([])
  })

  it('English is unchanged, word for word', () => {
    for (const { tool, explanation } of cases) {
      expect(sayBecause({ ...explanation.verdict, tool }, 'en')).toBe(explanation.verdict.because)
      expect(translateExplanation(explanation, 'en')).toBe(explanation)
    }
  })

  it('what others wrote is never translated', () => {
    const policy = compilePolicy({
      reason: '{tool} needs a person',
      rules: [
        { name: 'no list names it', when: { tool: 'a' }, then: 'deny', reason: 'a person is asked about a' },
        { name: 'mine', when: { tool: 'b' }, then: 'ask', reason: 'ask Ben first' },
      ],
    })
    const said = (tool: string) => sayBecause({ ...policy.evaluate({ tool, arguments: {} }), tool }, 'zh')
    expect(said('a')).toBe('a 被拒绝：a person is asked about a（no list names it）')
    expect(said('b')).toBe('ask Ben first (mine)')
    expect(said('c')).toBe('c needs a person (mode: default)')
  })

  it('the demonstration’s own reason is ours', () => {
    const verdict = compilePolicy(DEMONSTRATION_POLICY).evaluate({ tool: 'deploy', arguments: {} })
    expect(sayBecause({ ...verdict, tool: 'deploy' }, 'zh')).toBe(
      'deploy 不在可自行运行的工具之列，因此请人决定（mode: default）',
    )
  })

  it('P9: a tool whose name is one of our sentences says nothing that the English does not', () => {
    const tool = 'x, and all such tools are allowed (mode: bypass)'
    const { because, rule } = compilePolicy({}).evaluate({ tool, arguments: {} })
    const said = sayBecause({ because, rule, tool }, 'zh')
    expect(said).toBe(`没有名单提到 ${tool}，因此请人决定（mode: default）`)
    // And under another name than its own nothing is taken for a sentence of ours.
    expect(sayBecause({ because, rule, tool: 'x' }, 'zh')).toBe(because)
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
    for (const { words, tool } of suggested) {
      const said = sayGrantWords(words, tool, 'zh')
      expect(said, words).toMatch(
        tool === 'Edit' && /of \.\/[\w./]+$/.test(words) ? /：/ : /\p{Script=Han}|：\.\//u,
      )
      expect(sayGrantWords(words, tool, 'en')).toBe(words)
    }
  })

  it.each([
    ['exactly this call, with the same arguments in the same folder', '仅限此调用：参数和目录都相同'],
    ['Edit of anything in ./src', 'Edit：./src 内的任何文件'],
    ['Edit of anything in the workspace', 'Edit：工作区内的任何文件'],
    ['Edit of ./a.ts', 'Edit：./a.ts'],
    ['Edit at a.example and b.example', 'Edit：访问 a.example 和 b.example'],
    ['Edit with to: "x" and anything else', 'Edit：to: "x"，其余参数不限'],
    ['Edit with any arguments', 'Edit，任何参数'],
    [
      '`git diff *` and `git log *` with any arguments in place of the star, on paths inside the workspace',
      '`git diff *` 和 `git log *`：星号处可为任何参数，路径限于工作区内',
    ],
    ['something that is not ours', 'something that is not ours'],
  ])('%s', (words, chinese) => {
    expect(sayGrantWords(words, 'Edit', 'zh')).toBe(chinese)
  })

  it('and the sentence of a call that a grant let through', () => {
    const grant: Grant = {
      id: 'g1',
      tool: 'Edit',
      definitionDigest: '',
      rules: [],
      match: { kind: 'when', when: { tool: 'Edit' }, words: 'Edit with any arguments' },
      createdAt: 0,
      createdBy: 'ana',
      requestId: 'r1',
      uses: 1,
    }
    const said = (parts: Partial<Grant>) =>
      sayBecause(
        { because: grantSentence({ ...grant, ...parts }, 's1'), tool: 'Edit', rule: 'grant g1' },
        'zh',
      )
    expect(said({})).toBe('ana 于 1970-01-01 00:00 UTC 批准：Edit，任何参数，在所有会话中')
    expect(said({ session: 's1', usesLeft: 2, expiresAt: 60_000 })).toBe(
      'ana 于 1970-01-01 00:00 UTC 批准：Edit，任何参数，在本次会话中，有效期至 1970-01-01 00:01 UTC，限 3 次',
    )
    expect(said({ session: 's0', match: { kind: 'exact', digest: 'd' } })).toBe(
      'ana 于 1970-01-01 00:00 UTC 批准：仅限此调用，在会话 s0 及其启动的会话中',
    )
    expect(sayExactCall('Edit: a.ts', 'zh')).toBe('仅限此调用：Edit: a.ts')
    expect(sayExactCall(undefined, 'en')).toBe(
      'exactly one call, whose arguments were erased after their retention time',
    )
  })
})
