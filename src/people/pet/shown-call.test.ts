import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../core/call.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { type KnownTool, UNKNOWN_TOOL } from '../../core/known-tool.ts'
import type { Request } from '../../core/request.ts'
import { approvalData as dataOf, resolutionData, wireId } from './shown-call.ts'

const approvalData = (request: Request, known: KnownTool = UNKNOWN_TOOL) => dataOf(request, () => known)

function requestFor(args: JsonObject, parts: Partial<Request> = {}): Request {
  const call = prepareCall({ tool: 'exec', arguments: args, callId: 'c1', session: 's', cwd: '/srv' })
  return {
    id: 'req_1',
    kind: 'approval',
    session: 's',
    callId: 'c1',
    submittedBy: 'agent',
    tool: call.tool,
    digest: call.digest,
    bytes: call.bytes,
    commitmentKey: '00',
    because: 'exec is asked about',
    origin: { channel: 'pet', conversation: 'pet/ana/default/my%20key' },
    terms: { conditions: [], allowedDecisions: ['approve', 'reject'], scopes: ['once'], severity: 'high' },
    reach: 'live',
    policyVersion: 'v',
    expiresInMs: 60_000,
    state: 'pending',
    version: 1,
    createdAt: 0,
    deadline: 1_700_000_060_500,
    progress: {},
    ...parts,
  }
}

const SECRET = `ghp_${'a1B2'.repeat(9)}`

describe('what is pushed of a call', () => {
  it('has the original’s members, and ours beside them', () => {
    expect(approvalData(requestFor({ command: 'ipconfig' }))).toEqual({
      request_id: 'req_1',
      tool: 'exec',
      arguments: { command: 'ipconfig' },
      cwd: '/srv',
      tool_call_id: 'c1',
      session_key: 'my key',
      expires_at: 1_700_000_060,
      because: 'exec is asked about',
      severity: 'high',
    })
  })

  it('P9: has the line that will run, where the catalogue says what the tool runs', () => {
    const command = { command: '/program', words: '/with' }
    const args = { program: 'ls', with: ['a b'], password: 'hunter2' }
    const known = { isKnown: true, acting: [], command }
    const shown = approvalData(requestFor(args), known)
    expect(shown).toMatchObject({ command_line: "ls 'a b'", arguments: { program: 'ls' } })
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })

  it('P9: masks secrets and writes out what can’t be seen, in keys and tool names too', () => {
    const shown = approvalData(
      requestFor(
        { token: SECRET, command: 'rm \u202eecalp\u2028', 'a\u200bb': ['x\u0000'] },
        { tool: 'ex\u200bec' },
      ),
    )
    const text = JSON.stringify(shown)
    expect(text).not.toContain(SECRET)
    expect(text).toContain('⟨masked: ')
    expect(text).toContain('⟨U+202E RLO⟩')
    expect(text).not.toMatch(/\p{Cf}|\\u0000|\u2028/u)
  })

  it('P9: a value can’t pretend to be a mask', () => {
    const { arguments: args } = approvalData(requestFor({ note: '⟨masked: password, 8 characters⟩' })) as {
      arguments: { note: string }
    }
    expect(args.note.startsWith('⟨masked')).toBe(false)
  })

  it('P9: whatever the arguments are, nothing invisible is pushed, and nothing is missing', () => {
    const keys = fc.string({ unit: 'binary', maxLength: 8 })
    const args = fc.dictionary(keys, fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>, {
      maxKeys: 5,
    })
    fc.assert(
      fc.property(args, (given) => {
        let request: Request
        try {
          request = requestFor(given)
        } catch {
          // What has no canonical form is refused before anyone is asked.
          return
        }
        const shown = approvalData(request).arguments as JsonObject
        expect(Object.keys(shown)).toHaveLength(Object.keys(given).length)
        for (const text of textsOf(shown))
          expect(text).not.toMatch(/[\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069]/)
      }),
    )
  })

  it.each([
    ['one long text', { content: 'x'.repeat(500_000) }],
    ['many texts', Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`k${n}`, 'y'.repeat(2000)]))],
    ['more members than any frame takes', { list: Array.from({ length: 9_990 }, (_, n) => `item ${n}`) }],
  ])('P9: %s is cut with a mark, and says that it is', (_, args) => {
    const data = approvalData(requestFor(args))
    expect(data.shortened).toBe(true)
    expect(JSON.stringify(data).length).toBeLessThan(80_000)
    expect(JSON.stringify(data)).toMatch(/left out⟩/)
  })

  it('says when the arguments are gone', () => {
    expect(approvalData(requestFor({}, { bytes: '' }))).toMatchObject({ arguments: {}, erased: true })
  })

  it('P3: has another id for other bytes', () => {
    const request = requestFor({ command: 'ls' })
    const other = requestFor({ command: 'rm' })
    const edit = { digest: other.digest, bytes: other.bytes, by: 'ben', terms: request.terms }
    const edited = { ...request, progress: { edit } }
    expect(wireId(edited)).not.toBe(wireId(request))
    expect(approvalData(edited)).toMatchObject({ request_id: wireId(edited), arguments: { command: 'rm' } })
  })
})

describe('what is said of the end', () => {
  const decision = { by: 'ana', at: 1, via: 'inbox', digest: 'd' }
  it.each([
    [{ state: 'expired' }, { state: 'expired' }],
    [{ state: 'unreachable' }, { state: 'unreachable' }],
    [
      { state: 'running', progress: { decision: { ...decision, kind: 'approve' } } },
      { state: 'approved', by: 'ana' },
    ],
    [
      { state: 'done', progress: { decision: { ...decision, kind: 'edit' } } },
      { state: 'approved', by: 'ana' },
    ],
    [{ state: 'answered', progress: { decision: { ...decision, kind: 'respond' } } }, { state: 'answered' }],
    [
      { state: 'terminated', progress: { decision: { ...decision, kind: 'terminate' } } },
      { state: 'terminated' },
    ],
    [
      {
        state: 'cancelled',
        progress: { cancelled: { cause: 'withdrawn', by: 'agent', reason: 'ne\u200bver' } },
      },
      { state: 'cancelled', by: 'agent', reason: 'ne⟨U+200B ZWSP⟩ver' },
    ],
  ] as [Partial<Request>, object][])('%j', (parts, expected) => {
    expect(resolutionData(requestFor({}, parts), 'req_1')).toMatchObject({ request_id: 'req_1', ...expected })
  })
})

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value)
    ? value.flatMap(textsOf)
    : Object.entries(value).flatMap(([key, member]) => [key, ...textsOf(member)])
}

describe('P9: a value that is hidden because of its name', () => {
  const known = { isKnown: true, acting: [] }

  it('says that it can not be approved here, and where it can, unless it is plainly a secret of a known tool', () => {
    const elsewhere = { approvable: false, approve_in: '/#/pending/req_1', approve_note: expect.any(String) }
    const action = requestFor({ password: 'rm -rf /' })
    expect(approvalData(action, known)).toMatchObject(elsewhere)
    expect(JSON.stringify(approvalData(action, known))).not.toContain('rm -rf')
    const plain = requestFor({ password: 'hunter2' })
    expect(approvalData(plain)).toMatchObject(elsewhere)
    expect(approvalData(plain, known)).not.toHaveProperty('approvable')
    expect(JSON.stringify(approvalData(plain, known))).not.toContain('hunter2')
  })
})
