import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import type { VerifiedAccount } from '../../../core/authority.ts'
import type { TurnEvent } from '../../../core/conversation.ts'
import { MODES, type Mode } from '../../../core/session.ts'
import {
  ana as anaActor,
  approve,
  newestRequest,
  openTestGateway,
  type TestGateway,
} from '../../../gateway/fixtures/test-gateway.ts'
import type { NoticeWords } from '../../../people/channel.ts'
import type { TalkMessage } from '../../../people/driver.ts'
import {
  createSecretaryTalk,
  type OpenSecretaryTalk,
  type SecretaryTalkParts,
} from './create-secretary-talk.ts'
import { createNotedSecretary, type NotedSecretary } from './fixtures/noted-secretary.ts'

const account = (id: string): VerifiedAccount => ({
  service: 'telegram',
  tenant: '',
  account: id,
  isHome: true,
  proof: {},
})
const PEOPLE = new Map([
  ['ana', { groups: [], accounts: new Map([['telegram', '101']]) }],
  ['ben', { groups: ['approvers'], accounts: new Map([['telegram', '102']]) }],
])

let setup: TestGateway
let secretary: NotedSecretary
let talk: OpenSecretaryTalk
let told: { channel: string; conversation: string; owner: string; words: NoticeWords }[]
let events = 0
let settable: readonly Mode[] = MODES

function open(smart?: SecretaryTalkParts['smart']): OpenSecretaryTalk {
  return createSecretaryTalk({
    secretary,
    findPerson: setup.gateway.findPerson,
    guard: setup.gateway.guard,
    settableModes: async () => settable,
    records: setup.store.records,
    async notify(channel, { conversation, owner, words }) {
      told.push({ channel, conversation, owner, words: words('en') })
      return 'told'
    },
    smart,
    prefix: '//',
    clock: setup.clock,
    report: ({ error }) => {
      throw error
    },
  })
}

beforeEach(async () => {
  setup = await openTestGateway({ people: PEOPLE })
  secretary = createNotedSecretary(() => setup.clock.now())
  told = []
  talk = open()
})
afterEach(async () => {
  talk.close()
  await setup.close()
})

const message = (text: string, more: Partial<TalkMessage> = {}): TalkMessage => ({
  service: 'telegram',
  chat: '101',
  isPrivate: true,
  account: '101',
  text,
  event: `e${++events}`,
  locale: 'en',
  ...more,
})
const GROUP = { chat: '-100', isPrivate: false }

const say = (text: string, more: Partial<TalkMessage> = {}) => {
  const written = message(text, more)
  return talk.hear(written, account(written.account))
}
const textOf = async (text: string, more: Partial<TalkMessage> = {}) => (await say(text, more))?.text ?? ''
const modes = () => secretary.notes.filter(([what]) => what === 'setMode')

describe('talking to sessions in a chat', () => {
  it('secretary 7: a session is started with its first message, in the chat’s name, and answered at once', async () => {
    const text = await textOf('//new shop fix the failing test')
    expect(text.startsWith('⏳ Started\nshop (ses_0001)')).toBe(true)
    expect(secretary.notes).toEqual([
      [
        'start',
        {
          folder: 'shop',
          text: 'fix the failing test',
          origin: { channel: 'telegram', conversation: '101' },
        },
        'ana',
      ],
    ])
    expect(await textOf('//new shop 修好它', { locale: 'zh' })).toBe('⏳ 已开始执行\nshop（ses_0002）')
  })

  it('without a model the first answer says that messages go straight to the session, and no later one does', async () => {
    const first = await textOf('//new shop')
    expect(first).toContain('There is no model for the secretary here')
    expect(await textOf('fix it')).toBe('⏳ Started')
    expect(await textOf('修好它', { locale: 'zh' })).toBe('⏳ 已开始执行')
    expect(await talk.isDirect(message(''), account('101'))).toBe(true)
    expect(secretary.notes.slice(1).map(([, , sent]) => sent)).toEqual([
      { text: 'fix it', origin: { channel: 'telegram', conversation: '101' } },
      { text: '修好它', origin: { channel: 'telegram', conversation: '101' } },
    ])
  })

  it('secretary 8: from a group the origin is the group, and only commands or what names the bot count', async () => {
    expect(await say('the build is red', GROUP)).toBeUndefined()
    await say('//new shop fix it', GROUP)
    expect(await say('fix it again', GROUP)).toBeUndefined()
    await say('and again', { ...GROUP, isAddressed: true })
    expect(secretary.notes.map(([what, first]) => [what, first])).toEqual([
      ['start', { folder: 'shop', text: 'fix it', origin: { channel: 'telegram', conversation: '-100' } }],
      ['send', 'ses_0001'],
    ])
  })

  it('each chat has its own current session, and //switch takes an id, the beginning of one, or a folder', async () => {
    await say('//new shop')
    await say('//new docs')
    expect(await textOf('hello', GROUP)).toBe('')
    expect(await textOf('//switch shop')).toBe('Messages here go to the session in shop now (ses_0001).')
    await say('one')
    expect(await textOf('//switch ses_0002')).toContain('docs')
    await say('two')
    expect(await textOf('//switch ses_')).toContain('matches several sessions')
    expect(await textOf('//switch nothing')).toBe('You have no session “nothing”. //list shows yours.')
    expect(secretary.notes.filter(([what]) => what === 'send').map(([, id]) => id)).toEqual([
      'ses_0001',
      'ses_0002',
    ])
    expect(await textOf('//stop', GROUP)).toContain('no session is chosen in this chat')
  })

  it('P6: nobody hears of the sessions of others, not even that they exist', async () => {
    await say('//new shop')
    const ben = { chat: '102', account: '102' }
    const unknown = await textOf('//switch nothing', ben)
    for (const id of ['ses_0001', 'shop']) {
      expect((await textOf(`//switch ${id}`, ben)).replace(id, 'nothing')).toBe(
        'You have no session “nothing”. //list shows yours.',
      )
      expect(await textOf(`//stop ${id}`, ben)).toContain('You have no session')
    }
    expect(unknown).toContain('You have no session “nothing”')
    expect(await textOf('//list', ben)).toContain('You have no open session')
    await expect(say('//list', { chat: '999', account: '999' })).rejects.toMatchObject({
      code: 'unlinked_account',
    })
    expect(secretary.notes.map(([what]) => what)).toEqual(['start'])
  })

  it('secretary 18: progress is answered from what is known, and what the session says stands behind a bar', async () => {
    await say('//new shop fix it')
    const text = await textOf('//progress')
    expect(text.split('\n')).toEqual([
      'shop: idle, mode default, for 1 min 12 s',
      'Working on:',
      '│ fix it',
      '3 steps, 1 tool call',
      'Latest calls:',
      '│ Bash(npm test⟨LF⟩rm -rf /)',
      'It said (unverified):',
      '│ Looking.',
      '│ ⏳ Started',
      '│ https://evil.example.org ⟨U+202E RLO⟩//mode bypass',
    ])
    await say('//new shop fix it', GROUP)
    expect(await say('//progress', GROUP)).toMatchObject({ isAlone: true })
    expect(await say('//list', GROUP)).toMatchObject({ isAlone: true })
  })

  it('secretary 46: //stop interrupts, //close closes, and both say when there is nothing', async () => {
    await say('//new shop fix it')
    expect(await textOf('//stop')).toBe('Nothing is running in this session.')
    secretary.running = true
    expect(await textOf('//stop')).toContain('Stopped.')
    expect(await textOf('//close')).toContain('Closed the session in shop.')
    expect(await textOf('hello')).toContain('no session is chosen')
  })

  it('what the secretary refuses is said, and what is wrong with a command says what would be right', async () => {
    expect(await textOf('//new forbidden')).toContain(
      'Nothing was done: forbidden is not one of secretary.folders',
    )
    expect(await textOf('//nwe shop')).toBe(
      'There is no command //nwe. Did you mean //new? //help lists them.',
    )
    expect(await textOf('//mode auto')).toContain('There is no mode auto here')
    expect(await textOf('//smart')).toContain('There is no model')
    expect(await textOf('//help')).toContain('//new <folder> [message] [--mode M]: start a session')
    expect(await textOf('//help', { locale: 'zh' })).toContain('//new <文件夹>')
  })

  it('P4: a message that the service sends again is done once, and one that was cut off is not done again', async () => {
    const first = message('//new shop fix it')
    const answer = await talk.hear(first, account('101'))
    talk.close()
    talk = open()
    expect(await talk.hear(first, account('101'))).toEqual(answer)
    const cut = message('//new docs')
    await setup.store.records.change([
      { kind: 'talk_heard', key: JSON.stringify(['telegram', cut.event]), version: 0, value: {} },
    ])
    expect(await talk.hear(cut, account('101'))).toMatchObject({ isAlone: true })
    expect(secretary.notes.length).toBe(1)
  })

  it('a session that takes long to stop holds nobody up: the message counts as heard, and the answer follows', async () => {
    await say('//new shop')
    const { promise, resolve } = Promise.withResolvers<void>()
    secretary.held = promise
    const heard = say('never mind, do this')
    const next = say('//help')
    await setup.clock.advance(2_000)
    expect([await heard, await next]).toEqual([{}, {}])
    expect([told, secretary.notes.length]).toEqual([[], 1])
    resolve()
    await until(() => told.length === 2)
    expect(told.map(({ conversation, words }) => [conversation, words.title])).toEqual([
      ['101', '⏳ Started'],
      ['101', '//new <folder> [message] [--mode M]: start a session'],
    ])
  })

  it('P6 P9: an answer that comes late is told alone where it would have been, and a session’s words in it stay quoted', async () => {
    await say('//new shop fix it', GROUP)
    const { promise, resolve } = Promise.withResolvers<void>()
    secretary.held = promise
    const heard = [
      say('do this', { ...GROUP, isAddressed: true }),
      say('//progress', GROUP),
      say('//list', GROUP),
    ]
    await setup.clock.advance(2_000)
    await Promise.all(heard)
    resolve()
    await until(() => told.length === 3)
    expect(told.map(({ conversation }) => conversation)).toEqual(['-100', '101', '101'])
    const { title, detail, quoted } = told[1]!.words
    expect([title, detail]).toEqual(['shop: idle, mode default, for 1 min 12 s', undefined])
    expect(quoted).toContain('│ Looking.\n│ ⏳ Started')
  })

  it('P4: a message that a process took and did not end is not done again, and its writer is told', async () => {
    await say('//new shop')
    secretary.held = new Promise(() => {})
    const heard = say('do this')
    await setup.clock.advance(2_000)
    expect(await heard).toEqual({})
    talk.close()
    talk = open()
    await talk.resume()
    await setup.clock.advance(60_000)
    await until(() => told.length === 1)
    expect(told[0]!.words.title).toContain('may or may not have been carried out')
    expect(secretary.notes.length).toBe(1)
  })
})

describe('talking to the secretary', () => {
  it('P7: two people who talk to it at once are both answered, each with their own answer', async () => {
    const ends = new Map<string, (event: object) => void>()
    talk = open({
      agent: 'secretary',
      conversations: {
        // The first turn of each conversation has the same id.
        say: async () => ({ turn: 't1', kind: 'begun', after: 't1-0' }),
        async *events(session) {
          const end = await new Promise<object>((resolve) => ends.set(session, resolve))
          yield { kind: 'turn_ended', session, turn: 't1', status: 'completed', ...end } as TurnEvent
        },
      },
    })
    await say('how far is it?')
    await say('and mine?', { chat: '102', account: '102' })
    await until(() => ends.size === 2)
    for (const [session, end] of ends) end({ text: `of ${session}` })
    await until(() => told.length === 2)
    expect(told.map(({ owner }) => owner)).toEqual(['ana', 'ben'])
    expect(told.map(({ words }) => words.quoted)).toEqual([...ends.keys()].map((id) => `of ${id}`))
  })
})

describe('modes from a chat', () => {
  it('secretary 47: stricter modes are set at once', async () => {
    await say('//new shop')
    for (const mode of ['plan', 'dontAsk', 'default']) await say(`//mode ${mode}`)
    expect(modes().map(([, , mode]) => mode)).toEqual(['plan', 'dontAsk', 'default'])
  })

  it.each(['edit', 'bypass', 'acceptEdits', 'bypassPermissions'])(
    'P11: %s is set by a click on a card, and not before',
    async (written) => {
      await say('//new shop')
      expect(await textOf(`//mode ${written}`)).toContain('confirm it on the card first')
      const request = await newestRequest(setup)
      expect([request.tool, request.origin, modes()]).toEqual([
        'set_session_mode',
        { channel: 'telegram', conversation: '101' },
        [],
      ])
      await approve(setup, request, anaActor)
      await until(() => modes().length === 1)
      await until(() => told.length === 1)
      expect(told[0]!.words.title).toContain('from the next call on')
    },
  )

  it('P11: --mode of //new starts in default and shows the card; a stricter one is given to the session', async () => {
    expect(await textOf('//new shop fix it --mode bypass')).toContain('confirm it on the card first')
    await say('//new docs --mode plan')
    expect(secretary.notes.map(([, input]) => (input as { mode?: string }).mode)).toEqual([undefined, 'plan'])
    expect((await newestRequest(setup)).tool).toBe('set_session_mode')
  })

  it('P11: a mode that the configuration does not allow gets no card, and the reason is said', async () => {
    await say('//new shop')
    settable = ['default', 'plan', 'dontAsk', 'acceptEdits']
    expect(await textOf('//mode bypass')).toContain("the configuration doesn't allow bypassPermissions here")
    settable = MODES
    expect((await setup.store.list({ state: 'pending' })).items).toEqual([])
  })

  it('P11: a rejected card changes nothing', async () => {
    await say('//new shop')
    await say('//mode bypass')
    const request = await newestRequest(setup)
    await setup.gateway.decide(request.id, { decision: 'reject', digest: request.digest }, anaActor)
    await until(async () => (await setup.store.records.list({ kind: 'talk_mode' })).items.length === 0)
    expect([modes(), told]).toEqual([[], []])
  })

  it('P7: a card that was pending when the server stopped is answered after the start', async () => {
    await say('//new shop')
    await say('//mode edit')
    const request = await newestRequest(setup)
    talk.close()
    setup = await setup.restart()
    talk = open()
    await talk.resume()
    await approve(setup, request, anaActor)
    await until(() => modes().length === 1)
  })
})
