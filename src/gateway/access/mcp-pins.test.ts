import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  agent,
  ana,
  ben,
  journalEntriesOf,
  openTestGateway,
  type TestGateway,
} from '../fixtures/test-gateway.ts'

let setup: TestGateway
beforeEach(async () => {
  setup = await openTestGateway()
})
afterEach(() => setup.close())

const SECRET = `sk-ant-api03-${'aB3_-'.repeat(18)}`
const program = ['npx', 'server-files', '/srv']
const seen = (definition: object | undefined, parts: object = {}) => ({
  server: 'files',
  program,
  tool: { name: 'write', definition: definition as never },
  ...parts,
})
const check = (what: ReturnType<typeof seen>) => setup.gateway.mcpPins.check(what, agent)
const pins = async () => (await setup.gateway.mcpPins.list())[0]!
const types = async () =>
  (await journalEntriesOf(setup)).map(({ type }) => type).filter((type) => type.startsWith('mcp.'))

describe('pins', () => {
  it('keep the first use, ask when it is another, and are still when it is as it was', async () => {
    expect(await check(seen({ description: 'one', inputSchema: { a: 1, b: 2 } }))).toBeUndefined()
    // The order of its members says nothing.
    expect(await check(seen({ inputSchema: { b: 2, a: 1 }, description: 'one' }))).toBeUndefined()
    await setup.clock.advance(60_000)
    for (let time = 0; time < 3; time++) expect(await check(seen({ description: 'two' }))).toBeDefined()
    const { tools } = await pins()
    expect(tools[0]).toMatchObject({ name: 'write', text: expect.stringContaining('one') })
    expect(tools[0]!.changed).toMatchObject({
      text: expect.stringContaining('two'),
      at: tools[0]!.at + 60_000,
    })
    // Each change is on the record once.
    expect(await types()).toEqual(['mcp.pinned', 'mcp.pinned', 'mcp.changed'])
    // The one that was pinned comes back.
    expect(await check(seen({ description: 'one', inputSchema: { a: 1, b: 2 } }))).toBeUndefined()
    expect((await pins()).tools[0]!.changed).toBeUndefined()
  })

  it('P5: a definition that is no longer known is another one', async () => {
    expect(await check(seen({ description: 'one' }))).toBeUndefined()
    expect(await check(seen(undefined))).toBeDefined()
  })

  it('P5: another program under the same name is asked about, whatever its tools say', async () => {
    expect(await check(seen({ description: 'one' }))).toBeUndefined()
    expect(await check(seen({ description: 'one' }, { program: ['npx', 'server-files', '/'] }))).toBeDefined()
    // Words are not joined: two are not one with a space.
    expect(await check(seen({ description: 'one' }, { program: ['npx', 'server-files /srv'] }))).toBeDefined()
    expect(await check(seen({ description: 'one' }))).toBeUndefined()
  })

  it('tell no secrets of a program', async () => {
    await check(
      seen(undefined, {
        program: ['server', '--api-key', SECRET],
      }),
    )
    expect(JSON.stringify(await pins())).not.toContain(SECRET)
  })

  it('tell no secrets of a definition, and show that one was swapped', async () => {
    const other = SECRET.replace('aB3', 'cD4')
    const saying = (secret: string) =>
      seen({ description: `use the key ${secret}`, inputSchema: { default: { token: secret } } })
    expect(await check(saying(SECRET))).toBeUndefined()
    expect(await check(saying(other))).toBeDefined()
    const { tools } = await pins()
    const kept = JSON.stringify(tools)
    for (const secret of [SECRET, other]) expect(kept).not.toContain(secret)
    expect(JSON.parse(tools[0]!.text!).description).toMatch(/^use the key \[masked: /)
    expect(tools[0]!.changed!.text).not.toBe(tools[0]!.text)
    expect(JSON.stringify(await journalEntriesOf(setup))).not.toContain(SECRET)
  })

  it('P5: a definition that is too long to be shown is asked about at every change all the same', async () => {
    const long = (end: string) => seen({ description: `${'x'.repeat(64 * 1024)}${end}` })
    expect(await check(long('a'))).toBeUndefined()
    expect(await check(long('a'))).toBeUndefined()
    for (let time = 0; time < 2; time++) expect(await check(long('b'))).toBeDefined()
    const { tools } = await pins()
    expect(tools[0]!.text).toBeUndefined()
    expect(tools[0]!.changed!.text).toBeUndefined()
    // From one that can be shown to one that can't, and back.
    expect(await check(seen({ description: 'short' }))).toBeDefined()
    expect(await check(long('a'))).toBeUndefined()
  })

  it('are of one server each, whatever its tools are called', async () => {
    await check(seen({ d: 1 }, { server: 'a' }))
    await check({ server: 'a.b', program, tool: { name: 'x/y', definition: { d: 1 } as never } })
    const all = await setup.gateway.mcpPins.list()
    expect(all.map(({ name, tools }) => [name, tools.map((tool) => tool.name)])).toEqual([
      ['a', ['write']],
      ['a.b', ['x/y']],
    ])
  })

  it('P6: only an admin accepts, and only what they saw', async () => {
    await check(seen({ description: 'one' }))
    await check(seen({ description: 'two' }))
    const { digest } = (await pins()).tools[0]!.changed!
    const place = { server: 'files', tool: 'write', digest }
    const { accept } = setup.gateway.mcpPins
    for (const who of [agent, ben])
      await expect(accept(place, who)).rejects.toMatchObject({ code: 'forbidden' })
    await check(seen({ description: 'three' }))
    await expect(accept(place, ana)).rejects.toMatchObject({ code: 'digest_mismatch' })
    await expect(accept({ ...place, tool: 'read' }, ana)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(accept({ ...place, server: 'other' }, ana)).rejects.toMatchObject({ code: 'unknown_id' })
    const now = (await pins()).tools[0]!.changed!.digest
    await accept({ ...place, digest: now }, ana)
    expect(await check(seen({ description: 'three' }))).toBeUndefined()
    // Once more is no harm; the old one is the other one now.
    await accept({ ...place, digest: now }, ana)
    expect(await check(seen({ description: 'one' }))).toBeDefined()
    expect((await types()).filter((type) => type === 'mcp.accepted')).toHaveLength(1)
  })

  it('P2: many first uses at once pin one of them, and ask about the others', async () => {
    const other = await setup.beside()
    const gateways = [setup.gateway, other.gateway]
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        gateways[index % 2]!.mcpPins.check(seen({ description: `number ${index % 4}` }), agent),
      ),
    )
    // Those with the definition that won are not asked about, unless another came in between.
    expect(asked.filter((one) => one === undefined).length).toBeLessThanOrEqual(2)
    const { tools } = await pins()
    expect(tools).toHaveLength(1)
    await other.close()
  })
})
