import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json/json.ts'
import type { KnownTool } from '../core/known-tool.ts'
import { renderCall } from './render.ts'

const known = (kind: KnownTool['kind'], ...acting: string[]): KnownTool => ({ isKnown: true, acting, kind })

describe('what a call would do, in one line', () => {
  it.each([
    ['exec', { command: 'git', arguments: ['push', 'origin', 'main'] }, 'shell', 'Run git push origin main'],
    ['Bash', { command: 'npm test' }, 'shell', 'Run npm test'],
    ['Write', { file_path: 'a.ts', content: 'one\ntwo\n' }, 'edit', 'Write a.ts (2 lines)'],
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'edit', 'Edit a.ts (+1 −1)'],
    ['Read', { file_path: '/etc/hosts' }, 'read', 'Read /etc/hosts'],
    ['WebFetch', { url: 'https://example.org/a', prompt: 'why' }, 'network', 'Open https://example.org/a'],
  ] satisfies [string, JsonObject, KnownTool['kind'], string][])('%s', (tool, args, kind, title) => {
    const { intent, ...rest } = renderCall(
      { tool, arguments: args },
      { known: known(kind, '/file_path', '/url') },
    )
    expect(rest.title).toBe(title)
    expect(intent).not.toBe('other')
  })

  it('says whom a mail goes to, blind copies too, and about what', () => {
    const mail = (args: JsonObject) =>
      renderCall({ tool: 'send_mail', arguments: args }, { known: known('network') })
    const args = { subject: 'Your order', body: 'Hello', to: 'kim@example.com' }
    expect(mail(args)).toMatchObject({ intent: 'mail', title: 'Send mail to kim@example.com: Your order' })
    expect(mail({ ...args, cc: [], bcc: ['eve@example.org'] }).title).toBe(
      'Send mail to kim@example.com, eve@example.org: Your order',
    )
    const zh = renderCall({ tool: 'send_mail', arguments: args }, { known: known('network'), locale: 'zh' })
    expect(zh.title).toBe('发送邮件给 kim@example.com: Your order')
  })

  it('lays a mail out as people read one: to, cc, bcc, subject, then what it says', () => {
    const args = { attach: 'a.pdf', bcc: 'e@x.org', body: 'Hi', cc: 'b@x.org', subject: 'Tea', to: 'k@x.org' }
    const labels = (given: JsonObject) =>
      renderCall({ tool: 'send_mail', arguments: given }).fields.map(({ label }) => label)
    expect(labels(args)).toEqual(['to', 'cc', 'bcc', 'subject', 'body', 'attach'])
    expect(labels({ from: 'a', to: 'b' })).toEqual(['from', 'to'])
  })

  it('P9: what is not plainly a mail, or names no address, is said by the name of its tool', () => {
    const of = (tool: string, args: JsonObject, kind: KnownTool['kind'] | 'none' = 'network') =>
      renderCall({ tool, arguments: args }, { known: known(kind === 'none' ? undefined : kind) })
    const secret = `ghp_${'a1B2'.repeat(9)}`
    for (const args of [
      { to: 'kim' },
      { to: [] },
      { to: 'kim@example.com', bcc: 'everybody' },
      { to: [{ token: secret }] },
      { to: 'a@b.example; rm -rf /' },
      { cc: 'kim@example.com' },
    ])
      expect([args, of('send_mail', args).intent]).toEqual([args, 'other'])
    expect(of('send_mail', { to: 'kim@example.com', subject: secret }).title).toBe(
      'Send mail to kim@example.com',
    )
    expect(of('send_mail', { to: 'kim@example.com' }, 'none').intent).toBe('other')
    expect(of('deploy', { to: 'kim@example.com' }).title).toBe('deploy: to=kim@example.com')
    expect(of('WebSearch', { query: 'weather' }).title).toBe('WebSearch: query=weather')
    expect(of('Grep', { pattern: 'x' }, 'read').title).toBe('Grep: pattern=x')
  })

  it('P9: says nothing of what a tool does that nobody knows', () => {
    const args = { path: 'a.ts', content: 'x', command: 'ls' }
    const { intent, title, summary } = renderCall({ tool: 'sync', arguments: args })
    expect(intent).toBe('other')
    expect(title).toBe(summary)
    expect(title).toMatch(/^sync: /)
  })

  it.each([
    ['write_file', { path: '.bashrc', file_path: 'notes.txt', content: 'x' }],
    ['write_file', { path: 'a.ts', content: 'x', text: 'y' }],
    ['Write', { file_path: '.bashrc', content: 'x', old_string: 'a', new_string: 'b' }],
    ['edit_file', { path: 'a.ts', old_text: 'x', new_text: 'y', old_string: 'a', new_string: 'b' }],
    ['MultiEdit', { file_path: 'a.ts', edits: [], old_string: 'a', new_string: 'b' }],
  ] satisfies [string, JsonObject][])(
    'P9: of %s with two files, texts or changes the title says all that is given: %j',
    (tool, args) => {
      const { intent, title } = renderCall(
        { tool, arguments: args },
        { known: known('edit', '/path', '/file_path') },
      )
      expect(intent).toBe('other')
      expect(title).toMatch(new RegExp(`^${tool}: `))
      for (const name of Object.keys(args)) expect(title).toContain(`${name}=`)
    },
  )

  it('P9: of two paths none is left out, and what sends something does not only open an address', () => {
    const paths = renderCall(
      { tool: 'Glob', arguments: { path: 'src', pattern: '/etc/**' } },
      { known: known('read', '/path', '/pattern') },
    )
    expect(paths.title).toBe('Glob: path=src, pattern=/etc/**')
    const sent = { url: 'https://example.org/', method: 'DELETE' }
    expect(renderCall({ tool: 'http', arguments: sent }, { known: known('network', '/url') }).title).toBe(
      'http: url=https://example.org/, method=DELETE',
    )
  })

  it('P9: a masked address, and a list where the command should be, are no target', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const { title } = renderCall(
      { tool: 'fetch_url', arguments: { token: secret } },
      { known: known('network', '/token') },
    )
    expect(title).not.toContain(secret)
    expect(
      renderCall({ tool: 'Bash', arguments: { command: { a: 1 } } }, { known: known('shell') }).intent,
    ).toBe('other')
  })

  it('a tool that reads or reaches something else than files and the web is called by its name', () => {
    const sent = { to: 'kim@example.com', subject: 'Hello' }
    expect(renderCall({ tool: 'send_parcel', arguments: sent }, { known: known('network') }).intent).toBe(
      'other',
    )
    const orders = { customer: 7 }
    expect(renderCall({ tool: 'get_orders', arguments: orders }, { known: known('read') }).title).toBe(
      'get_orders: customer=7',
    )
  })

  it('P9: line breaks and hidden characters of the action stay visible in it', () => {
    const { title } = renderCall(
      { tool: 'Bash', arguments: { command: 'ls\nrm\u202e x' } },
      { known: known('shell') },
    )
    expect(title).toBe('Run ls⟨LF⟩rm⟨U+202E RLO⟩ x')
  })
})
