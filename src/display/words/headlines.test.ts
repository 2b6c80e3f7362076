import { describe, expect, it } from 'vitest'
import { askerName, headlineText, sayHeadline, sayTool } from './headlines.ts'

const CODER = { who: 'coder', tool: 'Bash', intent: 'command', folder: '/home/ana/shop' } as const

it('says who wants what, and where', () => {
  expect(headlineText(CODER, 'en')).toBe('coder wants to run a command in shop')
  expect(headlineText({ ...CODER, isOver: true }, 'en')).toBe('coder wanted to run a command in shop')
  expect(headlineText(CODER, 'zh')).toBe('coder 想在 shop 中执行命令')
  expect(headlineText({ ...CODER, folder: undefined }, 'zh')).toBe('coder 想要执行命令')
})

it('names the tool where nobody knows what it does', () => {
  const unknown = { who: 'coder', tool: 'send_mail', intent: 'other' } as const
  expect(headlineText(unknown, 'en')).toBe('coder wants to use send_mail')
  expect(headlineText(unknown, 'zh')).toBe('coder 想要使用 send_mail')
})

it('names a tool of an MCP server with its server', () => {
  const mcp = { who: 'driver', tool: 'mcp__files__write_file', intent: 'other' } as const
  expect(headlineText(mcp, 'en')).toBe('driver wants to use write_file of files (MCP)')
  expect(headlineText(mcp, 'zh')).toBe('driver 想要使用 files（MCP）的 write_file')
  expect(sayTool(mcp.tool, 'en')).toBe('write_file of files (MCP)')
  expect(sayTool('mcp__a_b__c__d', 'zh')).toBe('a_b（MCP）的 c__d')
})

it.each([
  'mcp__evil__read of github (MCP)',
  'mcp__evil__',
  'mcp____read',
  'mcp__x',
  'mcp__ev il__read',
  'mcp__evil__read（MCP）的',
])(
  'P9: a name that only looks like one of an MCP server, or could be taken for words, stays whole: %s',
  (tool) => {
    expect(sayTool(tool, 'en')).toBe(tool)
    expect(headlineText({ who: 'x', tool, intent: 'other' }, 'en')).toBe(`x wants to use ${tool}`)
  },
)

it('P9: a name that looks like one of our places is shown as it is, once', () => {
  const evil = { who: '{tool}', tool: '{folder}', intent: 'other' } as const
  expect(sayHeadline(evil, 'en')).toEqual([
    { kind: 'who', text: '{tool}' },
    { kind: 'words', text: ' wants to use ' },
    { kind: 'code', text: '{folder}' },
  ])
  expect(headlineText({ ...CODER, folder: '/x/{who}' }, 'en')).toBe('coder wants to run a command in {who}')
})

it('names the root and a folder of Windows', () => {
  expect(headlineText({ ...CODER, folder: '/' }, 'en')).toMatch(/ in \/$/)
  expect(headlineText({ ...CODER, folder: 'C:\\work\\shop' }, 'en')).toMatch(/ in shop$/)
})

describe('who asks', () => {
  it.each([
    ['an agent by its name', { agent: { name: 'coder' }, submittedBy: 'local' }, 'coder'],
    ['a program that gives no name', { submittedBy: 'local' }, 'local'],
    [
      'a coding agent with its machine',
      { agent: { name: 'codex' }, submittedBy: 'codex@laptop' },
      'codex@laptop',
    ],
    [
      'a sub-agent of one',
      { agent: { name: 'Explore', parents: ['claude-code'] }, submittedBy: 'claude-code@laptop' },
      'Explore (claude-code@laptop)',
    ],
    [
      'one that calls itself by another’s name',
      { agent: { name: 'codex@laptop' }, submittedBy: 'x' },
      'codex@laptop (x)',
    ],
    [
      'one whose name is a sentence',
      { agent: { name: 'coder wants to read a file in docs. ana' }, submittedBy: 'x' },
      'coder wants to read a file in docs. ana (x)',
    ],
    ['one with two words', { agent: { name: 'Order desk' }, submittedBy: 'x' }, 'Order desk'],
  ])('%s', (_, request, who) => {
    expect(askerName(request)).toBe(who)
  })
})
