import { describe, expect, it } from 'vitest'
import type { Mode } from '../../core/session.ts'
import { compilePolicy } from '../compile-policy.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const home = '/home/ana'
const cwd = `${home}/project`
const policy = compilePolicy({ extends: 'banksman:starter' }, { roots: [cwd], home })

function verdict(tool: string, args: Record<string, string>, mode: Mode = 'default') {
  const call = { tool, arguments: args, cwd }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 }), { mode }).kind
}

const bash = (command: string, mode?: Mode) => verdict('Bash', { command }, mode)

describe('the starter policy', () => {
  it('P5: reading in the workspace is allowed, and only there', () => {
    expect(verdict('Read', { file_path: `${cwd}/src/a.ts` })).toBe('allow')
    expect(verdict('Grep', { pattern: 'x' })).toBe('allow')
    expect(verdict('read_file', { path: 'src/a.ts' })).toBe('allow')
    expect(verdict('Read', { file_path: '/etc/passwd' })).toBe('ask')
    expect(verdict('Read', { file_path: '../other/a.ts' })).toBe('ask')
    expect(verdict('WebFetch', { url: 'https://example.com' })).toBe('ask')
    expect(verdict('nobody_knows_this', {})).toBe('ask')
  })

  it('P5: programs that only read are allowed, line by line', () => {
    expect(bash('git status && ls -la | head -5')).toBe('allow')
    expect(bash('git status; npm install')).toBe('ask')
    expect(bash('ls > out')).toBe('ask')
    expect(bash('cat < /etc/passwd')).toBe('ask')
    expect(bash('cat $(echo /etc/passwd)')).toBe('ask')
    expect(bash('PAGER=x git log')).toBe('ask')
    expect(bash('sudo ls')).toBe('ask')
  })

  it('P5: what nothing repairs is denied in every mode', () => {
    for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypass'] as const) {
      expect(bash('ls; sudo rm -rf /', mode)).toBe('deny')
    }
  })

  it('P5: secrets, and edits of what runs later, are asked about whatever the mode accepts', () => {
    expect(verdict('Read', { file_path: `${cwd}/.env` }, 'bypass')).toBe('ask')
    expect(verdict('Read', { file_path: `${home}/.ssh/id_rsa` }, 'bypass')).toBe('ask')
    expect(bash('cat .env')).toBe('ask')
    expect(verdict('Edit', { file_path: `${cwd}/src/a.ts` }, 'acceptEdits')).toBe('allow')
    expect(verdict('Edit', { file_path: `${cwd}/.git/hooks/pre-commit` }, 'acceptEdits')).toBe('ask')
    expect(verdict('write_file', { path: '.github/workflows/ci.yml' }, 'acceptEdits')).toBe('ask')
    expect(bash('echo x > .git/config', 'acceptEdits')).toBe('ask')
  })
})
