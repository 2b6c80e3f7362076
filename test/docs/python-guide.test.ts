/** The guide for Python does what it says: its programs are run as they are printed, beside the client, against a real server. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ana, newestRequest } from '../../src/gateway/fixtures/test-gateway.ts'
import { ROOT } from '../architecture/source-files.ts'
import { type HttpGateway, openHttpGateway } from '../fixtures/http-gateway.ts'
import { SUITE_POLICY } from '../guard/suite-policy.ts'
import { noPython, python } from '../python/python.ts'

const guide = readFileSync(join(ROOT, 'docs/guide/python.md'), 'utf8')
const blocks = [...guide.matchAll(/^```python(?: (\S+))?\n(.*?)^```$/gms)]
const files = new Map(
  blocks.flatMap(([, name, program = '']) => (name === undefined ? [] : [[name, program]])),
)

let http: HttpGateway
const folder = mkdtempSync(join(tmpdir(), 'python-guide-'))
afterEach(() => http?.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program of the guide; it runs until it ends, and has its exit code and what it printed. */
async function start(name: string): Promise<() => Promise<{ code: number; printed: string }>> {
  copyFileSync(join(ROOT, 'clients/python/banksman.py'), join(folder, 'banksman.py'))
  writeFileSync(join(folder, name), files.get(name) ?? expect.fail(`the guide has no ${name}`))
  const env = {
    ...process.env,
    BANKSMAN_URL: http.server.address.url,
    BANKSMAN_TOKEN: http.tokens['agent-1'],
  }
  const child = spawn(python, ['-B', name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const printed = text(child.stdout)
  return async () => ({ code: (await ended)[0], printed: (await printed).trim() })
}

async function decide(decision: 'approve' | 'reject', reason?: string): Promise<void> {
  const { id, digest } = await newestRequest(http.setup)
  await http.setup.gateway.decide(id, { decision, digest, ...(reason === undefined ? {} : { reason }) }, ana)
}

describe.skipIf(noPython)('docs/guide/python.md', () => {
  const open = async () => {
    http = await openHttpGateway({ setup: { policy: SUITE_POLICY } })
  }

  it('mail.py waits for a person, and prints what came of it', async () => {
    await open()
    let ended = await start('mail.py')
    await decide('approve')
    expect(await ended()).toEqual({ code: 0, printed: 'sent to ana@example.com' })
    ended = await start('mail.py')
    await decide('reject', 'not today')
    const { printed } = await ended()
    expect(JSON.parse(printed)).toMatchObject({ ran: false, state: 'rejected', by: 'ana' })
    expect(printed).toContain('not today')
  })

  it('results.py tells one result from another', async () => {
    await open()
    let ended = await start('results.py')
    await decide('approve')
    expect((await ended()).printed).toBe('ran: sent to ana@example.com approved by ana')
    ended = await start('results.py')
    expect((await ended()).printed).toMatch(/^refused: done /)
  })

  it('tickets.py comes back later', async () => {
    await open()
    expect(await (await start('tickets.py'))()).toMatchObject({
      code: 75,
      printed: expect.stringMatching(/^come back later: req_/),
    })
    await decide('approve')
    expect(await (await start('tickets.py'))()).toEqual({ code: 0, printed: 'sent to ana@example.com' })
  })

  it('several.py waits for three at once', async () => {
    await open()
    const ended = await start('several.py')
    for (let request = 0; request < 3; request++) await decide('approve')
    expect((await ended()).printed).toBe("['sent to ana', 'sent to ben', 'sent to eve']")
  })

  it('prints no program that is not run here, and recipes that Python can read', () => {
    expect([...files.keys()]).toEqual(['mail.py', 'results.py', 'tickets.py', 'several.py'])
    // Recipes await at their top level, which stands for the reader's own function.
    const recipes = blocks.filter(([, name]) => name === undefined).map(([, , program = '']) => program)
    expect(recipes.length).toBeGreaterThan(4)
    const program =
      'import ast, json, sys\nfor one in json.load(sys.stdin): compile(one, "recipe", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)'
    const read = spawnSync(python, ['-c', program], { input: JSON.stringify(recipes), encoding: 'utf8' })
    expect(read.stderr).toBe('')
    expect(guide).toContain('**These were not tried.**')
  })
})
