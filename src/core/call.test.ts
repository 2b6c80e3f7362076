import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentOf, definitionDigest, LIMITS, prepareCall, type ToolCall, withArguments } from './call.ts'
import { BanksmanError } from './errors.ts'
import { canonicalize, type JsonObject, type JsonValue, MAX_DEPTH } from './json/json.ts'
import { parseStrictJson } from './json/strict-json.ts'

const CALL: ToolCall = {
  tool: 'send_email',
  arguments: { to: 'ana@example.com' },
  callId: 'call-1',
  session: 's-1',
}

describe('prepareCall', () => {
  it('P3: makes the digest of the canonical {v, tool, arguments, cwd, definition}', () => {
    const prepared = prepareCall({
      ...CALL,
      arguments: { b: 1, a: [true] },
      cwd: '/srv/app',
      definition: { schema: { type: 'object' }, description: 'Sends' },
      context: 'a note',
      preview: 'another',
      agent: { name: 'helper', parents: ['root'] },
      origin: { channel: 'inbox', conversation: 'c1' },
      parentSession: 's-0',
    })
    expect(prepared.bytes).toBe(
      '{"arguments":{"a":[true],"b":1},"cwd":"/srv/app",' +
        '"definition":{"description":"Sends","schema":{"type":"object"}},"tool":"send_email","v":1}',
    )
    expect(prepared.digest).toBe(createHash('sha256').update(prepared.bytes).digest('hex'))
    expect(prepared).toMatchObject({
      tool: 'send_email',
      arguments: { a: [true], b: 1 },
      callId: 'call-1',
      session: 's-1',
      parentSession: 's-0',
      agent: { name: 'helper', parents: ['root'] },
      origin: { channel: 'inbox', conversation: 'c1' },
      definition: { description: 'Sends', schema: { type: 'object' } },
      context: 'a note',
      preview: 'another',
    })
  })

  it('P3: the digest changes with the tool, the arguments, the folder and the definition, and with nothing else', () => {
    const plain = prepareCall(CALL).digest
    const others: ToolCall[] = [
      { ...CALL, tool: 'send_mail' },
      { ...CALL, arguments: { to: 'ben@example.com' } },
      { ...CALL, cwd: '/srv' },
      { ...CALL, cwd: '/srv/' },
      { ...CALL, definition: {} },
      { ...CALL, definition: { description: '' } },
      { ...CALL, definition: { schema: null } },
    ]
    const digests = others.map((call) => prepareCall(call).digest)
    expect(new Set([plain, ...digests]).size).toBe(others.length + 1)
    const same = prepareCall({
      ...CALL,
      callId: 'x',
      session: 'y',
      context: 'c',
      preview: 'p',
      agent: { name: 'n' },
      parentSession: 'z',
      origin: { channel: 'pet' },
    })
    expect(same.digest).toBe(plain)
  })

  it('P3: changing the object afterwards changes nothing', () => {
    const call = {
      ...structuredClone(CALL),
      arguments: { list: [{ amount: 1 }] },
      agent: { name: 'a', parents: ['p'] },
      origin: { channel: 'inbox' },
      definition: { description: 'd', schema: { a: [1] } },
    }
    const prepared = prepareCall(call)
    const before = structuredClone(prepared)
    call.tool = 'rm'
    Object.assign(call.arguments.list[0] as object, { amount: 999 })
    call.agent.name = 'b'
    call.agent.parents.push('q')
    call.origin.channel = 'pet'
    call.definition.description = 'e'
    call.definition.schema.a.push(2)
    expect(prepared).toEqual(before)
  })

  it('P3: reads every field once, so that a getter cannot show two faces', () => {
    const reads: Record<string, number> = {}
    const face = <T extends object>(at: string, target: T): T =>
      new Proxy(target, {
        get(object, key) {
          const value = Reflect.get(object, key)
          if (typeof key !== 'string' || Array.isArray(object)) return value
          reads[`${at}/${key}`] = (reads[`${at}/${key}`] ?? 0) + 1
          return value
        },
      })
    prepareCall(
      face('', {
        ...CALL,
        arguments: face('/arguments', { a: face('/arguments/a', { b: 1 }) }),
        agent: face('/agent', { name: 'n', parents: ['p'] }),
        origin: face('/origin', { channel: 'inbox', conversation: 'c' }),
        definition: face('/definition', {
          description: 'd',
          schema: face('/definition/schema', { type: 'object' }),
          annotations: face('/definition/annotations', {
            title: 't',
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          }),
        }),
        cwd: '/srv',
        context: 'c',
        preview: 'p',
        parentSession: 's',
      }),
    )
    expect(Object.keys(reads)).toHaveLength(11 + 2 + 2 + 2 + 3 + 1 + 5)
    expect(Object.entries(reads).filter(([, count]) => count !== 1)).toEqual([])
  })

  it('refuses every bad field by its name, with what would be right', () => {
    const cases: [change: Record<string, unknown>, pointer: string, why: string][] = [
      [{ tool: undefined }, '/tool', 'tool must be a string; found nothing'],
      [{ tool: 7 }, '/tool', 'found a number'],
      [{ tool: '' }, '/tool', 'must not be empty'],
      [{ tool: 'x'.repeat(LIMITS.toolName + 1) }, '/tool', 'the limit is 256'],
      [{ tool: 'a\ud800' }, '/tool', 'lone surrogate'],
      [{ arguments: undefined }, '/arguments', 'must be an object; found nothing'],
      [{ arguments: null }, '/arguments', 'found null'],
      [{ arguments: [] }, '/arguments', 'found a list'],
      [{ arguments: '{"a":1}' }, '/arguments', 'found a string'],
      [{ callId: undefined }, '/callId', 'found nothing'],
      [{ callId: '' }, '/callId', 'must not be empty'],
      [{ callId: 'a b' }, '/callId', 'spaces, control or invisible'],
      [{ callId: 'a\n' }, '/callId', 'spaces, control or invisible'],
      [{ callId: 'a\u200b' }, '/callId', 'spaces, control or invisible'],
      [{ callId: 'a\u2028' }, '/callId', 'spaces, control or invisible'],
      [{ session: undefined }, '/session', 'found nothing'],
      [{ session: 'x'.repeat(LIMITS.id + 1) }, '/session', 'the limit is 256'],
      [{ parentSession: null }, '/parentSession', 'found null'],
      [{ parentSession: 'a b' }, '/parentSession', 'spaces'],
      [{ cwd: 5 }, '/cwd', 'found a number'],
      [{ cwd: '' }, '/cwd', 'must not be empty'],
      [{ cwd: 'x'.repeat(LIMITS.cwd + 1) }, '/cwd', 'the limit is 4096'],
      [{ context: {} }, '/context', 'found an object'],
      [{ context: 'x'.repeat(LIMITS.note + 1) }, '/context', 'the limit is 16384'],
      [{ preview: true }, '/preview', 'found a boolean'],
      [{ agent: 'me' }, '/agent', 'agent must be an object with name, parents; found a string'],
      [{ agent: null }, '/agent', 'found null'],
      [{ agent: [] }, '/agent', 'found a list'],
      [{ agent: {} }, '/agent/name', 'found nothing'],
      [{ agent: { name: 'a', role: 'admin' } }, '/agent/role', 'unknown field "role"'],
      [{ agent: { name: 'a', parents: 'b' } }, '/agent/parents', 'a list of names; found a string'],
      [{ agent: { name: 'a', parents: null } }, '/agent/parents', 'found null'],
      [{ agent: { name: 'a', parents: [1] } }, '/agent/parents/0', 'found a number'],
      [{ agent: { name: 'a', parents: new Array(1) } }, '/agent/parents/0', 'found nothing'],
      [
        { agent: { name: 'a', parents: Array(LIMITS.parents + 1).fill('p') } },
        '/agent/parents',
        'the limit is 32',
      ],
      [{ origin: 'inbox' }, '/origin', 'found a string'],
      [{ origin: {} }, '/origin/channel', 'found nothing'],
      [{ origin: { channel: 'a b' } }, '/origin/channel', 'spaces'],
      [{ origin: { channel: 'a', conversation: 1 } }, '/origin/conversation', 'found a number'],
      [{ origin: { channel: 'a', user: 'x' } }, '/origin/user', 'unknown field'],
      [{ definition: 'x' }, '/definition', 'found a string'],
      [{ definition: [] }, '/definition', 'found a list'],
      [{ definition: { description: 1 } }, '/definition/description', 'found a number'],
      [{ definition: { name: 'x' } }, '/definition/name', 'unknown field "name"'],
      [{ 'tool/name': 'x' }, '/tool~1name', 'unknown field "tool/name"'],
      [{ digest: 'x' }, '/digest', 'it has tool, arguments, callId'],
    ]
    for (const [change, pointer, why] of cases) {
      const error = errorOf(() => prepareCall({ ...CALL, ...change } as unknown as ToolCall))
      expect({ change, code: error.code, ...error.details }).toEqual({
        change,
        code: 'invalid_call',
        pointer,
      })
      expect(error.message).toContain(why)
    }
    for (const value of [null, undefined, 'call', 5, [], () => CALL]) {
      expect(errorOf(() => prepareCall(value as unknown as ToolCall)).code).toBe('invalid_call')
    }
  })

  it('P3: refuses arguments and definitions without a canonical form, and says where', () => {
    const cases: [ToolCall, string][] = [
      [{ ...CALL, arguments: { a: { b: Number.NaN } } }, '/arguments/a/b'],
      [{ ...CALL, arguments: { a: '\ud800' } }, '/arguments/a'],
      [{ ...CALL, arguments: { when: new Date(0) as unknown as string } }, '/arguments/when'],
      [{ ...CALL, definition: { schema: [undefined as unknown as string] } }, '/definition/schema/0'],
      [{ ...CALL, arguments: new Map() as unknown as JsonObject }, '/arguments'],
    ]
    for (const [call, pointer] of cases) {
      const error = errorOf(() => prepareCall(call))
      expect({ code: error.code, pointer: error.details.pointer }).toEqual({ code: 'not_canonical', pointer })
    }
  })

  it('refuses a call that is too large, soon and with the limit', () => {
    const error = errorOf(() => prepareCall({ ...CALL, arguments: { content: 'x'.repeat(10_000_000) } }))
    expect(error.code).toBe('too_large')
    expect(error.details.limit).toBe(LIMITS.bytes)
    let bomb: JsonObject = {}
    for (let level = 0; level < 80; level++) bomb = { a: bomb, b: bomb }
    expect(errorOf(() => prepareCall({ ...CALL, arguments: bomb })).code).toBe('too_large')
    const around = prepareCall({ ...CALL, arguments: { content: '' } }).bytes.length
    const filled = (length: number) => prepareCall({ ...CALL, arguments: { content: 'x'.repeat(length) } })
    expect(filled(LIMITS.bytes - around).bytes).toHaveLength(LIMITS.bytes)
    expect(errorOf(() => filled(LIMITS.bytes - around + 1)).code).toBe('too_large')
  })

  it('P5: refuses more values than can be looked at one by one, in a call and in an edit', () => {
    const many = (count: number): JsonObject => ({ a: Array.from({ length: count - 2 }, () => 1) })
    const { bytes } = prepareCall({ ...CALL, arguments: many(LIMITS.values) })
    const named = Object.fromEntries(Array.from({ length: LIMITS.values }, (_, at) => [`k${at}`, 1]))
    for (const refused of [
      () => prepareCall({ ...CALL, arguments: many(LIMITS.values + 1) }),
      () => prepareCall({ ...CALL, arguments: named }),
      () => prepareCall({ ...CALL, arguments: Object.fromEntries([...Object.entries(named), ['1', 1]]) }),
      () => withArguments(contentOf(bytes), named),
    ]) {
      const error = errorOf(refused)
      expect(error.code).toBe('too_large')
      expect(error.details.limit).toBe(LIMITS.values)
      expect(error.message).toContain('10000 values')
    }
  })

  it('P3: whatever it accepts can be read back by the strict parser and has the same bytes', () => {
    let deep: JsonObject = {}
    for (let level = 2; level < MAX_DEPTH; level++) deep = { a: deep }
    const { bytes } = prepareCall({ ...CALL, arguments: deep })
    expect(canonicalize(parseStrictJson(bytes))).toBe(bytes)
    expect(errorOf(() => prepareCall({ ...CALL, arguments: { a: deep } })).code).toBe('not_canonical')
  })

  it('property: P3: the bytes are the canonical form of the content, whatever the arguments', () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
    fc.assert(
      fc.property(objects, fc.option(fc.string({ unit: 'binary', minLength: 1 })), (args, cwd) => {
        const prepared = prepareCall({
          ...CALL,
          arguments: args as JsonObject,
          ...(cwd === null ? {} : { cwd }),
        })
        expect(canonicalize(contentOf(prepared.bytes))).toBe(prepared.bytes)
        expect(canonicalize(prepared.arguments)).toBe(canonicalize(args))
        expect(contentOf(prepared.bytes).cwd).toBe(cwd ?? undefined)
      }),
    )
  })
})

describe('the places of texts', () => {
  const nested = (name: string, depth: number, value: JsonValue): JsonObject => ({
    [name]: depth === 1 ? value : nested(name, depth - 1, value),
  })

  it('P5: may not be gigabytes by long names above many texts', () => {
    const texts = Array.from({ length: 1000 }, (_, at) => `text ${at}`)
    expect(errorOf(() => prepareCall({ ...CALL, arguments: nested('k'.repeat(8000), 50, texts) })).code).toBe(
      'invalid_call',
    )
    for (const args of [
      nested('k'.repeat(8000), 50, 'one text'),
      nested(
        'k'.repeat(8000),
        50,
        texts.map((_, at) => at),
      ),
      nested('anOrdinaryName', 10, texts),
      { texts: Array<string>(LIMITS.values - 2).fill('text') },
    ])
      expect(prepareCall({ ...CALL, arguments: args }).arguments).toEqual(args)
  })
})

describe('withArguments', () => {
  const content = contentOf(prepareCall({ ...CALL, cwd: '/srv', definition: { description: 'd' } }).bytes)

  it('P3: is the call that would have been prepared with these arguments', () => {
    const edited = withArguments(content, { to: 'ben@example.com' })
    const fresh = prepareCall({
      ...CALL,
      cwd: '/srv',
      definition: { description: 'd' },
      arguments: { to: 'ben@example.com' },
    })
    expect(edited).toEqual({ bytes: fresh.bytes, digest: fresh.digest })
  })

  it('P5: refuses arguments that are no object, have no canonical form or are too large', () => {
    for (const args of [undefined, null, [], 'x']) {
      expect(errorOf(() => withArguments(content, args as unknown as JsonObject)).code).toBe(
        'invalid_decision',
      )
    }
    expect(errorOf(() => withArguments(content, { a: Number.NaN })).code).toBe('not_canonical')
    expect(errorOf(() => withArguments(content, { a: 'x'.repeat(LIMITS.bytes) })).code).toBe('too_large')
  })
})

describe('definitionDigest', () => {
  it('tells definitions apart, also an absent one, and not the order of keys', () => {
    const digests = [undefined, {}, { description: 'a' }, { description: 'b' }, { schema: { a: 1 } }].map(
      definitionDigest,
    )
    expect(new Set(digests).size).toBe(5)
    expect(definitionDigest({ schema: 1, description: 'a' })).toBe(
      definitionDigest({ description: 'a', schema: 1 }),
    )
  })
})

function errorOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error('it was accepted')
}
