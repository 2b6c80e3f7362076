import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'

const policyOf = (block: PolicyBlock) => compilePolicy(block, { roots: ['/space'], home: '/home/ana' })
const BLOCKS: PolicyBlock[] = [{ mode: 'bypass' }, { allow: ['Bash'] }, { allow: ['Bash(*)'] }]

function judged(command: string, leads: Record<string, string> = {}) {
  const policies = BLOCKS.map(policyOf)
  const call = { tool: 'Bash', arguments: { command }, cwd: '/space' }
  const facts = lexicalFacts(policies[0]!, call, { home: '/home/ana' })
  const known = { ...facts, words: { ...facts.words, ...leads } }
  return {
    kinds: [...new Set(policies.map((policy) => policy.evaluate(call, known).kind))],
    writes: policies[0]!.steering(call, known).writes,
  }
}

describe('removing files that steer programs', () => {
  const folders = ['node_modules', '.venv', 'venv', '__pycache__', 'app.egg-info', 'target', 'dist', 'build']
  const removers = ['rm -rf', 'rm -r', 'rmdir', 'unlink', 'git rm -r --cached', 'rimraf', 'npx rimraf']

  it('a whole folder of dependencies needs nobody, wherever it is, and leaves nothing to be doubted', () => {
    const place = fc.constantFrom('', './', 'packages/app/', '/space/', '/space/a/b/', '../space/')
    const path = fc
      .tuple(place, fc.constantFrom(...folders), fc.constantFrom('', '/'))
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(
        fc.constantFrom(...removers),
        fc.array(path, { minLength: 1, maxLength: 3 }),
        (rm, paths) => {
          const command = `${rm} ${paths.join(' ')}`
          const { kinds, writes } = judged(command)
          expect(kinds, command).toEqual(['allow'])
          expect(writes, command).toEqual([])
        },
      ),
    )
    expect(judged('rm -rf node_modules package-lock.json && ls').kinds).toEqual(['allow'])
    expect(judged('rm -rf .venv node_modules __pycache__').writes).toEqual([])
  })

  it('a file of the list, or part of such a folder, needs a person as before', () => {
    for (const [command, group] of [
      ['rm .npmrc', 'npm'],
      ['rm -f .git/hooks/pre-commit', 'git'],
      ['rm -rf .git/hooks', 'git'],
      ['rm -rf .git', 'git'],
      ['rm -rf .git/node_modules', 'git'],
      ['rm -rf .husky', 'hooks'],
      ['rm node_modules/.bin/tsc', 'node'],
      ['rm -rf node_modules/eslint', 'node'],
      ['rm .venv/pyvenv.cfg', 'python'],
      ['rm -rf node_modules .npmrc', 'npm'],
      ['rm -rf .yarn', 'node'],
      ['rm -rf .vscode', 'editor'],
      ['npx rimraf .npmrc', 'npm'],
      ['git rm .npmrc', 'npm'],
    ] as const) {
      expect(judged(command).kinds, command).toEqual(['ask'])
      expect(judged(command).writes, command).toContain(group)
    }
  })

  it('a link by the name of such a folder is what it leads to', () => {
    expect(judged('rm -rf node_modules', { node_modules: '/space/.git/hooks' }).kinds).toEqual(['ask'])
    expect(judged('rm -rf deps', { deps: '/space/node_modules/eslint' }).kinds).toEqual(['ask'])
  })

  it('whatever writes there still needs a person', () => {
    for (const command of [
      'cp x node_modules',
      'touch node_modules',
      'mv x .venv',
      'ln -s x node_modules',
      'rm -rf node_modules; ln -s /tmp/x node_modules',
      'rm x > node_modules/x',
      'chmod -R 777 node_modules',
      'mkdir node_modules',
    ])
      expect(judged(command).kinds, command).toEqual(['ask'])
  })
})
