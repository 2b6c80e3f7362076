/** What people write to the bot beyond answers: it goes to the secretary. */
import { type ChatSuite, GROUP_CHAT, until } from './chat-test.ts'

const SMART = { secretary: { isDirect: false } }
const DIRECT = { secretary: { isDirect: true }, chat: { textAnswers: true } }

export function describeSecretary({ describe, it, expect }: ChatSuite): void {
  describe('the secretary', () => {
    it(
      'hears who wrote what where, and its answer is sent as a reply',
      async (test) => {
        const { ana } = test.standIn.accounts
        await test.say('//new shop fix it')
        await until(() => test.said() === 'heard: //new shop fix it')
        expect(test.heard).toEqual([
          {
            service: test.standIn.service,
            chat: test.standIn.privateChat(ana),
            isPrivate: true,
            account: ana,
            text: '//new shop fix it',
            locale: 'en',
            event: test.heard[0]!.event,
          },
        ])
      },
      SMART,
    )

    it(
      'secretary 40: a reply to a card is an answer, and the secretary does not hear it',
      async (test) => {
        const request = await test.ask()
        const { message } = await test.card()
        await test.say('n', { replyTo: message })
        expect([(await test.get(request)).state, test.heard]).toEqual(['rejected', []])
      },
      DIRECT,
    )

    it(
      'secretary 40: a plain y answers the one card where text answers are on',
      async (test) => {
        const request = await test.ask()
        await test.card()
        await test.clock.advance(2_000)
        await test.say('y')
        expect([(await test.get(request)).state, test.heard]).toEqual(['approved', []])
      },
      { ...SMART, chat: { textAnswers: true } },
    )

    it(
      'P5: where every message goes to a session, a plain y is for the session and approves nothing',
      async (test) => {
        const request = await test.ask()
        await test.card()
        await test.clock.advance(2_000)
        await test.say('y')
        expect([(await test.get(request)).state, test.heard.map(({ text }) => text)]).toEqual([
          'pending',
          ['y'],
        ])
      },
      DIRECT,
    )

    it(
      'P5: a plain y that is no answer goes to nobody while a request is pending, and to the secretary else',
      async (test) => {
        const request = await test.ask()
        await test.card()
        await test.say('y')
        await until(() => test.said().includes(request.id))
        expect([(await test.get(request)).state, test.heard]).toEqual(['pending', []])
        await test.click('Reject')
        await test.say('yes')
        expect(test.heard.map(({ text }) => text)).toEqual(['yes'])
      },
      SMART,
    )

    it(
      'P6: bots, forwarded and edited messages are not heard',
      async (test) => {
        for (const more of [{ isBot: true }, { isForwarded: true }, { isEdited: true }])
          await test.say('//new shop', more)
        expect(test.heard).toEqual([])
      },
      SMART,
    )

    it(
      'in a group only what is meant for it is heard, and what is for one person is said to them alone',
      async (test) => {
        const { group } = test.standIn
        await test.say('the build is red again', { chat: group })
        await test.say('//list', { chat: group })
        await test.say('//list secret', { chat: group })
        expect(test.heard.map(({ text, isPrivate }) => [text, isPrivate])).toEqual([
          ['//list', false],
          ['//list secret', false],
        ])
        await until(() => test.said() === 'heard: //list secret')
        expect(test.standIn.messages(group).map(({ text }) => text)).toEqual(['heard: //list'])
      },
      (standIn) => ({ ...(GROUP_CHAT as (one: typeof standIn) => object)(standIn), ...SMART }),
    )

    it(
      'P6: a stranger is told once, alone, and nothing of what is there; also after a restart',
      async (test) => {
        const { group, accounts, privateChat } = test.standIn
        const told = () => test.standIn.messages(privateChat(accounts.stranger)).map(({ text }) => text)
        await test.say('//list', { chat: group, account: accounts.stranger })
        for (const text of ['hello', '//new shop', '//switch ses_1']) await test.say(text, {}, 'stranger')
        await until(() => told().length === 1)
        await test.restart()
        await test.say('//progress', {}, 'stranger')
        expect(told()).toEqual([
          'This account is linked to nobody here, so nothing was done. Link it in the settings of the inbox, then write again. You get this message only once.',
        ])
        expect([test.heard, test.standIn.messages(group)]).toEqual([[], []])
      },
      SMART,
    )
  })
}
