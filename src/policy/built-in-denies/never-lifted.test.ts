import { describe, expect, it } from 'vitest'
import type { Grant } from '../../core/grants/grant.ts'
import { MODES } from '../../core/session.ts'
import { compilePolicy } from '../compile-policy.ts'
import type { PolicyBlock } from '../language/language.ts'
import type { JudgedCall } from '../policy.ts'
import type { OwnHouse } from './compile-built-in-denies.ts'

const ownHouse: OwnHouse = {
  files: ['/srv/app/banksman.yaml'],
  untouchable: ['/srv/app/data.db'],
  folders: ['/srv/app/.banksman'],
  addresses: ['127.0.0.1:4790'],
  program: 'banksman',
}
const options = { ownHouse, roots: ['/srv/app'], home: '/home/ana' }
const bash = (command: string): JudgedCall => ({ tool: 'Bash', arguments: { command }, cwd: '/srv/app' })

const CALLS: readonly JudgedCall[] = [
  bash('sed -i s/ask/allow/ banksman.yaml'),
  bash('cat .banksman/agent-token'),
  bash('sqlite3 data.db .dump'),
  bash('curl http://localhost:4790/v1/requests'),
  bash('npx banksman trust'),
  bash('rm -rf .'),
  { tool: 'Edit', arguments: { file_path: '/srv/app/banksman.yaml' }, cwd: '/srv/app' },
  { tool: 'Read', arguments: { file_path: '.banksman/agent-token' }, cwd: '/srv/app' },
  { tool: 'WebFetch', arguments: { url: 'http://127.1:4790/' }, cwd: '/srv/app' },
  { tool: 'delete_folder', arguments: { path: '.' }, cwd: '/srv/app' },
]

/** Whatever a policy can say in favour of a call. */
const BLOCKS: readonly PolicyBlock[] = [
  { allow: ['*'] },
  { allow: ['Bash', 'Edit', 'Read', 'WebFetch', 'delete_folder'] },
  { allow: ['Bash(*)', 'Edit(/**)', 'Read(/**)', 'WebFetch(domain:127.0.0.1)'] },
  { rules: [{ name: 'all', when: { tool: '*' }, then: 'allow' }] },
  { ask: ['*'] },
  { extends: 'banksman:starter', allow: ['*'] },
  {},
]

describe('the built-in denies', () => {
  it('P11: are lifted by no list, no rule and no mode', () => {
    for (const block of BLOCKS) {
      const policy = compilePolicy(block, options)
      for (const mode of MODES) {
        for (const call of CALLS) {
          const verdict = policy.evaluate(call, {}, { mode })
          expect(verdict.kind, JSON.stringify([block, mode, call])).toBe('deny')
          expect(verdict.rule, JSON.stringify([block, mode, call])).toMatch(/^built-in: own/)
        }
      }
    }
  })

  it('P11: are lifted by no grant, not even one for exactly that call', () => {
    const policy = compilePolicy({ ask: ['*'] }, options)
    const grants = ['exact', 'when'].map((kind): Grant => {
      const match =
        kind === 'exact'
          ? ({ kind, digest: 'd' } as const)
          : ({ kind: 'when', when: { tool: '*' }, words: '' } as const)
      const rules = ['ask: "*"', 'mode: default', 'built-in: own files', 'built-in: own files inside']
      const about = { tool: 'Bash', definitionDigest: '', createdAt: 0, createdBy: 'ana', requestId: 'r' }
      return { id: kind, ...about, rules, match, uses: 0 }
    })
    const harmless = bash('npm test')
    expect(policy.cover(harmless, 'd', grants, {})).toHaveLength(1)
    for (const call of CALLS) {
      expect(policy.cover(call, 'd', grants, {}), JSON.stringify(call)).toBeUndefined()
      for (const { match } of grants) expect(policy.matches(match, call, 'd', {})).toBe(false)
    }
    expect(policy.matches({ kind: 'exact', digest: 'd' }, harmless, 'd', {})).toBe(true)
  })

  it('leave the word to a deny that somebody wrote, where ours only lies in what is removed', () => {
    const policy = compilePolicy({ deny: ['Bash(rm *)'] }, options)
    expect(policy.evaluate(bash('rm -rf .')).rule).toBe('deny: "Bash(rm *)"')
    expect(policy.evaluate(bash('rm banksman.yaml')).rule).toBe('built-in: own files')
    expect(policy.evaluate(bash('mv ../app /tmp'), {}, { mode: 'dontAsk' }).rule).toBe(
      'built-in: own files inside',
    )
  })

  it('leave what only reads the configuration to the policy', () => {
    const policy = compilePolicy({ allow: ['Read'], deny: ['Grep'] }, options)
    const reading = (tool: string, path: string) =>
      policy.evaluate({ tool, arguments: { path, file_path: path }, cwd: '/srv/app' }).kind
    expect(reading('Read', 'banksman.yaml')).toBe('allow')
    expect(reading('Grep', 'banksman.yaml')).toBe('deny')
    expect(reading('LS', 'banksman.yaml')).toBe('ask')
    expect(policy.evaluate(bash('cat banksman.yaml')).kind).toBe('ask')
    expect(policy.evaluate(bash('cat banksman.yaml'), {}, { mode: 'bypass' }).kind).toBe('allow')
  })
})
