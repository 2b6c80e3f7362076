import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, startServer } from '../../../server/start-server.ts'
import { makeCliFolder } from '../../fixtures/program.ts'
import { runInProcess } from '../../fixtures/recording-terminal.ts'

const place = makeCliFolder()
let server: Server
beforeAll(async () => {
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: join(place.folder, '.banksman'),
    configuration: join(place.folder, 'banksman.yaml'),
    environment: place.environment,
    policy: { allow: ['Bash(ls *)'], deny: ['Bash(rm *)'] },
    report: ({ error }) => {
      throw error
    },
    say: () => {},
  })
  const agent = { subject: 'agent', role: 'agent', via: 'test' } as const
  for (const [index, command] of ['ls', 'ls -l', 'rm x', 'git status'].entries()) {
    const call = {
      tool: 'Bash',
      arguments: { command },
      callId: `c${index}`,
      session: 's',
      cwd: place.folder,
    }
    await server.gateway.review(call, agent)
  }
  await server.gateway.flush()
})
afterAll(async () => {
  await server.close()
  place.remove()
})
const run = (...args: string[]) => runInProcess(args, place.folder, place.environment)

it('tries a file on the calls that are on record', async () => {
  writeFileSync(join(place.folder, 'next.yaml'), 'policy:\n  allow: ["Bash(git status *)", "Bash(rm *)"]\n')
  const { code, stdout } = await run('policy', 'replay', 'next.yaml')
  expect(code).toBe(0)
  expect(stdout).toContain('4 calls of the last 30 days checked: 0 the same, 4 different')
  expect(stdout).toMatch(/No longer denied: 1\n {2}1 × Bash: deny would be allow/)
  expect(stdout).toMatch(/No longer need approval: 1\n {2}1 × Bash: ask would be allow/)
  expect(stdout).toMatch(/Newly need approval: 2\n {2}2 × Bash: allow would be ask/)
  expect(stdout).toContain('rm x')
  const json = JSON.parse((await run('policy', 'replay', 'next.yaml', '--json', '--days', '7')).stdout)
  expect(json).toMatchObject({ days: 7, calls: 4, groups: [{ change: 'denial undone' }, {}, {}] })
})

it('a mistake in the file is told with its place, and nothing is sent', async () => {
  writeFileSync(join(place.folder, 'wrong.yaml'), 'policy:\n  alow: []\n')
  const { code, stderr } = await run('policy', 'replay', 'wrong.yaml')
  expect(code).toBe(1)
  expect(stderr).toContain('wrong.yaml:2:3')
  expect((await run('policy', 'replay', 'nowhere.yaml')).code).toBe(1)
})
