import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway, type Who } from '../../../../test/fixtures/http-gateway.ts'
import type { ToolCall } from '../../../core/call.ts'
import type { DiffBlock } from '../../../core/rendering.ts'
import { makeVisible } from '../../../display/index.ts'
import { policyFrom, ask as rule } from '../../../gateway/fixtures/test-gateway.ts'
import { compilePolicy } from '../../../policy/index.ts'
import { createFactsGatherer } from '../../../server/facts/gather-facts.ts'
import { createTextReader } from '../../../server/facts/workspace-files.ts'
import type { WirePreview, WireView } from '../../../wire/types/view.ts'
import { preview as previewSchema, view as viewSchema } from '../../../wire/view.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u202e]/

let folder: string
let http: HttpGateway
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-view-')))
  const policy = compilePolicy(
    {
      deny: ['Bash(rm *)'],
      allow: ['look'],
      rules: [
        {
          name: 'production',
          when: { tool: 'deploy', arguments: { '/to': { equals: 'production' } } },
          then: 'ask',
        },
      ],
    },
    { roots: [folder], tools: { odd: { kind: 'shell', command: '/token' } } },
  )
  http = await openHttpGateway({
    setup: {
      policy,
      gatherFacts: createFactsGatherer({ lookups: policy.lookups, now: () => 0, home: '/home/none' }),
      readText: createTextReader(() => [folder]),
      settings: { maxPendingPerSession: 1000 },
    },
  })
})
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true, force: true })
})

async function viewOf(
  call: Partial<ToolCall>,
  as: Who = 'ben',
  headers: Record<string, string> = {},
): Promise<{ view: WireView; text: string }> {
  const { id } = await http.ask(call)
  const { status, json, text } = await http.send('GET', `/v1/requests/${id}/view`, { as, headers })
  expect(status, text).toBe(200)
  viewSchema.parse(json)
  return { view: json, text }
}

describe('GET /v1/requests/{id}/view', () => {
  it('P6: people see it; an agent does not, whoever’s request it is; what is not there is not there', async () => {
    const { id } = await http.ask()
    for (const as of ['ana', 'ben', 'eve'] as const) {
      const { json } = await http.send('GET', `/v1/requests/${id}/view`, { as })
      expect(json.request).toMatchObject({ id, yours: as !== 'eve' })
    }
    for (const as of ['agent-1', 'agent-2'] as const) {
      const own = await http.send('GET', `/v1/requests/${id}/view`, { as })
      const none = await http.send('GET', '/v1/requests/req_none/view', { as })
      expect([own.status, own.json.detail]).toEqual([403, none.json.detail])
    }
    expect((await http.send('GET', '/v1/requests/req_none/view', { as: 'ana' })).json.code).toBe('unknown_id')
    expect((await http.send('GET', `/v1/requests/${id}/view`)).status).toBe(401)
  })

  it('has the call in parts, what the policy says, the schema and who could decide', async () => {
    const schema = { type: 'object', properties: { to: { type: 'string', description: 'x\u200by' } } }
    const { view } = await viewOf({ arguments: { to: 'production' }, definition: { schema } })
    expect(view.parts).toMatchObject({ shape: 'other' })
    expect(view.parts.fields.find((field) => field.pointer === '/to')?.value.text).toBe('production')
    expect(view.judgement).toMatchObject({
      verdict: 'ask',
      mode: 'default',
      tool: { name: 'deploy', known: false },
      rules: [{ rule: 'production', kind: 'ask', decided: true }],
    })
    expect(view.judgement).not.toHaveProperty('policyChanged')
    expect(view.schema).toMatchObject({ properties: { to: { description: 'x⟨U+200B ZWSP⟩y' } } })
    expect(view.eligible).toEqual({ production: ['ana', 'ben'] })
    expect(view.line).toBeUndefined()
  })

  it('P9: a shell line is cut by its commands, and everything that quotes it is visible', async () => {
    const command = 'ls; echo \u202e$(cat \u200by) && $X \u0007'
    const { view, text } = await viewOf({ tool: 'Bash', arguments: { command } })
    const { line } = view
    expect(line?.pointer).toBe('/command')
    expect(line?.pieces.map((piece) => piece.text).join('')).toBe(
      makeVisible(command, { lines: 'keep' }).text,
    )
    expect(line?.commands.map((each) => each.text)).toEqual([
      'ls',
      expect.stringContaining('⟨U+202E RLO⟩'),
      "cat $'\\u200by'",
      "$X $'\\x07'",
    ])
    expect(line?.doubts.length).toBeGreaterThan(0)
    const { request: _, ...rest } = JSON.parse(text) as WireView
    expect(JSON.stringify(rest).replaceAll('\\n', '')).not.toMatch(/\\u00|\u202e|\u200b/)
    expect(HIDDEN.test(JSON.stringify(rest))).toBe(false)
  })

  it('P9: of a line with very many commands the strictest are listed, and the others counted', async () => {
    const setup = await openHttpGateway({
      setup: {
        policy: policyFrom(() => rule('all'), {
          explain: ({ arguments: args }) => ({
            verdict: rule('all'),
            tool: { name: 'Bash', known: true },
            mode: 'default',
            rules: [{ rule: 'all', kind: 'ask', holds: 'yes', decided: true, about: Array(100).fill('a') }],
            pointer: '/command',
            commands: Array.from({ length: 2000 }, (_, index) => ({
              text: index === 1999 ? 'rm x' : 'a',
              start: 2 * index,
              end: 2 * index + 1,
              through: [],
              verdict: index === 1999 ? 'deny' : 'ask',
              because: String(args.command).slice(0, 5),
              doubts: [],
            })),
            doubts: [],
          }),
        }),
      },
    })
    const { id } = await setup.ask({ tool: 'Bash', arguments: { command: 'a;'.repeat(2000) } })
    const { json } = await setup.send('GET', `/v1/requests/${id}/view`, { as: 'ana' })
    expect(json.line.commands).toHaveLength(500)
    expect(json.line.commands.at(-1)).toMatchObject({ text: 'rm x', verdict: 'deny' })
    expect(json.line.leftOut).toEqual({ commands: 1500, doubts: 0 })
    expect(json.judgement.rules[0].about).toHaveLength(21)
    expect(json.judgement.rules[0].about.at(-1)).toContain('80 parts left out')
    await setup.close()
  })

  it('P9: a secret is nowhere in the answer, not in what was decided or done before either', async () => {
    const args = { to: 'production', token: SECRET, note: 'x\u202ey' }
    const first = await http.ask({ arguments: args, session: 'secret' })
    const rejection = { decision: 'reject', digest: first.digest, reason: 'no\u200b' }
    await http.send('POST', `/v1/requests/${first.id}/decisions`, { as: 'ana', body: rejection })
    await http.send('POST', '/v1/calls', {
      as: 'agent-1',
      body: { tool: 'look', arguments: { token: SECRET, at: 'a\u202eb' }, callId: 'l1', session: 'secret' },
    })
    await http.setup.gateway.flush()
    const { view, text } = await viewOf({ arguments: args, session: 'secret' })
    expect(text).not.toContain(SECRET)
    expect(view.earlier[0]).toMatchObject({
      likeness: 'same',
      id: first.id,
      state: 'rejected',
      summary: expect.stringContaining('masked: GitHub token'),
      decision: { kind: 'reject', by: 'ana', reason: 'no⟨U+200B ZWSP⟩' },
    })
    expect(view.before.map(({ tool, verdict }) => [tool, verdict])).toEqual([
      ['look', 'allow'],
      ['deploy', 'ask'],
    ])
    expect(view.before[1]?.request).toEqual({ id: first.id, state: 'rejected' })
    const { earlier, before, parts, judgement } = view
    expect(JSON.stringify({ earlier, before, parts, judgement })).not.toMatch(/[\u202e\u200b]/)
    expect(view.parts.fields.find((field) => field.pointer === '/token')).toMatchObject({
      masked: { kind: 'GitHub token', length: 40 },
    })
  })

  it('P9: nor in the schema, where a form offers its mask instead', async () => {
    const schema = {
      type: 'object',
      properties: {
        token: { enum: [SECRET, 'none'], default: SECRET, description: `\u200b${SECRET}` },
        other: { const: { deep: SECRET } },
      },
    }
    const { view, text } = await viewOf({ arguments: { token: SECRET }, definition: { schema } })
    expect(text).not.toContain(SECRET)
    const mask = '⟨masked: GitHub token, 40 characters⟩'
    expect(view.request.arguments.token).toBe(mask)
    expect(view.schema).toEqual({
      type: 'object',
      properties: {
        token: { enum: [mask, 'none'], default: mask, description: `⟨U+200B ZWSP⟩${mask}` },
        other: { const: { deep: mask } },
      },
    })
  })

  it('P9: a line that is masked has no pieces, and nothing quotes it', async () => {
    const { view, text } = await viewOf({ tool: 'odd', arguments: { token: SECRET } })
    expect(text).not.toContain(SECRET)
    expect(view.line).toBeUndefined()
    expect(view.judgement?.verdict).toBe('ask')
  })

  it('a change of a file is shown against the file as it is, with its lines and those around it', async () => {
    const path = join(folder, 'a.txt')
    writeFileSync(path, Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n'))
    const call = {
      tool: 'Edit',
      arguments: { file_path: path, old_string: 'line 10', new_string: 'line ten' },
    }
    const { view } = await viewOf(call)
    const diff = view.parts.blocks.find((block): block is DiffBlock => block.kind === 'diff')
    expect(diff?.label).toBe('Change in the file')
    expect(diff?.rows).toContainEqual({
      kind: 'removed',
      oldLine: 10,
      value: expect.objectContaining({ text: 'line 10' }),
    })
    expect(diff?.rows).toContainEqual({
      kind: 'same',
      oldLine: 9,
      newLine: 9,
      value: expect.objectContaining({ text: 'line 9' }),
    })
    // Who may only look is shown the change by itself.
    const seen = (await viewOf(call, 'eve')).text
    expect(seen).not.toContain('line 9')
    // A text that is not there is said to be none of the file's.
    writeFileSync(path, 'something else')
    const { view: later } = await viewOf(call)
    expect(later.request.rendering.warnings.join()).toContain("isn't in the current file")
  })

  it('P6: no file outside the workspace is shown', async () => {
    const call = { tool: 'Write', arguments: { file_path: '/etc/hostname', content: 'x' } }
    const { view } = await viewOf(call)
    expect(view.parts.blocks.map((block) => block.kind)).toEqual(['code'])
  })

  it('speaks the reader’s language', async () => {
    const path = join(folder, 'b.txt')
    writeFileSync(path, 'one\n')
    const call = { tool: 'Write', arguments: { file_path: path, content: 'two\n' } }
    const { view } = await viewOf(call, 'ben', { 'accept-language': 'zh-CN' })
    expect(view.parts.blocks[0]?.label).toContain('与现有文件对比')
    expect(view.request.rendering.text).toContain('工具：')
  })

  it('P5: of one that was erased it does not pretend to know anything', async () => {
    const request = await http.ask({ session: 'erased', arguments: { to: 'gone' } })
    const body = { decision: 'reject', digest: request.digest }
    await http.send('POST', `/v1/requests/${request.id}/decisions`, { as: 'ana', body })
    http.setup.clock.jump(1000)
    await http.setup.gateway.history.eraseOlderThan(1)
    const { json, text } = await http.send('GET', `/v1/requests/${request.id}/view`, { as: 'ana' })
    viewSchema.parse(json)
    expect(text).not.toContain('gone')
    expect(json.request.erased).toBe(true)
    expect(json).not.toHaveProperty('judgement')
    const { view } = await viewOf({ session: 'erased' })
    expect(view.before[0]?.summary).toContain('erased')
  })
})

describe('POST /v1/requests/{id}/preview', () => {
  const preview = (id: string, body: object, as: Who = 'ben') =>
    http.send('POST', `/v1/requests/${id}/preview`, { as, body })

  it('says what the edit would be, what the policy would say, and which rules ask anew', async () => {
    const { id, digest } = await http.ask({ arguments: { to: 'staging' } })
    const { status, json } = await preview(id, { digest, arguments: { to: 'production' } })
    expect(status).toBe(200)
    const told: WirePreview = previewSchema.parse(json)
    expect(told).toMatchObject({
      verdict: 'ask',
      severity: 'normal',
      newRules: ['production'],
      warnings: [],
    })
    expect(told.parts.fields.find((field) => field.pointer === '/to')?.value.text).toBe('production')
  })

  it('says where it would be denied, with the line cut by its commands', async () => {
    const { id, digest } = await http.ask({ tool: 'Bash', arguments: { command: 'ls' } })
    const { json } = await preview(id, { digest, arguments: { command: 'ls; rm -rf \u202ex' } })
    expect(json).toMatchObject({ verdict: 'deny', newRules: [] })
    expect(json.line.commands.map((each: { verdict: string }) => each.verdict)).toEqual(['ask', 'deny'])
    expect(json.warnings.join()).toContain('Hidden characters')
    expect(JSON.stringify(json)).not.toContain('\u202e')
  })

  it('says how severe it would be', async () => {
    const { id, digest } = await http.ask({ tool: 'Bash', arguments: { command: 'git status' } })
    const { json } = await preview(id, { digest, arguments: { command: 'dd if=/dev/zero of=/dev/sda' } })
    expect(previewSchema.parse(json)).toMatchObject({
      verdict: 'ask',
      severity: expect.not.stringMatching('normal'),
    })
  })

  it('P6: shows no file that the pending call does not name', async () => {
    const named = join(folder, 'named.txt')
    const other = join(folder, '.env')
    writeFileSync(named, 'its first line\nDEBUG=1\n')
    writeFileSync(other, 'their first line\nDEBUG=1\n')
    const args = { file_path: named, old_string: 'DEBUG=1', new_string: 'DEBUG=0' }
    const { id, digest } = await http.ask({ tool: 'Edit', arguments: args })
    const same = await preview(id, { digest, arguments: { ...args, new_string: 'DEBUG=2' } })
    expect(same.text).toContain('its first line')
    const tried = await preview(id, { digest, arguments: { ...args, file_path: other } })
    expect(tried.status).toBe(200)
    expect(tried.text).not.toContain('first line')
    const block = tried.json.parts.blocks.find((one: DiffBlock) => one.kind === 'diff')
    expect(block).toMatchObject({ added: 1, removed: 1 })
  })

  it('P9: lifts no mask, and masks what is new', async () => {
    const { id, digest, arguments: args } = await http.ask({ arguments: { token: SECRET, to: 'x' } })
    const other = `ghp_${'Z9y8'.repeat(9)}`
    const { json, text } = await preview(id, { digest, arguments: { ...args, to: 'y', api_token: other } })
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(other)
    expect(json.verdict).toBe('ask')
    const { chain } = (await http.setup.store.journal.chains()).at(-1)!
    const entries = await http.setup.store.journal.read(chain, 0, 1000)
    expect(entries.filter(({ type }) => type === 'mask.lifted')).toEqual([])
  })

  it('P6, P11: is refused to agents and to who may not decide, and on what was not shown', async () => {
    const request = await http.ask()
    const { id, digest } = request
    const body = { digest, arguments: { to: 'y' } }
    expect((await preview(id, body, 'agent-1')).json.code).toBe('forbidden')
    expect((await preview(id, body, 'eve')).json.code).toBe('not_yours')
    expect((await preview('req_none', body)).json.code).toBe('unknown_id')
    expect((await preview(id, { ...body, digest: 'other' })).json.code).toBe('digest_mismatch')
    expect((await preview(id, { digest })).status).toBe(400)
    expect((await preview(id, { ...body, scope: 'always' })).status).toBe(400)
    await http.send('POST', `/v1/requests/${id}/decisions`, {
      as: 'ana',
      body: { decision: 'reject', digest },
    })
    expect((await preview(id, body)).json.code).toBe('not_pending')
  })
})
