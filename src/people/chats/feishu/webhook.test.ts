/** What gets in at the webhook, and what is made of it. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import type { SentBytes, SignedAnswer } from '../../door.ts'
import type { ChatClick, ChatMessage } from '../contract.ts'
import { type FeishuServer, startFeishuServer } from './fixtures/feishu-server.ts'
import { createEventHandler } from './handle-event.ts'
import type { FeishuHome } from './parse.ts'
import { createOpenReplies } from './replies.ts'
import type { FeishuWebhook } from './verify.ts'
import { webhookDoor } from './webhook.ts'

const NOW = 1_700_000_000_000
const ANA = `ou_${'1'.repeat(32)}`
const HANDLE = 'AbCdEfGhIjKlMnOpQrStUv'

let server: FeishuServer
const clicks: ChatClick[] = []
const messages: ChatMessage[] = []
const told: string[] = []

beforeEach(async () => {
  server = await startFeishuServer(() => NOW)
  for (const list of [clicks, messages, told]) list.length = 0
})
afterEach(() => server.close())

interface Sent {
  bytes: Uint8Array
  headers: Record<string, string>
}

function doorFor(keys: Partial<FeishuWebhook> = {}, home: Partial<FeishuHome> = {}) {
  const { encryptKey, verificationToken, appId } = server
  const handle = createEventHandler({
    host: {
      async click(click, acknowledge) {
        clicks.push(click)
        await acknowledge({
          text: click.handle === HANDLE ? 'Approved.' : 'no',
          isAlert: click.handle !== HANDLE,
        })
      },
      message: async (message) => void messages.push(message),
      report: () => {},
    },
    replies: createOpenReplies(),
    bot: async () => server.bot,
    tell: async (account, text) => void told.push(`${account}: ${text}`),
  })
  const all = { encryptKey, verificationToken, takesLegacyCards: false, ...keys }
  return webhookDoor(all, { appId, ...home }, handle)
}

/** As `http/` calls it: undefined where it wasn't let in. */
async function knock(
  { bytes, headers }: Sent,
  door = doorFor(),
  now = NOW,
): Promise<SignedAnswer | undefined> {
  const header = (name: string) => headers[name]
  const sent: SentBytes = { bytes, header, query: () => undefined, now }
  if (!door.verify(sent)) return undefined
  return door.answer({ bytes, header, body: parseStrictJson(Buffer.from(bytes).toString()) } as never)
}

const clickBody = (more: object = {}, header: object = {}) => ({
  schema: '2.0',
  header: {
    event_id: 'e1',
    event_type: 'card.action.trigger',
    token: server.verificationToken,
    app_id: server.appId,
    tenant_key: server.tenant,
    ...header,
  },
  event: {
    operator: { open_id: ANA, tenant_key: server.tenant },
    action: { tag: 'button', value: { handle: HANDLE } },
    context: { open_message_id: 'om_1', open_chat_id: 'oc_1' },
    ...more,
  },
})

describe('the signature', () => {
  it('lets in what Feishu signed, and the click is that of the account it names', async () => {
    expect(await knock(server.signed(clickBody()))).toEqual({
      kind: 'json',
      status: 200,
      body: { toast: { type: 'success', content: 'Approved.' } },
    })
    expect(clicks).toEqual([
      {
        event: 'click:e1',
        account: {
          service: 'feishu',
          tenant: server.appId,
          account: ANA,
          isHome: true,
          proof: { event: 'e1', tenant: server.tenant },
        },
        chat: 'oc_1',
        message: 'om_1',
        handle: HANDLE,
      },
    ])
  })

  it('P6: mistake 10, verification on re-serialised JSON: it is that of the bytes, so one more space is refused', async () => {
    const { bytes, headers } = server.signed(clickBody())
    const spaced = Buffer.from(`${bytes.toString().slice(0, -1)} }`)
    expect(await knock({ bytes: spaced, headers })).toBeUndefined()
    // The other way round: whatever Feishu signed is taken as it is, with whatever spaces.
    const timestamp = headers['x-lark-request-timestamp']!
    const signature = createHash('sha256')
      .update(`${timestamp}n${server.encryptKey}`)
      .update(spaced)
      .digest('hex')
    const own = { ...headers, 'x-lark-request-nonce': 'n', 'x-lark-signature': signature }
    expect(await knock({ bytes: spaced, headers: own })).toMatchObject({ status: 200 })
  })

  it('P6: forged, unsigned, old and early requests are refused', async () => {
    const good = server.signed(clickBody())
    const without = (name: string): Sent => {
      const { [name]: _, ...headers } = good.headers
      return { bytes: good.bytes, headers }
    }
    const wrong = (name: string, value: string): Sent => ({
      bytes: good.bytes,
      headers: { ...good.headers, [name]: value },
    })
    const plain = { bytes: Buffer.from(JSON.stringify(clickBody())), headers: good.headers }
    const all: Sent[] = [
      ...Object.keys(good.headers)
        .filter((name) => name.startsWith('x-'))
        .map(without),
      wrong('x-lark-signature', ''),
      wrong('x-lark-signature', 'f'.repeat(64)),
      wrong('x-lark-signature', good.headers['x-lark-signature']!.toUpperCase()),
      wrong('x-lark-request-nonce', 'other'),
      wrong('x-lark-request-timestamp', `${Number(good.headers['x-lark-request-timestamp']) + 1}`),
      wrong('x-lark-request-timestamp', 'now'),
      plain,
      { ...plain, headers: {} },
      server.signed(clickBody(), NOW - 301_000),
      server.signed(clickBody(), NOW + 301_000),
    ]
    for (const sent of all) expect(await knock(sent)).toBeUndefined()
    expect(clicks).toEqual([])
  })

  it('P6: a body with another token, app or tenant, or without an event, is refused though it is signed', async () => {
    const bodies = [
      clickBody({}, { token: 'another' }),
      clickBody({}, { token: '' }),
      clickBody({}, { token: null }),
      clickBody({}, { app_id: 'cli_ffffffffffffffff' }),
      { ...clickBody(), schema: '1.0' },
      { ...clickBody(), event: 'x' },
      { open_id: ANA, token: 'c-1', open_message_id: 'om_1', open_chat_id: 'oc_1', action: { value: {} } },
    ]
    for (const body of bodies) expect(await knock(server.signed(body))).toMatchObject({ status: 401 })
    const pinned = doorFor({}, { tenant: 'another' })
    expect(await knock(server.signed(clickBody()), pinned)).toMatchObject({ status: 401 })
    expect(clicks).toEqual([])
  })

  it('P6: somebody of another tenant, in a group that organisations share, is nobody’s account here', async () => {
    await knock(server.signed(clickBody({ operator: { open_id: ANA, tenant_key: 'theirs' } })))
    expect(clicks[0]!.account).toMatchObject({ isHome: false, tenant: 'theirs' })
    await knock(server.signed(clickBody({ operator: { open_id: ANA } })))
    await knock(server.signed(clickBody({ operator: { user_id: 'ana', tenant_key: server.tenant } })))
    expect(clicks).toHaveLength(1)
  })
})

describe('the challenge', () => {
  const challenge = (token: string) => ({ type: 'url_verification', challenge: 'abc', token })
  const unsigned = (body: object): Sent => ({ bytes: Buffer.from(JSON.stringify(body)), headers: {} })

  it('is answered, encrypted or not, to who has the verification token', async () => {
    const answer = { kind: 'json', status: 200, body: { challenge: 'abc' } }
    const { bytes, headers } = server.signed(challenge(server.verificationToken))
    expect(await knock({ bytes, headers })).toEqual(answer)
    expect(await knock({ bytes, headers: {} })).toEqual(answer)
    expect(await knock(unsigned(challenge(server.verificationToken)))).toEqual(answer)
    expect(await knock(unsigned(challenge('another')))).toBeUndefined()
    expect(await knock(unsigned({ ...clickBody(), ...challenge('another') }))).toBeUndefined()
    const large = { ...challenge(server.verificationToken), more: 'x'.repeat(4096) }
    expect(await knock(unsigned(large))).toBeUndefined()
  })

  it('P6: lets nothing else in unsigned', async () => {
    const body = { ...clickBody(), ...challenge(server.verificationToken) }
    expect(await knock(unsigned(body))).toMatchObject({ body: { challenge: 'abc' } })
    // Not even where the door were left open.
    const { bytes } = unsigned(clickBody())
    const answer = await doorFor().answer({ bytes, header: () => undefined } as never)
    expect(answer).toMatchObject({ status: 401 })
    expect(clicks).toEqual([])
  })
})

describe('old card callbacks', () => {
  const body = (more: object = {}) => ({
    open_id: ANA,
    user_id: 'ana',
    open_message_id: 'om_1',
    open_chat_id: 'oc_1',
    tenant_key: server.tenant,
    token: 'c-1',
    action: { tag: 'button', value: { handle: HANDLE } },
    ...more,
  })
  function old(value: object): Sent {
    const bytes = Buffer.from(JSON.stringify(value))
    const timestamp = String(NOW / 1000)
    const signature = createHash('sha1').update(`${timestamp}n${server.verificationToken}`).update(bytes)
    return {
      bytes,
      headers: {
        'x-lark-request-timestamp': timestamp,
        'x-lark-request-nonce': 'n',
        'x-lark-signature': signature.digest('hex'),
      },
    }
  }
  const taking = () => doorFor({ takesLegacyCards: true }, { tenant: server.tenant })

  it('are taken where that is switched on: the same token is the same click, and has no place in the journal', async () => {
    expect(await knock(old(body()), taking())).toEqual({ kind: 'json', status: 200, body: {} })
    await knock(old(body()), taking())
    await knock(old(body({ token: 'c-2' })), taking())
    expect(new Set(clicks.map(({ event }) => event)).size).toBe(2)
    expect(clicks[0]).toMatchObject({ handle: HANDLE, account: { account: ANA, isHome: true } })
    expect(JSON.stringify(clicks)).not.toContain('c-1')
    // There is no place for words in the reply.
    await knock(old(body({ token: 'c-3', action: { value: { handle: 'x' } } })), taking())
    expect(told).toEqual([`${ANA}: no`])
  })

  it('P6: are refused where it isn’t, and their signature is good for nothing else', async () => {
    expect(await knock(old(body()))).toBeUndefined()
    expect(await knock(old(clickBody()), taking())).toMatchObject({ status: 401 })
    expect(await knock(old(body({ header: {} })), taking())).toMatchObject({ status: 401 })
    await knock(old(body({ tenant_key: 'theirs' })), taking())
    expect(clicks.map(({ account }) => account.isHome)).toEqual([false])
  })
})

describe('what a click carries', () => {
  const send = async (action: object) => {
    await knock(server.signed(clickBody({ action })))
    return clicks.at(-1)!
  }

  it('the handle is in the value, as an object or as text, or in the name of a button that submits', async () => {
    expect((await send({ value: JSON.stringify({ handle: HANDLE }) })).handle).toBe(HANDLE)
    const form_value = { reason: 'no', q0: ['0', '1'], odd: { a: 1 } }
    expect(await send({ name: HANDLE, form_value })).toMatchObject({
      handle: HANDLE,
      form: { reason: ['no'], q0: ['0', '1'], odd: [] },
    })
  })

  it('P5: two handles, or none, are no handle', async () => {
    for (const action of [
      { value: { handle: HANDLE }, name: 'other' },
      {},
      { value: 'x' },
      { value: [HANDLE] },
    ])
      expect((await send(action)).handle).toBe('')
  })
})

describe('messages', () => {
  const write = (message: object, sender: object = {}) =>
    knock(
      server.signed({
        ...clickBody({}, { event_type: 'im.message.receive_v1' }),
        event: {
          sender: { sender_id: { open_id: ANA }, sender_type: 'user', tenant_key: server.tenant, ...sender },
          message: {
            message_id: 'om_2',
            create_time: '1700000000123',
            chat_id: 'oc_1',
            chat_type: 'group',
            message_type: 'text',
            content: '{"text":"@_user_1 y"}',
            ...message,
          },
        },
      }),
    )
  const mention = (open_id: string) => ({ key: '@_user_1', id: { open_id }, name: 'x' })

  it('a mention of the bot is no part of the text, and who mentions somebody else does not talk to the bot', async () => {
    await write({ mentions: [mention(server.bot)], parent_id: 'om_1' })
    await write({ mentions: [mention(ANA)], parent_id: 'om_1' })
    await write({ mentions: [mention(server.bot), mention(ANA)] })
    await write({ mentions: [{ key: '@_all' }] })
    expect(messages).toMatchObject([
      { text: 'y', replyTo: 'om_1', isPrivate: false, isAddressed: true, writtenAt: 1_700_000_000_123 },
    ])
  })

  it('P6: of apps, edited, or without a person, a text or a time, they are marked or dropped', async () => {
    await write({ chat_type: 'p2p' }, { sender_type: 'app' })
    await write({ update_time: '1700000000999' })
    expect(messages.map(({ isBot, isEdited }) => [isBot, isEdited])).toEqual([
      [true, false],
      [false, true],
    ])
    await write({}, { sender_id: {} })
    await write({ message_type: 'merge_forward' })
    await write({ content: 'y' })
    await write({ create_time: 'now' })
    expect(messages).toHaveLength(2)
  })
})
