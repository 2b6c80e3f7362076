import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { compilePolicy } from '../compile-policy.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const places = { roots: ['/srv/app'], home: '/home/ana' }
const policyOf = (...deny: string[]) => compilePolicy({ allow: ['Bash', 'Grep', 'Glob'], deny }, places)

function judged(deny: string[], absent: string[], tool = 'Grep', args: JsonObject = { pattern: 'x' }) {
  const policy = policyOf(...deny)
  const call = { tool, arguments: args, cwd: '/srv/app' }
  return policy.evaluate(call, { ...lexicalFacts(policy, call, { home: '/home/ana' }), absent }).kind
}
const asked = (deny: string, tool = 'Grep', args: JsonObject = { pattern: 'x' }, cwd = '/srv/app') =>
  policyOf(deny).lookups({ tool, arguments: args, cwd }).denied

describe('what a deny names plainly, and is not there', () => {
  it('is no reason to ask about a search', () => {
    expect(judged(['Read(./.env)'], [])).toBe('ask')
    expect(judged(['Read(./.env)'], ['/srv/app/.env'])).toBe('allow')
    expect(judged(['Read(./secrets/**)'], ['/srv/app/secrets'])).toBe('allow')
    expect(judged(['Read(./secrets/)'], ['/srv/app/secrets'])).toBe('allow')
  })

  it('P5: anything else that is denied below still is', () => {
    expect(judged(['Read(./.env)', 'Read(./key.txt)'], ['/srv/app/.env'])).toBe('ask')
    expect(judged(['Read(./.env)'], ['/srv/app/.env.local', '/srv/.env', '/srv/app/.ENV', '.env'])).toBe(
      'ask',
    )
    for (const open of ['Read(.env)', 'Read(**/.env)', 'Read(./.env*)', 'Read(./*/.env)', 'Read(./s?/**)'])
      expect(judged([open], ['/srv/app/.env', '/srv/app', '/srv/app/s?']), open).toBe('ask')
  })

  it('P5: a shell line may make it before it reads, so it is asked about as before', () => {
    for (const command of ['grep -r KEY .', 'git stash pop && grep -r KEY .'])
      expect(judged(['Read(./.env)'], ['/srv/app/.env'], 'Bash', { command }), command).toBe('ask')
    expect(asked('Read(./.env)', 'Bash', { command: 'grep -r KEY .' })).toBe(undefined)
  })

  it('named, it is denied whether it is there or not', () => {
    const named = { pattern: 'x', path: '.env' }
    expect(judged(['Read(./.env)'], ['/srv/app/.env'], 'Grep', named)).toBe('deny')
  })

  it('is looked up for a search that would come upon it, and for nothing else', () => {
    expect(asked('Read(./.env)')).toEqual(['/srv/app/.env'])
    expect(asked('Read(~/.ssh/**)', 'Grep', { pattern: 'x', path: '/home/ana' })).toEqual(['/home/ana/.ssh'])
    expect(asked('Read(./.env)', 'Grep', { pattern: 'x', path: 'src' })).toBe(undefined)
    expect(asked('Read(**/.env)')).toBe(undefined)
    expect(asked('Read(./.env)', 'Read', { file_path: 'x' })).toBe(undefined)
    expect(asked('Read(/proc/self/environ)', 'Grep', { pattern: 'x', path: '/' })).toBe(undefined)
  })
})
