/** Linking an account by a code, and test cards. */
import type { Actor } from '../../core/session.ts'
import { type ChatSuite, type ChatTest, type StandInMessage, until, type Who } from './chat-test.ts'

const ana: Actor = { subject: 'ana', role: 'admin', via: 'http' }
const eve: Actor = { subject: 'eve', role: 'approver', via: 'http' }
const HOLD = { holdMs: 0 }

/** Eve has no account yet, and ana has one. */
const UNLINKED = ({ accounts }: { accounts: Record<Who, string> }) => ({
  people: { ana: { groups: [], account: accounts.ana }, eve: { groups: ['approvers'] } },
})

const WORTHLESS = 'This code is not valid here'

async function begin(test: ChatTest, actor = eve) {
  const { gateway } = test.node
  const { token } = await gateway.tokens.create({ role: 'approver', subject: actor.subject }, ana)
  const { service, tenant } = test.standIn
  return gateway.accounts.linking.begin({ service, tenant }, actor, token.id)
}

const stateOf = async (test: ChatTest, id: string, actor = eve) =>
  test.node.gateway.accounts.linking.get(id, actor)

/** The number of messages that the bot has sent to somebody grows by one. */
async function answered(test: ChatTest, who: Who, work: () => Promise<void>): Promise<string> {
  const all = () => test.standIn.messages(test.standIn.privateChat(test.standIn.accounts[who])).length
  const before = all()
  await work()
  await until(() => all() > before)
  return test.said(who)
}

const say = (test: ChatTest, text: string, who: Who = 'eve', more: Partial<StandInMessage> = {}) =>
  answered(test, who, () => test.say(text, more, who))

export function describeLinking({ describe, it, expect }: ChatSuite): void {
  describe('linking an account', () => {
    it(
      'P6: the bot says to whom, nothing is linked before the person confirms, and then both of their chats are told',
      async (test) => {
        const { accounts, tenant } = test.standIn
        const { id, code } = await begin(test)
        const answer = await say(test, `/start ${code}`)
        expect([
          answer.includes('to eve'),
          answer.includes(accounts.eve),
          answer.includes('ignore this'),
        ]).toEqual([true, true, true])
        const { state, account } = await stateOf(test, id)
        expect([state, account?.account]).toEqual(['claimed', accounts.eve])
        const request = await test.ask()
        expect(test.cards('eve')).toEqual([])
        await test.restart()
        const { linking } = test.node.gateway.accounts
        const told = await answered(test, 'eve', async () => {
          await linking.confirm(id, { tenant, account: accounts.eve }, eve)
        })
        expect(told.includes('linked to eve now')).toBe(true)
        await test.ask({ arguments: { second: true } })
        await until(() => test.cards('eve').length === 1)
        expect((await test.get(request)).state).toBe('pending')
      },
      UNLINKED,
    )

    it(
      'P6: wrong, used and cancelled codes, and those of others, get one answer, and link nothing',
      async (test) => {
        const { id, code } = await begin(test)
        const cancelled = await begin(test)
        await test.node.gateway.accounts.linking.cancel(cancelled.id, eve)
        const answers = new Set<string>()
        for (const text of ['AAAA-BBBB-CCCC-DDDD', `link ${code.toLowerCase()}`, cancelled.code])
          answers.add(await say(test, text, 'stranger'))
        expect([answers.size, [...answers][0]!.startsWith(WORTHLESS)]).toEqual([1, true])
        await test.clock.advance(1)
        expect((await stateOf(test, cancelled.id)).because).toBe('cancelled')
        expect(id === cancelled.id).toBe(false)
      },
      UNLINKED,
    )

    it(
      "P6: an account of somebody else's is told no more than that the code is not valid",
      async (test) => {
        const { id, code } = await begin(test)
        expect((await say(test, code, 'ana')).startsWith(WORTHLESS)).toBe(true)
        expect((await stateOf(test, id)).because).toBe('account_taken')
      },
      UNLINKED,
    )

    it(
      'P6: messages of bots, forwarded and edited ones do not count',
      async (test) => {
        const { id, code } = await begin(test)
        for (const more of [{ isBot: true }, { isForwarded: true }, { isEdited: true }])
          await test.say(code, more, 'eve')
        expect((await stateOf(test, id)).state).toBe('waiting')
      },
      UNLINKED,
    )

    it(
      'P6: a code in a group is void, and the group is told so',
      async (test) => {
        const { group, messages } = test.standIn
        const { id, code } = await begin(test)
        await test.say(code, { chat: group }, 'eve')
        await until(() => messages(group).some(({ text }) => text.includes('void now')))
        expect((await stateOf(test, id)).because).toBe('seen_by_others')
        expect((await say(test, code)).startsWith(WORTHLESS)).toBe(true)
        const count = messages(group).length
        await test.say('AAAA-BBBB-CCCC-DDDD', { chat: group }, 'eve')
        expect(messages(group).length).toBe(count)
      },
      UNLINKED,
    )

    it(
      'a message of ten thousand letters, or any other text, gets what it got before',
      async (test) => {
        const { id, code } = await begin(test)
        expect(await say(test, `${code} ${'A'.repeat(10_000)}`)).toBe('Nothing is pending here.')
        expect(await say(test, 'hello')).toBe('Nothing is pending here.')
        expect((await stateOf(test, id)).state).toBe('waiting')
      },
      UNLINKED,
    )

    it(
      'P7: a code that was sent while we were down is taken after the start',
      async (test) => {
        const { id, code } = await begin(test)
        await test.stop()
        const { accounts } = test.standIn
        await test.standIn.write({
          account: accounts.eve,
          chat: test.standIn.privateChat(accounts.eve),
          text: code,
        })
        await test.start()
        await until(async () => (await stateOf(test, id)).state === 'claimed')
      },
      UNLINKED,
    )

    it('unlinking is told to that account, and a message can not unlink', async (test) => {
      const { accounts, service, tenant } = test.standIn
      const link = { service, tenant, account: accounts.stranger }
      await test.node.gateway.accounts.link(link, 'eve', ana)
      await say(test, 'unlink', 'stranger')
      expect(await test.node.gateway.accounts.find(link)).toBe('eve')
      const told = await answered(test, 'stranger', () =>
        test.node.gateway.accounts.own.unlink({ service, tenant }, link, eve),
      )
      expect(told).toBe('This account is no longer linked to eve.')
      await until(() => test.said('eve').includes(`account ${accounts.stranger} is no longer linked to you`))
    })
  })

  describe('a test card', () => {
    const send = async (test: ChatTest, actor = ana) => {
      const { tests } = test.node.gateway.accounts
      const { id } = await tests.begin(test.standIn.service, actor)
      return { id, ...(await test.node.chat.sendTest({ id, subject: actor.subject })) }
    }
    const cardOf = (test: ChatTest, who: Who = 'ana') =>
      test.standIn
        .messages(test.standIn.privateChat(test.standIn.accounts[who]))
        .filter(({ text }) => text.includes('Test card'))
        .at(-1)!

    it('P6: arrives, survives a restart, and shows who clicked it; it decides nothing', async (test) => {
      const { id } = await send(test)
      await test.restart()
      const { message, buttons } = cardOf(test)
      const handle = buttons[0]!.handle!
      const account = test.standIn.accounts.ana
      const chat = test.standIn.privateChat(account)
      const request = await test.ask()
      const told = await test.standIn.click({ account, chat, message, handle })
      expect(told.includes("it counts as ana's")).toBe(true)
      const { tests } = test.node.gateway.accounts
      const { clicked } = await tests.wait(id, ana, HOLD)
      expect([clicked?.account, clicked?.person]).toEqual([account, 'ana'])
      await until(() => cardOf(test).text.includes('It works'))
      expect(cardOf(test).buttons).toEqual([])
      const again = await test.standIn.click({ account, chat, message, handle, event: 'another' })
      expect([again.includes('test is over'), (await test.get(request)).state]).toEqual([true, 'pending'])
    })

    it('P6: on another message or by another account its button is nothing', async (test) => {
      const { id } = await send(test)
      const { message, buttons } = cardOf(test)
      const { accounts, privateChat } = test.standIn
      const handle = buttons[0]!.handle!
      const told = await test.standIn.click({
        account: accounts.stranger,
        chat: privateChat(accounts.stranger),
        message,
        handle,
      })
      expect(told.includes('not valid here')).toBe(true)
      expect((await test.node.gateway.accounts.tests.get(id, ana)).clicked).toBe(undefined)
    })

    it(
      'P5: while a test card is open, a plain y means no card',
      async (test) => {
        await send(test)
        const request = await test.ask()
        await test.card()
        await test.clock.advance(2_000)
        await say(test, 'y', 'ana')
        const { message } = cardOf(test)
        expect(await say(test, 'y', 'ana', { replyTo: message })).toBe(
          'This card is a test. Click its button.',
        )
        expect((await test.get(request)).state).toBe('pending')
      },
      { chat: { textAnswers: true } },
    )

    it('a service that is down is told to who wanted the test, and so is a person without an account', async (test) => {
      test.standIn.fail('send', 'gone')
      expect((await send(test)).fault !== undefined).toBe(true)
      const { tests } = test.node.gateway.accounts
      const { id } = await tests.begin(test.standIn.service, eve)
      const failed = await test.node.chat.sendTest({ id, subject: 'nobody' }).catch((error) => String(error))
      expect(String((failed as string).includes('link one first'))).toBe('true')
    })
  })
}
