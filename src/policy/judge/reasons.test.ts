import { describe, expect, it } from 'vitest'
import { sayReason } from '../../display/reasons/say-reason.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'

const STARTER: PolicyBlock = { extends: 'banksman:starter' }

function because(call: { tool: string; arguments: Record<string, string>; cwd?: string }, block = STARTER) {
  const policy = compilePolicy(block, { roots: ['/space'], home: '/home/ana' })
  return policy.evaluate(call, lexicalFacts(policy, call, { home: '/home/ana' }))
}
const line = (command: string, cwd = '/space') => ({ tool: 'Bash', arguments: { command }, cwd })
const list = (path: string) => ({ tool: 'list_dir', arguments: { path }, cwd: '/space' })

describe('the reason is the true one', () => {
  it.each([
    [
      line('cat /etc/os-release'),
      'Needs approval: `cat` reaches outside the workspace.',
      '需要审批：`cat` 会访问工作区之外的内容。',
    ],
    [
      line('cat < /etc/os-release'),
      'Needs approval: `cat` reaches outside the workspace.',
      '需要审批：`cat` 会访问工作区之外的内容。',
    ],
    [
      line('ls', '/tmp'),
      'Needs approval: `ls` reaches outside the workspace.',
      '需要审批：`ls` 会访问工作区之外的内容。',
    ],
    [
      line('npm install'),
      "Needs approval: `npm install` isn't known to be read-only.",
      '需要审批：无法确认 `npm install` 是只读操作。',
    ],
    [
      line('foo --password=hunter2'),
      "Needs approval: `foo` isn't known to be read-only.",
      '需要审批：无法确认 `foo` 是只读操作。',
    ],
    [list('/etc'), 'Needs approval: `/etc` is outside the workspace.', '需要审批：`/etc` 在工作区之外。'],
    [
      list('../other'),
      'Needs approval: `../other` is outside the workspace.',
      '需要审批：`../other` 在工作区之外。',
    ],
    [
      { tool: 'deploy', arguments: {} },
      "Needs approval: `deploy` isn't on the allow list.",
      '需要审批：`deploy` 不在允许名单中。',
    ],
  ])('%j', (call, english, chinese) => {
    const verdict = because(call)
    expect(verdict.because).toBe(english)
    expect(sayReason(verdict, 'zh')).toBe(chinese)
  })

  it('says that the folder is missing', () => {
    const folderless = (tool: string, args: Record<string, string>, block: PolicyBlock) => {
      const verdict = because({ tool, arguments: args }, block)
      return [verdict.because, sayReason(verdict, 'zh')]
    }
    expect(folderless('list_dir', { path: 'src' }, { allow: ['list_dir(./**)'] })).toEqual([
      "Needs approval: `src` can't be checked in advance (working folder unknown).",
      '需要审批：`src` 无法预先检查（工作目录未知）。',
    ])
    expect(folderless('Bash', { command: 'ls' }, { mode: 'plan' })).toEqual([
      "Denied: `ls` can't be checked in advance (working folder unknown), and plan mode only allows reading inside the workspace.",
      '已禁止：`ls` 无法预先检查（工作目录未知），而计划模式只允许在工作区内读取。',
    ])
  })

  it('says nothing of roots where no command is allowed for only reading', () => {
    expect(because(line('cat /etc/os-release'), {}).because).toContain("`cat` isn't on the allow list")
    expect(because(line('cat /etc/os-release'), { mode: 'plan' }).because).toContain(
      'reaches outside the workspace, and plan mode only',
    )
  })

  it('P9: never names more of a command than its program and sub-command', () => {
    expect(because(line('cat /srv/hunter2')).because).not.toContain('hunter2')
  })
})
