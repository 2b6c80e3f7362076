/** A program with a list of arguments, at every place of the API that shows a call: as the one line that will run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { compilePolicy } from '../../policy/index.ts'
import type { WirePreview, WireView } from '../../wire/types/view.ts'
import { preview as previewSchema, view as viewSchema } from '../../wire/view.ts'

const KEY = `-----BEGIN PRIVATE KEY-----\n${'aB3dE6'.repeat(10)}\n-----END PRIVATE KEY-----\n`

let http: HttpGateway
beforeAll(async () => {
  const policy = compilePolicy(
    { deny: ['exec(rm -rf *)'], allow: ['exec(git status)', 'exec(grep *)'] },
    { tools: { launch: { kind: 'shell', command: '/program', words: '/with' } } },
  )
  http = await openHttpGateway({ setup: { policy, settings: { maxPendingPerSession: 1000 } } })
})
afterAll(() => http.close())

const list = (command: string, ...words: string[]) => ({ command, arguments: words })

async function viewOf(tool: string, args: Parameters<HttpGateway['ask']>[0] & object): Promise<WireView> {
  const { id } = await http.ask({ tool, ...args })
  const { json } = await http.send('GET', `/v1/requests/${id}/view`, { as: 'ben' })
  viewSchema.parse(json)
  return json
}
const lineOf = (view: Pick<WireView, 'line'>) => view.line?.pieces.map(({ text }) => text).join('')

describe('a program with a list of arguments', () => {
  it.each([
    [['a b'], "ls 'a b'"],
    [['a', 'b'], 'ls a b'],
    [[''], "ls ''"],
    [[], 'ls'],
    [['*', '$(id)', '~/x', 'a\nb'], "ls '*' '$(id)' '~/x' $'a\\nb'"],
  ])('P9: %j is one line on the page, with what the policy says of it', async (words, line) => {
    const view = await viewOf('exec', { arguments: list('ls', ...words) })
    expect(view.request.rendering.summary).toBe(`exec: ${line}`)
    expect(view.request.rendering.text).toContain(`  │ ${line}`)
    expect(view.parts).toMatchObject({ shape: 'command', blocks: [{ value: { text: line } }] })
    expect(lineOf(view)).toBe(line)
    expect(view.line).toMatchObject({ pointer: '/command', pointers: ['/command', '/arguments'] })
    expect(view.line?.commands).toMatchObject([{ text: line, verdict: 'ask' }])
    expect(view.line?.pieces.every(({ command }) => command === 0)).toBe(true)
  })

  it('P9: with a program that runs others, the line has the verdict of the strictest', async () => {
    const view = await viewOf('exec', { arguments: list('sh', '-c', 'git status; curl x') })
    expect(lineOf(view)).toBe("sh -c 'git status; curl x'")
    const verdicts = view.line?.commands.map(({ text, verdict }) => [text, verdict])
    expect(verdicts).toContainEqual(['git status', 'allow'])
    expect(verdicts).toContainEqual(['curl x', 'ask'])
    expect(view.line?.commands[view.line.pieces[0]?.command ?? -1]?.text).toBe('curl x')
  })

  it('P9: a list in place of the command, and a tool that says where its words are', async () => {
    expect(lineOf(await viewOf('exec', { arguments: { command: ['ls', 'a b'] } }))).toBe("ls 'a b'")
    const view = await viewOf('launch', { arguments: { program: 'ls', with: ['a b'], args: ['no'] } })
    expect(lineOf(view)).toBe("ls 'a b'")
    expect(view.request.rendering.summary).toBe("launch: ls 'a b'")
    const { json } = await http.send('GET', '/v1/history?tool=launch', { as: 'ben' })
    expect(json.items[0].request.rendering.summary).toBe("launch: ls 'a b'")
    const pending = await http.send('GET', '/v1/requests?brief=true', { as: 'ben' })
    expect(JSON.stringify(pending.json)).toContain("launch: ls 'a b'")
  })

  it('P9: beside a value that is hidden because of its name, at every place', async () => {
    const args = { program: 'ls', with: ['--token', 'a b'], password: 'hunter2' }
    const { request, ...view } = await viewOf('launch', { session: 'named', arguments: args })
    expect(lineOf(view)).toBe("ls --token 'a b'")
    expect(request.rendering.summary).toBe("launch: ls --token 'a b'")
    expect(request.masks.map(({ pointer }) => pointer)).toEqual(['/password'])
    const edited = { ...request.arguments, with: ['*'] }
    const body = { digest: request.digest, arguments: edited }
    const preview = await http.send('POST', `/v1/requests/${request.id}/preview`, { as: 'ben', body })
    expect(lineOf(preview.json)).toBe("ls '*'")
    const history = await http.send('GET', '/v1/history?session=named', { as: 'ben' })
    expect(history.text).toContain("launch: ls --token 'a b'")
    for (const shown of [JSON.stringify({ request, view }), preview.text, history.text])
      expect(shown).not.toContain('hunter2')
  })

  it('what was allowed is told as a line in the history, and what was just done too', async () => {
    const call = { callId: 'g', session: 'done', tool: 'exec', arguments: list('grep', 'a b', '$x') }
    await http.send('POST', '/v1/calls', { as: 'agent-1', body: call })
    await http.setup.gateway.flush()
    const { json } = await http.send('GET', '/v1/history?session=done', { as: 'ben' })
    expect(json.items[0].call.summary).toBe("exec: grep 'a b' '$x'")
    const { before } = await viewOf('exec', { session: 'done', arguments: list('ls') })
    expect(before[0]?.summary).toBe("exec: grep 'a b' '$x'")
  })

  it('P3: an edit is of the arguments themselves, and its preview has the line', async () => {
    const { id, digest } = await http.ask({ tool: 'exec', arguments: list('ls', 'a b') })
    const preview = async (args: object): Promise<WirePreview> => {
      const body = { digest, arguments: args }
      const { json } = await http.send('POST', `/v1/requests/${id}/preview`, { as: 'ben', body })
      previewSchema.parse(json)
      return json
    }
    expect(lineOf(await preview(list('ls', 'a', 'b')))).toBe('ls a b')
    expect(await preview(list('rm', '-rf', 'x'))).toMatchObject({ verdict: 'deny' })
    const decision = { decision: 'edit', digest, arguments: list('ls', 'a', '*') }
    const { json } = await http.send('POST', `/v1/requests/${id}/decisions`, { as: 'ben', body: decision })
    expect(json.request).toMatchObject({
      state: 'approved',
      arguments: list('ls', 'a', '*'),
      rendering: { summary: "exec: ls a '*'" },
    })
  })

  it('P9: a secret that needs quotes is nowhere in what the policy says', async () => {
    const { id } = await http.ask({ tool: 'exec', arguments: list('curl', '--key', KEY) })
    const { json, text } = await http.send('GET', `/v1/requests/${id}/view`, { as: 'ben' })
    expect(text).not.toContain('aB3dE6aB3dE6')
    expect(json.parts.blocks[0].value.text).toMatch(/^curl --key ⟨masked: private key, [0-9]+ characters⟩$/)
  })
})
