/** Clicks: which of them decide, and who is told what. */
import type { Actor } from '../../core/session.ts'
import { type ChatSuite, type ChatTest, GROUP_CHAT, QUORUM, until } from './chat-test.ts'

const ana: Actor = { subject: 'ana', role: 'admin', via: 'inbox' }
const buttonsOf = ({ buttons }: { buttons: readonly { handle?: string }[] }) =>
  buttons.filter(({ handle }) => handle !== undefined)
const shows = (test: ChatTest, text: string) => until(async () => (await test.card()).text.includes(text))

export function describeClicks({ describe, it, expect }: ChatSuite): void {
  describe('clicks', () => {
    it('P1 P6 P10: a click decides, the card shows by whom and loses its buttons, and the journal has the proof', async (test) => {
      const request = await test.ask()
      expect(await test.click('Approve')).toBe('Approved.')
      const decided = await test.get(request)
      expect([decided.state, decided.progress.decision?.by]).toEqual(['approved', 'ana'])
      await shows(test, 'ana approved')
      const card = await test.card()
      expect([card.text.includes('staging'), buttonsOf(card).length]).toEqual([true, 0])
      const [entry] = await test.entries('request.decided')
      expect(entry!).toMatchObject({ by: 'ana', account: { account: test.standIn.accounts.ana } })
    })

    it('a rejection decides too', async (test) => {
      const request = await test.ask()
      expect(await test.click('Reject')).toBe('Rejected.')
      expect((await test.get(request)).state).toBe('rejected')
    })

    it('P6: mistake 1, anyone in the chat can approve: strangers and people who may not are told so alone, and it stays pending', async (test) => {
      const request = await test.ask()
      const messages = () => test.standIn.messages(test.standIn.privateChat(test.standIn.accounts.ana)).length
      const before = (await test.card()) && messages()
      expect(/is linked to nobody/.test(await test.click('Approve', 'stranger'))).toBe(true)
      expect(/may not approve this request/.test(await test.click('Approve', 'eve'))).toBe(true)
      expect((await test.get(request)).state).toBe('pending')
      expect(messages()).toBe(before)
      const attempts = await test.entries('attempt.refused')
      expect(attempts.map(({ code }) => code)).toEqual(['unlinked_account', 'not_yours'])
    })

    it(
      'P6: somebody who has left decides nothing',
      async (test) => {
        const request = await test.ask()
        await test.card('eve')
        test.node.forget('eve')
        const [card] = test.cards('eve')
        const { accounts } = test.standIn
        const told = await test.standIn.click({
          account: accounts.eve,
          chat: test.standIn.privateChat(accounts.eve),
          message: card!.message,
          handle: test.handle(card!, 'Approve'),
        })
        expect([/is linked to nobody/.test(told), (await test.get(request)).state]).toEqual([true, 'pending'])
      },
      { policy: { rules: [{ name: 'eve alone', when: { tool: '*' }, then: 'ask', approvers: ['eve'] }] } },
    )

    it('P3 P6: mistake 5, an old card can mean a new question: a handle works on its own card in its own chat alone', async (test) => {
      const first = await test.ask()
      const one = await test.card()
      const second = await test.ask({ arguments: { environment: 'production' } })
      await until(() => test.cards().length === 2)
      const other = await test.card()
      const wrong = [
        { message: other.message },
        { chat: test.standIn.group },
        { handle: first.id, message: one.message },
        { handle: 'A'.repeat(22), message: one.message },
        { handle: '', message: one.message },
        { handle: 'x'.repeat(60), message: one.message },
      ]
      for (const more of wrong) {
        const told = await test.standIn.click({
          account: test.standIn.accounts.ana,
          chat: test.standIn.privateChat(test.standIn.accounts.ana),
          message: one.message,
          handle: test.handle(one, 'Approve'),
          ...more,
        })
        expect([more, /not valid here/.test(told)]).toEqual([more, true])
      }
      const states = [(await test.get(first)).state, (await test.get(second)).state]
      expect(states).toEqual(['pending', 'pending'])
    })

    it('P3: a handle of a card that has no message yet, clicked on the message of another card, decides nothing and keeps nobody waiting', async (test) => {
      const other = await test.ask({ arguments: { environment: 'test' } })
      const bound = await test.card()
      test.standIn.fail('send', 'lost')
      const request = await test.ask()
      await until(() => test.cards().length === 2)
      const { ana } = test.standIn.accounts
      const click = { account: ana, chat: test.standIn.privateChat(ana), message: bound.message }
      const handle = test.handle(test.cards().at(-1)!, 'Approve')
      expect(/not valid here/.test(await test.standIn.click({ ...click, handle }))).toBe(true)
      const own = test.handle(bound, 'Approve')
      expect(await test.standIn.click({ ...click, handle: own })).toBe('Approved.')
      expect([(await test.get(request)).state, (await test.get(other)).state]).toEqual([
        'pending',
        'approved',
      ])
    })

    it('P1: mistake 6, state in memory: after kill -9 between card and click the same card works', async (test) => {
      const request = await test.ask()
      await test.card()
      await test.restart()
      expect(await test.click('Approve')).toBe('Approved.')
      expect((await test.get(request)).state).toBe('approved')
      await shows(test, 'ana approved')
    })

    it('P1: a click made while we were down is handled after the start', async (test) => {
      const request = await test.ask()
      const card = await test.card()
      await test.stop()
      const told = test.standIn.click({
        account: test.standIn.accounts.ana,
        chat: test.standIn.privateChat(test.standIn.accounts.ana),
        message: card.message,
        handle: test.handle(card, 'Approve'),
      })
      await test.start()
      expect(await told).toBe('Approved.')
      expect((await test.get(request)).state).toBe('approved')
    })

    it('P1: after kill -9 between click and update the card shows the truth', async (test) => {
      const request = await test.ask()
      test.standIn.fail('update', 'down', 1)
      expect(await test.click('Approve')).toBe('Approved.')
      await test.restart()
      await until(async () => {
        await test.clock.advance(5_000)
        return (await test.card()).text.includes('ana approved')
      })
      expect((await test.get(request)).state).toBe('approved')
    })

    it('P1: a click within the send, before the message has a name, counts, and both cards are brought up to date', async (test) => {
      test.standIn.fail('send', 'lost')
      const request = await test.ask()
      await until(() => test.cards().length === 1)
      const [first] = test.cards()
      const { accounts } = test.standIn
      const click = {
        chat: test.standIn.privateChat(accounts.ana),
        message: first!.message,
        handle: test.handle(first!, 'Approve'),
      }
      expect(/not valid here/.test(await test.standIn.click({ ...click, account: accounts.stranger }))).toBe(
        true,
      )
      expect((await test.get(request)).state).toBe('pending')
      await until(async () => {
        await test.clock.advance(2_000)
        return test.cards().length === 2
      })
      expect(await test.standIn.click({ ...click, account: accounts.ana })).toBe('Approved.')
      await until(async () => {
        await test.clock.advance(2_000)
        return test
          .cards()
          .every((card) => card.text.includes('ana approved') && buttonsOf(card).length === 0)
      })
      expect((await test.get(request)).state).toBe('approved')
    })

    it(
      'P2: two people who click at once: one decision, and both are told',
      async (test) => {
        const request = await test.ask()
        await until(() => test.standIn.messages(test.standIn.group).length === 1)
        const [card] = test.standIn.messages(test.standIn.group)
        const click = { chat: test.standIn.group, message: card!.message }
        const { accounts } = test.standIn
        const told = await Promise.all([
          test.standIn.click({ ...click, account: accounts.ana, handle: test.handle(card!, 'Approve') }),
          test.standIn.click({ ...click, account: accounts.ben, handle: test.handle(card!, 'Reject') }),
        ])
        const { state, progress } = await test.get(request)
        const isAna = progress.decision?.by === 'ana'
        expect(state).toBe(isAna ? 'approved' : 'rejected')
        expect(told[isAna ? 0 : 1]).toBe(isAna ? 'Approved.' : 'Rejected.')
        expect(/^Too late: (?:ana approved|ben rejected)/.test(told[isAna ? 1 : 0]!)).toBe(true)
        expect((await test.entries('request.decided')).length).toBe(1)
      },
      GROUP_CHAT,
    )

    it(
      'P10: every vote of a quorum is shown, and who votes is told that more are needed',
      async (test) => {
        const request = await test.ask()
        expect(/More people/.test(await test.click('Approve'))).toBe(true)
        await shows(test, '1 of 2 approvals so far')
        await shows(test, 'ana approved')
        const card = await test.card('ben')
        const told = await test.standIn.click({
          account: test.standIn.accounts.ben,
          chat: test.standIn.privateChat(test.standIn.accounts.ben),
          message: card.message,
          handle: test.handle(card, 'Approve'),
        })
        expect([told, (await test.get(request)).state]).toEqual(['Approved.', 'approved'])
        await shows(test, 'ana and ben approved')
        for (const who of ['ana', 'ben'] as const)
          await until(async () => (await test.card(who)).text.includes(`${who} approved, `))
      },
      QUORUM,
    )

    it(
      'P3: after an edit a handle only says that this has changed, and the new one works',
      async (test) => {
        const request = await test.ask()
        const before = await test.card('ben')
        const edit = { decision: 'edit', digest: request.digest, arguments: { environment: 'test' } } as const
        test.standIn.fail('update', 'down', 4)
        await test.node.gateway.decide(request.id, edit, ana)
        const click = {
          account: test.standIn.accounts.ben,
          chat: test.standIn.privateChat(test.standIn.accounts.ben),
          message: before.message,
          handle: test.handle(before, 'Approve'),
        }
        expect(/the request has changed/.test(await test.standIn.click(click))).toBe(true)
        await until(async () => {
          await test.clock.advance(5_000)
          return (await test.card('ben')).text.includes('ana changed the arguments')
        })
        expect(/the request has changed/.test(await test.standIn.click(click))).toBe(true)
        expect((await test.get(request)).state).toBe('pending')
        const after = await test.card('ben')
        expect(await test.standIn.click({ ...click, handle: test.handle(after, 'Approve') })).toBe(
          'Approved.',
        )
        expect((await test.get(request)).progress.approved?.digest).toBe(
          (await test.get(request)).progress.edit?.digest,
        )
      },
      QUORUM,
    )

    it('P2: mistake 7, the card keeps its buttons after the answer elsewhere: it changes, and a stale click is told who decided', async (test) => {
      const request = await test.ask()
      const card = await test.card()
      const handle = test.handle(card, 'Reject')
      await test.node.gateway.decide(request.id, { decision: 'approve', digest: request.digest }, ana)
      await shows(test, 'ana approved')
      expect(buttonsOf(await test.card())).toEqual([])
      const told = await test.standIn.click({
        account: test.standIn.accounts.ana,
        chat: test.standIn.privateChat(test.standIn.accounts.ana),
        message: card.message,
        handle,
      })
      expect([/Too late: ana approved/.test(told), (await test.get(request)).state]).toEqual([
        true,
        'approved',
      ])
    })

    it(
      'P5: a request that has expired, or was withdrawn, says so on its card and takes no click',
      async (test) => {
        const withdrawn = await test.ask()
        const card = await test.card()
        const handle = test.handle(card, 'Approve')
        await test.node.gateway.cancel(withdrawn.id, {}, test.agent)
        await shows(test, 'withdrew')
        const expired = await test.ask()
        await until(() => test.cards().length === 2)
        await test.card()
        await test.clock.advance(6 * 60_000)
        await until(async () => (await test.get(expired)).state === 'expired')
        await until(async () => {
          await test.clock.advance(5_000)
          return (await test.card()).text.includes('Expired')
        })
        expect(test.cards().flatMap(buttonsOf)).toEqual([])
        const told = await test.standIn.click({
          account: test.standIn.accounts.ana,
          chat: test.standIn.privateChat(test.standIn.accounts.ana),
          message: card.message,
          handle,
        })
        expect([/Nothing was decided/.test(told), (await test.get(withdrawn)).state]).toEqual([
          true,
          'cancelled',
        ])
      },
      { policy: { rules: [{ name: 'soon', when: { tool: '*' }, then: 'ask', expiresIn: '5m' }] } },
    )

    it('P2: an event that comes twice is handled once, and of a thousand clicks one decides', async (test) => {
      const request = await test.ask()
      const handle = test.handle(await test.card(), 'Approve')
      expect(await test.click('Approve', 'ana', { event: 'twice' })).toBe('Approved.')
      expect(await test.replay('twice')).toBe('')
      const card = await test.card()
      const { accounts } = test.standIn
      for (let index = 0; index < 1000; index++) {
        test.standIn.send({
          account: index % 2 === 0 ? accounts.ana : accounts.stranger,
          chat: test.standIn.privateChat(accounts.ana),
          message: card.message,
          handle: index % 3 === 0 ? handle : 'B'.repeat(22),
        })
      }
      await until(() => test.standIn.isIdle())
      expect([(await test.get(request)).state, (await test.entries('request.decided')).length]).toEqual([
        'approved',
        1,
      ])
    })

    it('P5 P7: a click while the store is away is not confirmed, and decides when the store is back', async (test) => {
      const request = await test.ask()
      await test.card()
      test.breakStore(true)
      const told = await test.click('Approve')
      // Not every service sends it again, so nobody is promised that it will be recorded.
      expect(/can't be recorded right now.*click again/.test(told)).toBe(true)
      expect(test.standIn.isIdle()).toBe(false)
      test.breakStore(false)
      expect((await test.get(request)).state).toBe('pending')
      await until(async () => {
        await test.clock.advance(30_000)
        return (await test.get(request)).state === 'approved'
      })
      await until(() => test.standIn.isIdle())
    })

    it('P7: a click is acknowledged in time though the store is slow, and counts all the same', async (test) => {
      const request = await test.ask()
      await test.card()
      const release = test.holdStore()
      const told = test.click('Approve')
      await test.reached()
      await test.clock.advance(test.limits.ackWithinMs / 2)
      // It is confirmed only after the decision.
      expect(test.standIn.isIdle()).toBe(false)
      release()
      expect(/Received/.test(await told)).toBe(true)
      await until(async () => (await test.get(request)).state === 'approved')
    })

    it('P5: what goes wrong after a slow click was acknowledged is told alone, in a message', async (test) => {
      const request = await test.ask()
      await test.card()
      const release = test.holdStore()
      const told = test.click('Approve')
      await test.reached()
      await test.clock.advance(test.limits.ackWithinMs / 2)
      test.breakStore(true)
      release()
      // A service that waits for the whole may still put it into its answer.
      const answer = await told
      await until(() => /can't be recorded right now/.test(`${answer} ${test.said('ana')}`))
      test.breakStore(false)
      expect((await test.get(request)).state).toBe('pending')
    })

    it('a click whose acknowledgement fails counts all the same', async (test) => {
      const request = await test.ask()
      await test.card()
      test.standIn.fail('acknowledge', 'error', 1)
      void test.click('Approve').catch(() => {})
      await until(async () => (await test.get(request)).state === 'approved')
      await until(() => test.standIn.isIdle())
    })

    it('P4: whichever node gets a click decides, and another receives when one has died', async (test) => {
      const other = await test.beside()
      const request = await test.ask()
      await test.card()
      await test.stop()
      await test.clock.advance(60_000)
      await until(async () => {
        await test.clock.advance(10_000)
        return (await other.store.leases.list('chats/')).length === 1
      })
      const card = test.cards().at(-1)!
      const told = await test.standIn.click({
        account: test.standIn.accounts.ana,
        chat: test.standIn.privateChat(test.standIn.accounts.ana),
        message: card.message,
        handle: test.handle(card, 'Approve'),
      })
      expect(told).toBe('Approved.')
      expect((await other.store.get(request.id))!.state).toBe('approved')
    })
  })
}
