import { expect, it } from 'vitest'
import { agentFilePlaces } from './agent-file-places.ts'
import { CODEX } from './agents/codex.ts'

const pathsOf = (environment: Record<string, string>, projects: string[] = []) =>
  agentFilePlaces(CODEX, { home: '/home/ana', environment, projects }).map(({ path }) => path)

it('are in the home folder, or where the variable says, and in each folder of the project', () => {
  expect(pathsOf({})).toContain('/home/ana/.codex/hooks.json')
  const moved = pathsOf({ CODEX_HOME: '/srv/c/' }, ['/srv/shop/app', '/srv/shop'])
  expect(moved).toContain('/srv/c/hooks.json')
  expect(moved).not.toContain('/home/ana/.codex/hooks.json')
  expect(moved).toEqual(
    expect.arrayContaining(['/srv/shop/app/.codex/hooks.json', '/srv/shop/.codex/hooks.json', '/etc/codex/']),
  )
  expect(moved.every((path) => path.startsWith('/'))).toBe(true)
})
