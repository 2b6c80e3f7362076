import { describe, expect, it } from 'vitest'
import { sayBecause } from '../../display/words/say-because.ts'
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
      'cat in Bash reaches outside the roots, so a person is asked (mode: default)',
      'Bash 中的 cat 会超出工作区，因此请人决定（mode: default）',
    ],
    [
      line('cat < /etc/os-release'),
      'cat in Bash reaches outside the roots, so a person is asked (mode: default)',
      'Bash 中的 cat 会超出工作区，因此请人决定（mode: default）',
    ],
    [
      line('ls', '/tmp'),
      'ls in Bash reaches outside the roots, so a person is asked (mode: default)',
      'Bash 中的 ls 会超出工作区，因此请人决定（mode: default）',
    ],
    [
      line('npm install'),
      "npm install in Bash isn't known to be read-only, so a person is asked (mode: default)",
      'Bash 中的 npm install 不能确定只是读取，因此请人决定（mode: default）',
    ],
    [
      line('foo --password=hunter2'),
      "foo in Bash isn't known to be read-only, so a person is asked (mode: default)",
      'Bash 中的 foo 不能确定只是读取，因此请人决定（mode: default）',
    ],
    [
      list('/etc'),
      'list_dir of /etc is outside the roots, so a person is asked (mode: default)',
      'list_dir（/etc）在工作区之外，因此请人决定（mode: default）',
    ],
    [
      list('../other'),
      'list_dir of ../other is outside the roots, so a person is asked (mode: default)',
      'list_dir（../other）在工作区之外，因此请人决定（mode: default）',
    ],
    [
      { tool: 'deploy', arguments: {} },
      'no list names deploy, so a person is asked (mode: default)',
      '没有名单提到 deploy，因此请人决定（mode: default）',
    ],
  ])('%j', (call, english, chinese) => {
    const verdict = because(call)
    expect(verdict.because).toBe(english)
    expect(sayBecause({ ...verdict, tool: call.tool }, 'zh')).toBe(chinese)
  })

  it('says that the folder is missing', () => {
    const folderless = (tool: string, args: Record<string, string>, block: PolicyBlock) => {
      const verdict = because({ tool, arguments: args }, block)
      return [verdict.because, sayBecause({ ...verdict, tool }, 'zh')]
    }
    expect(folderless('list_dir', { path: 'src' }, { allow: ['list_dir(./**)'] })).toEqual([
      "list_dir of src can't be checked: the call does not say in which folder it is meant (cwd), so a person is asked (mode: default)",
      'list_dir（src）无法检查：调用没有说明所在的目录（cwd），因此请人决定（mode: default）',
    ])
    expect(folderless('Bash', { command: 'ls' }, { mode: 'plan' })).toEqual([
      "ls in Bash can't be checked: the call does not say in which folder it is meant (cwd), and only what reads inside the workspace is allowed (mode: plan)",
      'Bash 中的 ls 无法检查：调用没有说明所在的目录（cwd），而只允许在工作区内读取（mode: plan）',
    ])
  })

  it('says nothing of roots where no command is allowed for only reading', () => {
    expect(because(line('cat /etc/os-release'), {}).because).toContain('no list names cat in Bash')
    expect(because(line('cat /etc/os-release'), { mode: 'plan' }).because).toContain(
      'reaches outside the roots, and only',
    )
  })

  it('P9: never names more of a command than its program and sub-command', () => {
    expect(because(line('cat /srv/hunter2')).because).not.toContain('hunter2')
  })
})
