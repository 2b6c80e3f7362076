import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Facts, Severity } from '../../core/verdict.ts'
import {
  agent,
  ana,
  ask,
  askedRequest,
  ben,
  eve,
  openTestGateway,
  otherAgent,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
afterEach(() => setup.close())

describe('previewEdit', () => {
  const policy = {
    deny: ['Bash(rm *)'],
    rules: [
      { name: 'all', when: { tool: ['deploy', 'Bash'] }, then: 'ask' },
      {
        name: 'production',
        when: { tool: 'deploy', arguments: { '/environment': { equals: 'production' } } },
        then: 'ask',
        approvers: ['group:sre'],
      },
    ],
  }
  const preview = (request: Request, args: JsonObject, by = ben, digest = request.digest) =>
    setup.gateway.previewEdit(request.id, { digest, arguments: args }, by)

  it('says what the policy would say, and which rules ask anew', async () => {
    setup = await openTestGateway({ policy })
    const request = await askedRequest(setup)
    expect(await preview(request, { environment: 'production' })).toMatchObject({
      verdict: { kind: 'ask' },
      newRules: ['production'],
      content: { tool: 'deploy', arguments: { environment: 'production' } },
    })
    expect(await preview(request, { environment: 'qa' })).toMatchObject({ newRules: [] })
    const shell = await askedRequest(setup, { tool: 'Bash', arguments: { command: 'ls' } })
    expect(await preview(shell, { command: 'rm -rf /' })).toMatchObject({
      verdict: { kind: 'deny' },
      newRules: [],
    })
  })

  it('P10: changes and records nothing, whatever it says', async () => {
    setup = await openTestGateway({ policy })
    const request = await askedRequest(setup, { tool: 'Bash', arguments: { command: 'ls' } })
    const before = await setup.store.journal.cursor()
    await preview(request, { command: 'rm x' })
    await preview(request, { command: 'ls -a' })
    expect(await setup.store.journal.cursor()).toBe(before)
    expect(await setup.gateway.get(request.id, ana)).toEqual(request)
  })

  it('P6: is for who may decide, on what was shown, while it is pending', async () => {
    setup = await openTestGateway({ policy })
    const request = await askedRequest(setup)
    const args = { environment: 'qa' }
    await expect(preview(request, args, eve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(preview(request, args, agent)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(preview(request, args, otherAgent)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(preview(request, args, ben, 'another')).rejects.toMatchObject({ code: 'digest_mismatch' })
    await setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, ana)
    await expect(preview(request, args)).rejects.toMatchObject({ code: 'not_pending' })
  })

  it('tells beforehand what the edit itself would be told', async () => {
    setup = await openTestGateway({ policy })
    const schema = { type: 'object', properties: { environment: { type: 'string' } } }
    const request = await askedRequest(setup, { definition: { schema } })
    for (const [args, by] of [
      [{ environment: 5 }, ben],
      [{ environment: 'production' }, ana],
      [{ environment: '⟨masked: GitHub token, 40 characters⟩' }, ben],
    ] as const) {
      const edit = { decision: 'edit', digest: request.digest, arguments: args } as const
      const told = await setup.gateway.decide(request.id, edit, by).catch((error) => error.code)
      await expect(preview(request, args, by)).rejects.toMatchObject({ code: told })
    }
  })

  it('what was not changed would be taken as an approval', async () => {
    let isLate = false
    setup = await openTestGateway({
      policy: policyFrom(() => (isLate ? { kind: 'deny', because: 'no longer' } : ask('deploys'))),
    })
    const request = await askedRequest(setup)
    isLate = true
    expect(await preview(request, { environment: 'staging' })).toMatchObject({ verdict: { kind: 'ask' } })
    const unchanged = {
      decision: 'edit',
      digest: request.digest,
      arguments: { environment: 'staging' },
    } as const
    expect(await setup.gateway.decide(request.id, unchanged, ana)).toMatchObject({ decided: true })
  })
})

describe('previewEdit: the severity with which the edit would stand', () => {
  const grave: Record<string, Severity> = { risky: 'high', fatal: 'critical', mild: 'low' }
  const bySeverity = policyFrom(({ arguments: args }) => {
    const what = String(args.what)
    if (what === 'forbidden') return { kind: 'deny', because: 'no' }
    if (what === 'free') return { kind: 'allow', because: 'free' }
    const verdict = ask(what)
    return { ...verdict, terms: { ...verdict.terms, severity: grave[what] ?? 'normal' } }
  })

  it.each([
    ['usual', 'risky', 'high'],
    ['usual', 'fatal', 'critical'],
    ['usual', 'usual', 'normal'],
    ['usual', 'mild', 'normal'],
    ['risky', 'usual', 'high'],
    ['fatal', 'fatal', 'critical'],
    ['risky', 'free', 'high'],
    ['risky', 'forbidden', 'high'],
  ])('%s edited to %s: %s, as it is recorded', async (before, after, severity) => {
    setup = await openTestGateway({ policy: bySeverity })
    const request = await askedRequest(setup, { arguments: { what: before } })
    const edit = { digest: request.digest, arguments: { what: after } }
    expect(await setup.gateway.previewEdit(request.id, edit, ana)).toMatchObject({ severity })
    if (after === 'forbidden') return
    const { request: decided } = await setup.gateway.decide(request.id, { decision: 'edit', ...edit }, ana)
    expect(currentTerms(decided).severity).toBe(severity)
  })

  it('of the built-in rules: a harmless line that is made a dangerous one', async () => {
    setup = await openTestGateway()
    const request = await askedRequest(setup, { tool: 'Bash', arguments: { command: 'git status' } })
    expect(currentTerms(request).severity).toBe('normal')
    const edit = { digest: request.digest, arguments: { command: 'rm -rf /home' } }
    const { severity } = await setup.gateway.previewEdit(request.id, edit, ana)
    const { request: decided } = await setup.gateway.decide(request.id, { decision: 'edit', ...edit }, ana)
    expect(severity).not.toBe('normal')
    expect(severity).toBe(currentTerms(decided).severity)
  })
})

describe('previewEdit: the file that the edited call changes', () => {
  const pending = { file_path: '/w/a.txt', old_string: 'b', new_string: 'c' }

  async function openFiles(): Promise<string[]> {
    const read: string[] = []
    setup = await openTestGateway({
      gatherFacts: async ({ arguments: args }): Promise<Facts> => ({
        paths: Object.fromEntries(
          Object.entries(args)
            .filter(([, value]) => String(value).startsWith('/w/'))
            .map(([key, value]) => [`/${key}`, { resolved: String(value), exists: true }]),
        ),
      }),
      readText: async (path) => {
        read.push(path)
        return `around\nb of ${path}`
      },
    })
    return read
  }

  it('is shown where the pending call names it', async () => {
    await openFiles()
    const { id, digest } = await askedRequest(setup, { tool: 'Edit', arguments: pending })
    const edit = { digest, arguments: { ...pending, new_string: 'd' } }
    const { facts } = await setup.gateway.previewEdit(id, edit, ana)
    expect(facts?.paths?.['/file_path']?.text).toBe('around\nb of /w/a.txt')
  })

  it.each([
    ['another path', pending, { ...pending, file_path: '/w/.env' }],
    ['the same file by another name', pending, { ...pending, file_path: '/w/../w/a.txt' }],
    ['a path under another name', pending, { path: '/w/.env', old_string: 'b', new_string: 'c' }],
    ['a call that changed no file', { path: '/w/.env' }, { path: '/w/.env', content: 'c' }],
    ['a call of another shape', { path: '/w/.env' }, { ...pending, path: '/w/.env' }],
  ])('P6: is not read, so that nobody reads by trying out: %s', async (_, before, after) => {
    const read = await openFiles()
    const { id, digest } = await askedRequest(setup, { tool: 'Edit', arguments: before as JsonObject })
    const edit = { digest, arguments: after as JsonObject }
    const preview = await setup.gateway.previewEdit(id, edit, ana)
    expect(preview.content.arguments).toEqual(after)
    expect(read).toEqual([])
    expect(JSON.stringify(preview.facts)).not.toContain('around')
  })
})

describe('previewEdit: a schema that lists a secret', () => {
  it('P9: what it has against the edit has the mask in the secret’s place', async () => {
    setup = await openTestGateway()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const schema = { type: 'object', properties: { token: { enum: [secret, 'none'] } } }
    const { id, digest } = await askedRequest(setup, { arguments: { token: secret }, definition: { schema } })
    const edit = { digest, arguments: { token: 'other' } }
    const told = await setup.gateway.previewEdit(id, edit, ana).catch((error) => error)
    expect(told).toMatchObject({ code: 'arguments_invalid', details: { issues: [{ pointer: '/token' }] } })
    expect(told.details.issues[0].message).toContain('⟨masked: GitHub token, 40 characters⟩')
    expect(told.message + JSON.stringify(told.details)).not.toContain(secret)
  })
})

describe('previewEdit: a schema that is made to be expensive', () => {
  const nest = (levels: number, around: (inner: JsonValue) => JsonValue): JsonValue =>
    levels === 0 ? { type: 'string', minLength: 99 } : around(nest(levels - 1, around))
  const slow = `${'a'.repeat(40_000)}!`
  const within = (text: JsonValue): JsonObject => ({ type: 'object', properties: { text } })

  it.each<[string, JsonObject]>([
    ['a pattern', within({ type: 'string', pattern: '^(a+)+$' })],
    [
      'a pattern of names',
      { type: 'object', patternProperties: { '^(t|te|e|x|ex)*$': {}, '^(.+)+x$': false } },
    ],
    ['a pattern for names', { type: 'object', propertyNames: { pattern: '^(?:t|te|e|x|ex|xt)*!$' } }],
    ['a pattern for RE2', within({ pattern: `(?:${'a?'.repeat(90)}){1000}` })],
    [
      'very many patterns',
      within({ allOf: Array.from({ length: 5000 }, (_, i) => ({ pattern: `^(a|a?)+${i}$` })) }),
    ],
    ['a schema that refers to itself', { $ref: '#' }],
    ['forms in forms', within(nest(8, (inner) => ({ oneOf: [inner, { anyOf: [inner, inner] }] })))],
    [
      'references to references',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `d${i}`,
            { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
          ]).concat([['d40', { anyOf: [] }]]),
        ),
        $ref: '#/$defs/d0',
      },
    ],
    ['nesting', within(nest(40, (inner) => ({ allOf: [inner] })))],
    ['a long list of choices', within({ enum: Array.from({ length: 60_000 }, (_, i) => [i]) })],
  ])('P5: is answered: %s', async (_, schema) => {
    setup = await openTestGateway()
    const { id, digest } = await askedRequest(setup, { arguments: { text: 'x' }, definition: { schema } })
    const edit = { digest, arguments: { text: slow } }
    const told = await setup.gateway.previewEdit(id, edit, ana).catch((error) => error.code)
    expect(['arguments_invalid', 'ask']).toContain(told.verdict?.kind ?? told)
    const alike = setup.gateway.decide(id, { decision: 'edit', ...edit }, ana)
    if (told === 'arguments_invalid') await expect(alike).rejects.toMatchObject({ code: told })
    else expect(await alike).toMatchObject({ decided: true })
  })

  it('tells which parts of it were not checked', async () => {
    setup = await openTestGateway()
    const schema = within({ type: 'string', maxLength: 5, pattern: '^(?!b)' })
    const { id, digest } = await askedRequest(setup, { arguments: { text: 'a' }, definition: { schema } })
    const preview = (text: string) => setup.gateway.previewEdit(id, { digest, arguments: { text } }, ana)
    expect(await preview('b')).toMatchObject({ unchecked: ['/properties/text/pattern'] })
    await expect(preview('bbbbbb')).rejects.toMatchObject({ code: 'arguments_invalid' })
  })
})
