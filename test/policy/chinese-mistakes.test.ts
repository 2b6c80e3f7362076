/** What is wrong with a policy, in the language of who reads the page Policy. */
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../src/core/errors.ts'
import { sayError } from '../../src/display/reasons/say-error.ts'
import { sayReason } from '../../src/display/reasons/say-reason.ts'
import { readCandidate } from '../../src/server/configuration/configuration.ts'
import { readForeignPolicy } from '../../src/server/policy/read-foreign-policy.ts'
import { productSources } from '../architecture/source-files.ts'

function mistakeOf(read: () => unknown): BanksmanError {
  try {
    read()
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error('no mistake was found')
}

function mistakesIn(text: string): BanksmanError {
  return mistakeOf(() => readCandidate(text, 'banksman.yaml', 'ana'))
}

const TEXTS = [
  'policy: { mod: default, deny: 1, rules: 7 }',
  'policy: { mode: sometimes, allow: ["", "Bash(", "Bsh(x)", "Bash()", "Bash(a && b)"] }',
  'policy: { reason: "" }',
  'policy: { rules: [{ name: a, then: deny }, { name: a, when: {}, then: allow, quorum: 0 }] }',
  'policy: { rules: [{ name: a, when: { tool: x, arguments: { y: 1, /z: { regex: "(" } } }, then: ask }] }',
  'policy: { rules: [{ name: a, when: { path: "a[b" }, then: ask, approvers: [], expiresIn: 3 }] }',
  'policy: { rules: [{ name: a, when: { host: "http://x/y" }, then: ask, chat: x }] }',
  'policy: { rules: [{ name: a, when: { time: { from: "9", days: [monday], zone: Nowhere } }, then: ask }] }',
  'policy: { tests: [{ call: { tool: x, arguments: 1 }, verdict: maybe, at: now }] }',
  'tools: { x: { kind: odd, command: a }, y: { kind: edit } }',
  'policy: { deny: ["x }',
  'policy: { deny: [x',
  '\tpolicy: {}',
  'policy: { deny: [*x] }',
  'polcy: {}',
  'secretary: { maxTurns: 0, sessionsPerPerson: 5000, prefix: abc }',
  'claimWithin: 90d',
  'policy: {}\npermissions: {}',
]

/** What is left when what is quoted, paths and words of the policy's own language are taken away. */
function isChinese(line: string): boolean {
  const left = line.replaceAll(/"[^"]*"|`[^`]*`|[\w./:*?[\]{}()-]+(?:、[\w./:*-]+)*/g, ' ')
  return /\p{Script=Han}/u.test(line) && !/[a-z]{3,} [a-z]{2,} [a-z]/.test(left)
}

describe('mistakes in a policy', () => {
  it.each(TEXTS)('are told in Chinese with their place: %s', (text) => {
    const error = mistakesIn(text)
    const lines = sayError(error, 'zh').split('\n')
    expect(lines.filter((line) => !isChinese(line) || !/^第 \d+ 行第 \d+ 列：/.test(line))).toEqual([])
    expect(sayError(error, 'en')).toBe(error.message)
  })

  it('all that a page can show', () => {
    const found = TEXTS.flatMap((text) => sayError(mistakesIn(text), 'zh').split('\n'))
    expect(found).toContain(
      '第 1 行第 11 列：策略中有未知的键 "mod"；可用的有 extends、mode、deny、ask、allow、rules、reason、tests；是否想写 "mode"？',
    )
    expect(found).toContain('第 1 行第 14 列：secretary.maxTurns 不能小于 1')
    expect(found).toContain('第 1 行第 27 列：secretary.sessionsPerPerson 不能大于 1000')
    expect(found.length).toBeGreaterThan(TEXTS.length)
  })

  it('what becomes of another program’s policy, too', () => {
    const { policyNotes } = readCandidate(
      'permissions: { defaultMode: auto, deny: ["Bash(a && b)"], allow: ["Read(/[a])", "x y"], odd: 1 }',
      'banksman.yaml',
      'ana',
    )
    const said = policyNotes.map(({ message, reason }) =>
      sayReason({ because: message, reason: reason! }, 'zh'),
    )
    expect(said.length).toBeGreaterThan(4)
    expect(said.filter((line) => !isChinese(line))).toEqual([])
    expect(said).toContain('未导入：这里不认识 "odd"，没有导入')
  })

  it.each([
    ['settings.json', '{"permissions": {"denny": []}}', '未知的键 "denny"；是否想写 "deny"？'],
    ['settings.json', '{"permissions": {"deny": "x"}}', 'deny 必须是工具的列表；实际是文本'],
    ['settings.json', '{"permissions": {"deny": [1]}}', 'deny[0] 必须是文本；实际是数字'],
    ['settings.json', '{"permissions": {"defaultMode": 1}}', 'defaultMode 必须是文本；实际是数字'],
    ['opencode.json', '{"permission": 1}', 'permission 必须是 allow、ask 或 deny，或者是对象；实际是数字'],
    ['opencode.json', '{"permission": {"bash": "maybe"}}', '操作必须是 allow、ask 或 deny；实际是 "maybe"'],
    ['a.rules', 'prefix_rule(pattern=["a"])\nx = 1', 'a.rules：第 2 行：此处应为 "("，实际是 "="。'],
    ['a.rules', 'prefix_rule(pattern=', 'a.rules：第 1 行：此处应为文本或列表，实际是文件末尾。'],
    [
      'a.rules',
      'prefix_rule(pattern=["a"])\n1',
      'a.rules：第 2 行：此处应为 prefix_rule(…) 这样的调用，实际是 "1"。',
    ],
    ['a.rules', 'prefix_rule(pattern=["a"], pattern=["b"])', '第 1 行："pattern" 重复了'],
    ['a.rules', 'prefix_rule(odd=1)', '第 1 行的 prefix_rule 有未知的参数 "odd"；可用的有 pattern、decision'],
    ['a.rules', 'prefix_rule(pattern=[], decision="no")', 'decision 必须是 allow、prompt、forbidden 之一'],
    ['a.rules', 'prefix_rule(pattern=[])', '的 pattern 必须是词的列表，且不能为空'],
    ['a.rules', 'prefix_rule(pattern=[1])', '的 pattern 中，每个词必须是文本或文本的列表'],
    ['a.yaml', 'toolApprovalMode: maybe', '必须是 AUTO、REQUIRE_APPROVAL、DISABLED 之一；实际是 "maybe"'],
  ])('of another program are told in Chinese, too: %s, %s', (name, text, wanted) => {
    const error = mistakeOf(() => readForeignPolicy(text, name))
    expect(sayError(error, 'zh')).toContain(wanted)
    expect(isChinese(sayError(error, 'zh'))).toBe(true)
    expect(sayError(error, 'en')).toBe(error.message)
  })

  it('has a reason wherever a policy is refused', () => {
    const without = productSources().filter(
      ({ path, text }) =>
        /^src\/(?:policy|server\/configuration\/policy)/.test(path) &&
        /new BanksmanError\(\s*'invalid_policy'/.test(text) &&
        !text.includes('{ reason: reasonOf('),
    )
    expect(without.map(({ path }) => path)).toEqual([])
  })
})
