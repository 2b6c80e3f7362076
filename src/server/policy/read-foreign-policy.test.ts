import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { BanksmanError } from '../../core/errors.ts'
import { sayError } from '../../display/reasons/say-error.ts'
import { policyText } from './policy-text.ts'
import { readForeignPolicy } from './read-foreign-policy.ts'

describe("another program's file", () => {
  it('is JSON or YAML, with a byte order mark or without, indented with tabs', () => {
    const json = '\ufeff{\n\t"permissions": {\n\t\t"deny": ["WebSearch"]\n\t}\n}\n'
    for (const name of ['settings.json', 'settings', 'settings.yaml']) {
      expect(readForeignPolicy(json, name)).toMatchObject({
        dialect: 'claude-code',
        pointer: '/permissions',
        block: { deny: ['WebSearch'] },
      })
    }
    const yaml =
      'version: 1.2.8\nendpoints:\n  agents:\n    toolApproval:\n      enabled: true\n      deny: ["*_x"]\n'
    expect(readForeignPolicy(yaml, 'librechat.yaml').block).toEqual({ deny: ['*_x'] })
  })

  it('may have several documents, as Spring has for its profiles', () => {
    const text = 'server: { port: 80 }\n---\nagent:\n  tool-approval-mode: require-approval\n'
    expect(readForeignPolicy(text, 'application.yml')).toMatchObject({
      dialect: 'react-plus',
      pointer: '/1/agent/tool-approval-mode',
      block: { mode: 'default' },
    })
  })

  it.each([
    ['a.json', '{"permissions": {}, "permissions": {}}', /a\.json: .*permissions/],
    ['a.json', '{"permissions": {"deny": [}}', /a\.json: /],
    ['a.json', '{ // mine\n "permissions": {} }', /a\.json: /],
    ['a.yaml', 'permissions: {}\npermissions: {}\n', /a\.yaml:2:1: /],
    ['a.yaml', 'permissions: [\n', /a\.yaml:\d+:\d+: /],
    ['a.yaml', 'permissions:\n  deny: Bash\n', /a\.yaml at \/permissions\/deny: deny must be a list/],
    ['a.yaml', '', /a\.yaml: .*looked for/],
    ['a.json', '', /a\.json: /],
  ])('P5: %s with %j is refused, and the file is named', (name, text, message) => {
    expect(() => readForeignPolicy(text, name)).toThrow(message)
  })

  it.each([
    ['a.json', '{"permissions": {"deny": [}}', /^a\.json：无法按 JSON 读取；解析器的英文提示：“/],
    ['a.yaml', 'permissions: [\n', /^a\.yaml:\d+:\d+：这里无法按 YAML 读取；解析器的英文提示：“/],
    ['a.yaml', 'permissions: {}\npermissions: {}\n', /^a\.yaml:2:1：键不能重复/],
    [
      'a.yaml',
      'permissions:\n  deny: Bash\n',
      /^a\.yaml 的 \/permissions\/deny：deny 必须是工具的列表；实际是文本$/,
    ],
    ['a.yaml', '', /^a\.yaml：没有找到其他程序的策略/],
    ['a.json', '{"permissions": {}, "permission": "ask"}', /^a\.json：文件中有多个程序的策略/],
  ])('%s with %j is refused in the language of who reads it', (name, text, said) => {
    let caught: unknown
    try {
      readForeignPolicy(text, name)
    } catch (error) {
      caught = error
    }
    expect(sayError(caught as BanksmanError, 'zh')).toMatch(said)
  })

  it('a bomb of aliases is refused', () => {
    const rows = ['b', 'c', 'd', 'e', 'f'].map(
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcde'[index]}`).join(',')}]`,
    )
    expect(() => readForeignPolicy(`a: &a [x,x,x,x,x,x,x,x,x]\n${rows.join('\n')}\n`, 'a.yaml')).toThrow()
  })
})

describe('the text that comes of it', () => {
  it('has the policy, and what differs as comments', () => {
    const imported = readForeignPolicy(
      '{"permissions": {"deny": ["Bash(rm *)", "*"], "ask": ["WebSearch"], "defaultMode": "plan"}}',
      'settings.json',
    )
    const text = policyText(imported, 'settings.json (Claude Code)')
    expect(text).toMatch(
      /^# The policy of settings\.json \(Claude Code\)\.\n#\n# What is different here:\n# - stricter: /,
    )
    expect(text).toMatch(
      /\npolicy:\n {2}mode: plan\n {2}deny:\n {4}- Bash\(rm \*\)\n {4}- "\*"\n {2}ask:\n {4}- WebSearch\n$/,
    )
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(110)
    expect(parse(text)).toEqual({ policy: imported.block })
  })

  it('P9: nothing of a note or an entry can get out of its comment or its line', () => {
    const value = {
      permissions: { allow: ['x\npolicy: {}', 'y\u2028z(a)', 'Foo(\r\n- b)', '# c', '&d', '!e', '%f'] },
    }
    const imported = readForeignPolicy(JSON.stringify(value), 'settings.json')
    const text = policyText(imported, 'settings.json\npolicy: {}')
    expect(parse(text)).toEqual({ policy: imported.block })
  })

  it('P9: a character that can not be seen is written as an escape', () => {
    const deny = ['a\u202eb', 'c\u001bd', 'e\u{e0041}f', '\u2028', 'g\tb', 'ж😀']
    const text = policyText({ block: { deny }, notes: [] }, 'a\u202eb')
    expect(text).not.toMatch(/[\u202e\u001b\u{e0041}\u2028\t]/u)
    expect(parse(text)).toEqual({ policy: { deny } })
    expect(text).toContain('ж😀')
  })

  it('is an empty policy where nothing is left', () => {
    const text = policyText({ block: {}, notes: [] }, 'x')
    expect(text).toBe('# The policy of x.\npolicy: {}\n')
  })
})

it("reads Codex' rules as they are, and opencode's file with comments in it", () => {
  const rules = readForeignPolicy('prefix_rule(pattern=["rm"], decision="forbidden")', 'default.rules')
  expect([rules.dialect, rules.block]).toEqual(['codex', { deny: ['Bash(rm *)'] }])
  const text =
    '{\n  // "bash": "allow"\n  "permission": { "bash": "deny", /* , */ }, "agent": {}, "x": "a // b,]",\n}'
  for (const name of ['opencode.json', 'a.jsonc', '/x/opencode.json']) {
    const { dialect, block, notes } = readForeignPolicy(text, name)
    expect([dialect, block.deny, block.allow]).toEqual(['opencode', ['Bash'], undefined])
    expect(notes.map(({ pointer }) => pointer)).toContain('/agent')
  }
  expect(() => readForeignPolicy('X = 1', 'a.rules')).toThrow('a.rules')
})
