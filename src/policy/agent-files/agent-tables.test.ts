import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OwnHouse } from '../built-in-denies/compile-built-in-denies.ts'
import { compilePolicy } from '../index.ts'
import { AGENT_FILE_USES } from './agent-table.ts'
import { CODING_AGENTS } from './agent-tables.ts'

const ownHouse: OwnHouse = {
  ...{ files: [], folders: [], addresses: [], program: 'banksman' },
  agents: { homes: ['/home/ana'], environment: {} },
}
const policy = compilePolicy({ mode: 'bypass' }, { ownHouse, roots: ['/space'], home: '/home/ana' })
const reference = readFileSync(new URL('../../../docs/reference/policy.md', import.meta.url), 'utf8')

describe.each(CODING_AGENTS)('$name', ({ name, id, files, moved, programs }) => {
  it.each(files)('P11: $path ($level) is kept from every call', ({ path, holds }) => {
    const inside = path.endsWith('/') ? `${path}x.json` : path
    const places = path.startsWith('~/') ? [`/home/ana/${inside.slice(2)}`, inside] : [inside]
    for (const place of /^[/~A-Z]/.test(path) ? places : [inside, `/space/a/b/${inside}`]) {
      for (const call of [
        { tool: 'Write', arguments: { file_path: place, content: 'x' }, cwd: '/space' },
        { tool: 'mcp__fs__edit', arguments: { path: place }, cwd: '/space' },
        { tool: 'Bash', arguments: { command: `echo x > ${quoted(place)}` }, cwd: '/space' },
        { tool: 'Bash', arguments: { command: `rm -rf ${quoted(place)}` }, cwd: '/space' },
        { tool: 'Bash', arguments: { command: `cp evil ${quoted(place.toUpperCase())}` }, cwd: '/space' },
      ]) {
        const verdict = policy.evaluate(call)
        expect([verdict.kind, verdict.rule], JSON.stringify(call)).toEqual(['deny', 'built-in: agent files'])
      }
      expect(policy.evaluate({ tool: 'Read', arguments: { file_path: place }, cwd: '/space' }).kind).toBe(
        'allow',
      )
    }
    expect(holds.length).toBeGreaterThan(0)
    expect(holds.every((use) => AGENT_FILE_USES.includes(use))).toBe(true)
  })

  it.each(moved)('P11: $variable moves $from', ({ variable, from }) => {
    const environment = { [variable]: '/srv/elsewhere' }
    const agents = { homes: ['/home/ana'], environment }
    const other = compilePolicy({ mode: 'bypass' }, { ownHouse: { ...ownHouse, agents }, roots: ['/space'] })
    const [file] = files.filter(({ path }) => path.startsWith(from))
    const rest = file?.path.slice(from.length) ?? ''
    const place = `/srv/elsewhere${rest === '' ? '' : `/${rest}${rest.endsWith('/') ? 'x' : ''}`}`
    const call = { tool: 'Write', arguments: { file_path: place, content: 'x' }, cwd: '/space' }
    expect(file).toBeDefined()
    expect(other.evaluate(call).rule, place).toBe('built-in: agent files')
  })

  it('is told of in the reference, with every file', () => {
    const line = reference.split('\n').find((one) => one.startsWith(`| ${name} |`)) ?? ''
    for (const { path } of files) expect(line, path).toContain(`\`${path}\``)
    for (const { variable } of moved) expect(line).toContain(`\`${variable}\``)
    expect(id).toMatch(/^[a-z-]+$/)
    expect(programs).toEqual([...new Set(programs)])
  })
})

function quoted(path: string): string {
  return path.includes(' ') ? `'${path}'` : path
}
