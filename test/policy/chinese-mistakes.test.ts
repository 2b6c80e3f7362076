/** What is wrong with a policy, in the language of who reads the page Policy. */
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../src/core/errors.ts'
import { sayError } from '../../src/display/reasons/say-error.ts'
import { sayReason } from '../../src/display/reasons/say-reason.ts'
import { readCandidate } from '../../src/server/configuration/configuration.ts'
import { productSources } from '../architecture/source-files.ts'

function mistakesIn(text: string): BanksmanError {
  try {
    readCandidate(text, 'banksman.yaml', 'ana')
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error(`no mistake in ${text}`)
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

  it('has a reason wherever a policy is refused, but for files that policy import can’t read', () => {
    const without = productSources().filter(
      ({ path, text }) =>
        /^src\/(?:policy|server\/configuration\/policy)/.test(path) &&
        /new BanksmanError\(\s*'invalid_policy'/.test(text) &&
        !text.includes('{ reason: reasonOf('),
    )
    expect(without.map(({ path }) => path)).toEqual(['src/policy/dialects/imported.ts'])
  })
})
