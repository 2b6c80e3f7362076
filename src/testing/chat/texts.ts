/** Answers in text: which count, and which don't. */
import type { Request } from '../../core/request.ts'
import { type ChatSuite, type ChatTest, GROUP_CHAT, QUORUM, type StandInMessage, until } from './chat-test.ts'

const TEXTS = { chat: { textAnswers: true } }
const RISKY = {
  ...TEXTS,
  policy: { rules: [{ name: 'risky', when: { tool: '*' }, then: 'ask', severity: 'high' }] },
}

const stateOf = async (test: ChatTest, request: Request) => (await test.get(request)).state

/** A reply to the card. */
async function reply(test: ChatTest, text: string, more: Partial<StandInMessage> = {}): Promise<void> {
  const { message } = await test.card()
  await test.clock.advance(2_000)
  await test.say(text, { replyTo: message, ...more })
}

/** A message that is no reply. */
async function plain(test: ChatTest, text: string, more: Partial<StandInMessage> = {}): Promise<void> {
  await test.card()
  await test.clock.advance(2_000)
  await test.say(text, more)
}

export function describeTexts({ describe, it, expect }: ChatSuite): void {
  describe('text answers', () => {
    it('a reply to the card with y approves, and the bot says what it took it for', async (test) => {
      const request = await test.ask()
      await reply(test, 'y')
      expect(await stateOf(test, request)).toBe('approved')
      await until(() => test.said().includes('Taken as an answer to deploy: Approved.'))
    })

    it('a reply with 否 rejects, with n and a reason, or with any reason, too, and the agent is told why', async (test) => {
      for (const [text, reason] of [
        ['否', undefined],
        ['n: not today', 'not today'],
        ['the wrong cluster', 'the wrong cluster'],
      ] as const) {
        const request = await test.ask({ arguments: { because: text } })
        await until(async () => (await test.card()).text.includes(text))
        await reply(test, text)
        const { state, progress } = await test.get(request)
        expect([state, progress.decision?.reason]).toEqual(['rejected', reason])
      }
    })

    it('P5: a reply that sounds like a yes and is none decides nothing', async (test) => {
      const request = await test.ask()
      for (const text of ['ok', 'yes but only staging', 'approve?', '好的', 'sure', '👍', '']) {
        if (text !== '') await reply(test, text)
        expect([text, await stateOf(test, request)]).toEqual([text, 'pending'])
      }
    })

    it(
      'P6: mistake 14, the agent writes in the thread: bots, forwarded and edited messages, and strangers, never count',
      async (test) => {
        const request = await test.ask()
        for (const more of [{ isBot: true }, { isForwarded: true }, { isEdited: true }]) {
          await reply(test, 'y', more)
          await plain(test, 'y', more)
        }
        await reply(test, 'y', { account: test.standIn.accounts.stranger })
        await reply(test, 'y', { account: test.standIn.accounts.eve })
        expect(await stateOf(test, request)).toBe('pending')
      },
      TEXTS,
    )

    it(
      'P9: high risk is never approved by text, and can be rejected',
      async (test) => {
        const request = await test.ask()
        await reply(test, 'y')
        await plain(test, 'y')
        expect(await stateOf(test, request)).toBe('pending')
        await until(() => test.said().includes("can't be approved by text"))
        await reply(test, 'n')
        expect(await stateOf(test, request)).toBe('rejected')
      },
      RISKY,
    )

    it(
      'P9: what several people must approve is never approved by text',
      async (test) => {
        const request = await test.ask()
        await reply(test, 'y')
        expect((await test.get(request)).progress.votes ?? []).toEqual([])
      },
      QUORUM,
    )

    it(
      'P9: what people of two rules must approve is never approved by text',
      async (test) => {
        const call = { tool: 'Bash', arguments: { command: 'mkdir a; touch b' }, cwd: '/srv' }
        const request = await test.ask(call)
        await reply(test, 'y')
        expect((await test.get(request)).progress.votes ?? []).toEqual([])
      },
      ({ accounts }) => ({
        people: {
          ana: { groups: [], account: accounts.ana },
          ben: { groups: [], account: accounts.ben },
        },
        policy: {
          rules: [
            { name: 'one', when: { command: 'mkdir *' }, then: 'ask', approvers: ['ana'] },
            { name: 'other', when: { command: 'touch *' }, then: 'ask', approvers: ['ben'] },
          ],
        },
      }),
    )

    it(
      'P9: what the card shows only a part of is not approved by text',
      async (test) => {
        const request = await test.ask({ arguments: { script: 'x'.repeat(40_000) } })
        await reply(test, 'y')
        await plain(test, 'y')
        expect(await stateOf(test, request)).toBe('pending')
      },
      TEXTS,
    )

    it('P5: a plain y counts for nothing unless that is switched on: what is pending is listed', async (test) => {
      const request = await test.ask()
      await plain(test, 'y')
      expect(await stateOf(test, request)).toBe('pending')
      await until(() => test.said().includes(request.id))
    })

    it(
      'where it is switched on, a plain y counts for the one card that is pending there',
      async (test) => {
        const request = await test.ask()
        await plain(test, '是')
        expect(await stateOf(test, request)).toBe('approved')
      },
      TEXTS,
    )

    it(
      'P5: a plain y counts for nothing with two cards, with one that was settled lately, or written before the card',
      async (test) => {
        const early = await test.ask()
        await test.card()
        await test.say('y')
        expect(await stateOf(test, early)).toBe('pending')
        const second = await test.ask({ arguments: { second: true } })
        await until(() => test.cards().length === 2)
        await plain(test, 'y')
        expect([await stateOf(test, early), await stateOf(test, second)]).toEqual(['pending', 'pending'])
        await test.click('Reject')
        await until(async () => (await test.card()).text.includes('ana rejected'))
        await plain(test, 'y')
        expect(await stateOf(test, early)).toBe('pending')
        await test.clock.advance(60_000)
        await plain(test, 'y')
        expect(await stateOf(test, early)).toBe('approved')
      },
      TEXTS,
    )

    it(
      'P5: a plain reason, or a reply to something else, decides nothing',
      async (test) => {
        const request = await test.ask()
        await plain(test, 'not today')
        await plain(test, 'y', { replyTo: '1' })
        expect(await stateOf(test, request)).toBe('pending')
      },
      TEXTS,
    )

    it(
      'P6: in a group a plain y is nothing, and a stranger who replies is not answered in front of all',
      async (test) => {
        const request = await test.ask()
        const { group, accounts } = test.standIn
        await until(() => test.standIn.messages(group).length === 1)
        const [card] = test.standIn.messages(group)
        await test.clock.advance(2_000)
        await test.say('y', { chat: group })
        await test.say('y', { chat: group, account: accounts.stranger, replyTo: card!.message })
        expect([await stateOf(test, request), test.standIn.messages(group).length]).toEqual(['pending', 1])
        await test.say('y', { chat: group, replyTo: card!.message })
        expect(await stateOf(test, request)).toBe('approved')
      },
      GROUP_CHAT,
    )

    it('a stranger who writes on and on gets some answers, and a click behind all that counts', async (test) => {
      const request = await test.ask()
      await test.card()
      const { stranger } = test.standIn.accounts
      const chat = test.standIn.privateChat(stranger)
      const before = test.standIn.written()
      for (let count = 0; count < 60; count++)
        await test.standIn.write({ account: stranger, chat, text: `hello ${count}` })
      expect(await test.click('Approve')).toBe('Approved.')
      await test.shown(request)
      expect(test.standIn.written() - before <= 25).toBe(true)
      await test.clock.advance(60_000)
      const answers = test.standIn.messages(chat).length
      await test.say('hello', {}, 'stranger')
      await until(() => test.standIn.messages(chat).length === answers + 1)
    })

    it(
      'P3: a reply to a card that has changed since decides nothing',
      async (test) => {
        const request = await test.ask()
        const { message } = await test.card('ben')
        await test.clock.advance(2_000)
        test.standIn.fail('update', 'down', 4)
        const edit = { decision: 'edit', digest: request.digest, arguments: { environment: 'test' } } as const
        await test.node.gateway.decide(request.id, edit, { subject: 'ana', role: 'admin', via: 'inbox' })
        await test.say('n', { replyTo: message }, 'ben')
        expect(await stateOf(test, request)).toBe('pending')
      },
      QUORUM,
    )
  })
}
