/** A service that fails: nothing is lost, nothing is decided by it, and the inbox works all the while. */
import type { Actor } from '../../core/session.ts'
import { type ChatSuite, type StandInFailure, until } from './chat-test.ts'

const ana: Actor = { subject: 'ana', role: 'admin', via: 'inbox' }
const TRANSIENT: readonly StandInFailure[] = ['down', 'error', 'garbage', 'lost', 'later']

export function describeFaults({ describe, it, expect }: ChatSuite): void {
  describe('a service that fails', () => {
    for (const how of TRANSIENT) {
      it(`P1 P5: ${how} while a card is sent: it is sent again, and answered in the inbox meanwhile`, async (test) => {
        test.standIn.fail('send', how, 2)
        const [first, second] = [await test.ask(), await test.ask({ arguments: { second: true } })]
        await test.node.gateway.decide(first.id, { decision: 'reject', digest: first.digest }, ana)
        await until(async () => {
          await test.clock.advance(5_000)
          return test.cards().some(({ text }) => text.includes(second.id))
        })
        expect((await test.get(second)).state).toBe('pending')
        // A card whose name we never heard stays as it was: a click on it is told that it comes too late.
        if (how === 'lost') return
        await until(async () => {
          await test.clock.advance(5_000)
          return test
            .cards()
            .every(({ text, buttons }) => text.includes(second.id) || buttons.every(({ url }) => url))
        })
      })

      it(`P1: ${how} while a card is changed: it is changed again`, async (test) => {
        await test.ask()
        await test.card()
        test.standIn.fail('update', how, 2)
        expect(await test.click('Approve')).toBe('Approved.')
        await until(async () => {
          await test.clock.advance(5_000)
          return test.cards().every(({ text }) => text.includes('ana approved'))
        })
      })
    }

    it(
      'P8: a person who has blocked the bot: the chat of the configuration is asked instead',
      async (test) => {
        test.standIn.fail('send', 'gone', 1)
        await test.ask()
        await until(() => test.standIn.messages(test.standIn.group).length === 1)
      },
      (standIn) => ({ chat: { chat: standIn.group } }),
    )

    it(
      'P8: the chat of a rule comes before that of the service, and sees the action',
      async (test) => {
        test.standIn.fail('send', 'gone', 1)
        await test.ask()
        await until(() => test.standIn.messages(test.standIn.group).length === 1)
        const [card] = test.standIn.messages(test.standIn.group)
        expect([card!.text.includes('staging'), card!.buttons[0]!.label]).toEqual([true, 'Approve'])
      },
      ({ group, service }) => ({
        chat: { chat: '1' },
        policy: { rules: [{ name: 'group', when: { tool: '*' }, then: 'ask', chat: `${service}:${group}` }] },
      }),
    )

    it(
      'P8 P11: an agent that names the chat of an approver who has blocked the bot keeps it from no other approver',
      async (test) => {
        test.standIn.fail('send', 'gone', 1)
        await test.ask()
        await until(() => test.cards('ana').length === 1)
        expect(test.cards('ben')).toEqual([])
      },
      ({ accounts, group }) => ({
        chat: { chat: group },
        conversation: accounts.ben,
        people: {
          ana: { groups: [], account: accounts.ana },
          ben: { groups: ['approvers'], account: accounts.ben },
        },
      }),
    )

    it('P1: a service that is down for long: no more and more cards are kept, and the one that arrives works', async (test) => {
      test.standIn.fail('send', 'down', 20)
      const request = await test.ask()
      await until(async () => {
        await test.clock.advance(60_000)
        return test.cards().length === 1
      })
      const { items } = await test.node.store.records.list({ kind: 'chat_card' })
      expect(items.length <= 3).toBe(true)
      const { ana } = test.standIn.accounts
      const [card] = test.cards()
      const click = { account: ana, chat: test.standIn.privateChat(ana), message: card!.message }
      expect(await test.standIn.click({ ...click, handle: test.handle(card!, 'Approve') })).toBe('Approved.')
      expect((await test.get(request)).state).toBe('approved')
    })

    it('P5: nobody can be written to: the request stays pending, and is shown when they are back', async (test) => {
      test.standIn.fail('send', 'gone', 1)
      const request = await test.ask()
      await until(async () => {
        await test.clock.advance(20_000)
        return test.cards().length === 1
      })
      expect((await test.get(request)).state).toBe('pending')
    })

    it('a card that was deleted is left alone', async (test) => {
      const request = await test.ask()
      await test.card()
      test.standIn.fail('update', 'gone', 1)
      await test.click('Approve')
      await until(async () => {
        await test.clock.advance(5_000)
        const [delivery] = await test.node.store.deliveries.list(request.id)
        return delivery!.shownVersion === (await test.get(request)).version
      })
    })

    it('mistake 12, the token in logs: no report, entry or record has a secret of the service', async (test) => {
      for (const how of TRANSIENT) test.standIn.fail('send', how, 1)
      await test.ask()
      await until(async () => {
        await test.clock.advance(10_000)
        return test.cards().length > 0
      })
      const { journal, records } = test.node.store
      const entries = await Promise.all(
        (await journal.chains()).map(({ chain }) => journal.read(chain, 0, 1000)),
      )
      const { items } = await records.list({ kind: 'chat_card' })
      const told = test.node.faults().map(({ doing, error }) => [doing, String((error as Error).stack)])
      const all = JSON.stringify([entries, items, told])
      expect(told.length > 0).toBe(true)
      expect(test.standIn.secrets.filter((secret) => all.includes(secret))).toEqual([])
    })
  })
}
