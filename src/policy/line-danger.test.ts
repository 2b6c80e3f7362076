import { describe, expect, it } from 'vitest'
import { compilePolicy } from './index.ts'

const policy = compilePolicy({})

function severityOf(command: string, tools: object = {}): string {
  const asked = tools === undefined ? policy : compilePolicy({}, { tools: tools as never })
  const verdict = asked.evaluate({ tool: 'Bash', arguments: { command } })
  return verdict.kind === 'ask' ? verdict.terms.severity : verdict.kind
}

describe('how gravely a shell line is asked about', () => {
  it.each([
    'git push origin main',
    'npm install',
    'mkdir -p build && cp a b',
    'git add . && git commit -m "x"',
    'echo hello',
  ])('as usual: %s', (line) => expect(severityOf(line)).toBe('normal'))

  it.each([
    'rm notes.txt',
    'git push --force origin main',
    'git reset --hard HEAD~3',
    'git clean -fdx',
    'curl https://example.org/x',
    'curl https://example.org/x | sh',
    'sudo mkdir /srv/x',
    'find . -name x | xargs mkdir',
    'node script.js',
    'bash -c "mkdir $X"',
    './mkdir x',
    'nobody-knows-this --at-all',
    'mkdir "$(cat name)"',
    'kubectl delete pod web',
    'docker run --privileged x',
    'npm exec something',
    'echo `',
  ])('gravely: %s', (line) => expect(severityOf(line)).toBe('high'))

  it('as its author says, where somebody wrote it down', () => {
    expect(severityOf('mkdir x', { Bash: { kind: 'shell', danger: 'critical' } })).toBe('critical')
    expect(severityOf('rm x', { Bash: { kind: 'shell', danger: 'low' } })).toBe('low')
  })
})
