/** Notices of sessions: who is told where, and that nothing of them is markup. */
import { type NoticeWords, NotNow } from '../../people/channel.ts'
import { type ChatSuite, type ChatTest, GROUP_CHAT, until } from './chat-test.ts'

const DONE: NoticeWords = {
  sign: '✅',
  title: 'Task completed',
  detail: '(12s, 3 tool calls)',
  quoted: 'All tests pass.',
}

const HOSTILE = `<b>bold</b> <at id=all></at> [click](https://evil.example.org/x) @ana_somebody https://evil.example.com/y
</pre><a href="tg://user?id=1">you</a> **Approve** /start #tag tg://resolve?domain=x
🔔 bot wants to use deploy\n\u202e\u200bRequest req_1`

function notify(test: ChatTest, words: Partial<NoticeWords> = {}, conversation = test.standIn.accounts.ana) {
  const notice = { conversation, owner: 'ana', words: () => ({ ...DONE, ...words }) }
  return test.node.notify(notice)
}

const fails = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

export function describeNotices({ describe, it, expect }: ChatSuite): void {
  describe('notices', () => {
    it('the owner is told in private: the title strong, what the session said quoted under a label', async (test) => {
      expect(await notify(test)).toBe('told')
      const [message] = test.all()
      expect(message!.text.startsWith('✅ Task completed (12s, 3 tool calls)')).toBe(true)
      expect(message!.text.includes('The session says (unverified):\nAll tests pass.')).toBe(true)
      expect(message!.strong.join('').includes('Task completed')).toBe(true)
      expect(message!.quoted).toEqual(['All tests pass.'])
      expect(message!.buttons).toEqual([])
    })

    it('P9: what a session said never becomes markup, a link, a mention or a card, in the title neither', async (test) => {
      await notify(test, { quoted: HOSTILE, title: HOSTILE, detail: HOSTILE })
      const [message] = test.all()
      expect([message!.links, message!.mentions, message!.buttons]).toEqual([[], [], []])
      const quoted = message!.quoted.join('\n')
      expect(quoted.includes('<b>bold</b> <at id=all></at> [click](https://evil.example.org/x)')).toBe(true)
      expect(quoted.includes('⟨U+202E RLO⟩⟨U+200B ZWSP⟩')).toBe(true)
    })

    it('P9: secrets in it are masked, and what is too long says so', async (test) => {
      const key = `sk-ant-api03-${'aB3dE5gH7j'.repeat(8)}AA`
      await notify(test, { quoted: `the key is ${key}` })
      await notify(test, { quoted: '\u200b'.repeat(3) + 'words '.repeat(5_000) })
      const [masked, long] = test.all()
      expect([masked!.text.includes(key), masked!.text.includes('⟨masked:')]).toEqual([false, true])
      expect([long!.text.includes('characters left out⟩'), long!.text.length < 3_000]).toEqual([true, true])
    })

    it(
      'P9: a group is told only if the configuration names it and the owner is in it; else they are told in private',
      async (test) => {
        const { group, accounts } = test.standIn
        expect(await notify(test, {}, group)).toBe('told')
        expect([test.standIn.messages(group).length, test.all().length]).toEqual([1, 0])
        expect(await notify(test, {}, `${group}9`)).toBe('told')
        expect(await notify(test, {}, accounts.ben)).toBe('told')
        expect([test.standIn.messages(group).length, test.all().length]).toEqual([1, 2])
        expect(test.standIn.messages(test.standIn.privateChat(accounts.ben))).toEqual([])
      },
      GROUP_CHAT,
    )

    it('P9: a group that the configuration does not name is told nothing', async (test) => {
      expect(await notify(test, {}, test.standIn.group)).toBe('told')
      expect([test.standIn.messages(test.standIn.group).length, test.all().length]).toEqual([0, 1])
    })

    it(
      'P6: somebody without an account can be told nothing, whatever account the session came from',
      async (test) => {
        expect(await notify(test)).toBe('gone')
        expect(test.all()).toEqual([])
      },
      ({ accounts }) => ({ people: { ana: { groups: [] }, eve: { groups: [], account: accounts.eve } } }),
    )

    it('a person who wants no messages is gone; a service that is away is tried again later', async (test) => {
      test.standIn.fail('send', 'gone')
      expect(await notify(test)).toBe('gone')
      test.standIn.fail('send', 'later')
      const later = await fails(notify(test))
      expect([later instanceof NotNow, (later as NotNow).retryAfterMs]).toEqual([true, 7_000])
      test.standIn.fail('send', 'error')
      expect((await fails(notify(test))) instanceof NotNow).toBe(true)
      expect(await notify(test)).toBe('told')
    })

    it('after five in a minute the others wait, and a card comes all the same', async (test) => {
      for (let count = 0; count < 5; count++) {
        await test.clock.advance(1_000)
        await notify(test)
      }
      const later = await fails(notify(test))
      expect([later instanceof NotNow, (later as NotNow).retryAfterMs > 50_000]).toEqual([true, true])
      await test.ask()
      await test.card()
      await test.clock.advance(60_000)
      expect(await notify(test)).toBe('told')
      expect(test.standIn.refused()).toBe(0)
    })

    it(
      'in quiet hours it comes without a sound, or after them',
      async (test) => {
        const said = await fails(notify(test))
        if (test.limits.canBeSilent) expect(test.all().map(({ isSilent }) => isSilent)).toEqual([true])
        else expect([test.all().length, said instanceof NotNow]).toEqual([0, true])
      },
      ({ accounts }) => ({
        people: {
          ana: {
            groups: [],
            account: accounts.ana,
            quietHours: { from: '00:00', to: '23:59', zone: 'UTC' },
          },
        },
      }),
    )

    it('a reply to a notice answers no card', async (test) => {
      const request = await test.ask()
      await test.card()
      await notify(test)
      await test.clock.advance(2_000)
      await test.say('y', { replyTo: test.all().at(-1)!.message })
      await until(async () => (await test.get(request)).state === 'pending')
    })
  })
}
