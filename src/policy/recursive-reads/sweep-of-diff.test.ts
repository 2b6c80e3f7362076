import { describe, expect, it } from 'vitest'
import { compilePolicy } from '../compile-policy.ts'
import type { PolicyBlock } from '../language/language.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const ownHouse = {
  files: [],
  untouchable: ['/srv/other/journal.db'],
  folders: ['/srv/app/.banksman'],
  addresses: [],
  program: 'banksman',
}

function line(block: PolicyBlock, command: string) {
  const policy = compilePolicy(block, { roots: ['/srv/app'], home: '/home/ana', ownHouse })
  const call = { tool: 'Bash', arguments: { command }, cwd: '/srv/app' }
  return policy.evaluate(call, lexicalFacts(policy, call, { home: '/home/ana' }))
}

describe('diff of folders', () => {
  it('needs a person where a deny names a file in one of them, and says so', () => {
    for (const [denied, command] of [
      ['./.env', 'diff -N src .'],
      ['./.env', 'diff -uN . src'],
      ['./.env', 'diff --new-file src ./'],
      ['./.env', 'diff --unidir src src/..'],
      ['./.env', 'diff -N --to-file=. src'],
      ['./.env', 'diff -N --from-file . src'],
      ['./.env', 'colordiff -N src /srv/app'],
      ['./.env', 'diff src .'],
      ['./conf/.env', 'diff src conf'],
      ['./conf.d/key', 'diff src conf.d'],
      ['./v1.2/key', 'diff -N src v1.2'],
      ['./conf/prod.json', 'diff src/prod.json conf'],
      ['**/id_rsa', 'cd src && diff -N . ../docs'],
    ] as const) {
      const verdict = line({ allow: ['Bash'], deny: [`Read(${denied})`] }, command)
      expect(verdict.kind, command).toBe('ask')
      expect(verdict.because, command).toMatch(/it would also read what the rule `deny: "Read\(.*\)"` denies/)
    }
  })

  it('needs a person where a file of ours is in one of them', () => {
    const all: PolicyBlock = { mode: 'bypass', allow: ['*'] }
    for (const command of [
      'diff -N src /srv/other',
      'diff /srv/other src',
      'cd /srv/other && diff -N /tmp/x .',
    ])
      expect(line(all, command).kind, command).toBe('ask')
    // It enters no folders.
    for (const command of ['diff -N src /srv', 'diff -N src .'])
      expect(line(all, command).kind, command).toBe('allow')
  })

  it('goes on without one where nothing of it is read', () => {
    for (const [denied, command] of [
      ['**/.env', 'diff src/a.ts src/b.ts'],
      ['**/.env', 'diff -u package.json /tmp/package.json'],
      ['**/.env', 'diff Makefile Makefile.old'],
      ['**/.env', 'diff <(ls src) <(ls docs)'],
      ['./.env', 'diff src docs'],
      ['./.env', 'diff -N src docs'],
      ['./.env', 'diff -N -x .env src .'],
      ['./.env', 'diff src/a.ts .'],
      ['./.env', 'diff *.old *.new'],
      ['./secrets/**', 'diff -N src .'],
      ['./src/deep/key', 'diff src docs'],
    ] as const)
      expect(line({ allow: ['Bash'], deny: [`Read(${denied})`] }, command).kind, command).toBe('allow')
  })
})
