/** Many requests at once. */
import { type ChatSuite, until } from './chat-test.ts'

export function describeFloods({ describe, it, expect }: ChatSuite): void {
  describe('floods', () => {
    it('after five cards in a minute there is one summary, which counts down', async (test) => {
      const requests = []
      for (let index = 0; index < 12; index++) requests.push(await test.ask({ arguments: { index } }))
      await until(async () => {
        await test.clock.advance(1_000)
        return test.all().some(({ text }) => text.includes('7 more requests are pending'))
      })
      expect([test.cards().length, test.all().length]).toEqual([5, 6])
      const last = requests.at(-1)!
      await test.node.gateway.decide(
        last.id,
        { decision: 'reject', digest: last.digest },
        {
          subject: 'ana',
          role: 'admin',
          via: 'inbox',
        },
      )
      await until(async () => {
        await test.clock.advance(1_000)
        return test.all().some(({ text }) => text.includes('6 more requests are pending'))
      })
    })

    it('P8: a summary that somebody has deleted is sent anew', async (test) => {
      const pending = (count: number) =>
        test.all().some(({ text }) => text.includes(`${count} more requests are pending`))
      for (let count = 0; count < 7; count++) await test.ask({ arguments: { count } })
      const shown = (messages: number, count: number) =>
        until(async () => {
          await test.clock.advance(1_000)
          return test.all().length === messages && pending(count)
        })
      await shown(6, 2)
      test.standIn.fail('update', 'gone')
      await test.ask({ arguments: { last: true } })
      await shown(7, 3)
      await test.ask({ arguments: { another: true } })
      await shown(7, 4)
    })

    it('a thousand requests in a minute: the pace is kept, and nobody is asked twice', async (test) => {
      for (let index = 0; index < 1000; index++)
        await test.ask({ session: `s${index % 20}`, arguments: { index } })
      await until(async () => {
        await test.clock.advance(1_000)
        return test.all().some(({ text }) => /9\d\d more requests/.test(text))
      })
      expect([test.cards().length < 100, new Set(test.cards().map(({ text }) => text)).size]).toEqual([
        true,
        test.cards().length,
      ])
      expect([test.standIn.written() < 200, test.standIn.refused()]).toEqual([true, 0])
    })

    it(
      'a high-risk request always has a card of its own',
      async (test) => {
        for (let index = 0; index < 8; index++) await test.ask({ arguments: { index } })
        await until(async () => {
          await test.clock.advance(1_000)
          return test.cards().length === 8
        })
      },
      { policy: { rules: [{ name: 'risky', when: { tool: '*' }, then: 'ask', severity: 'critical' }] } },
    )
  })
}
