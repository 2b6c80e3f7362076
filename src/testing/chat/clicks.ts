/** Clicks: which of them decide, and who is told what. */
import { type ChatSuite, until } from './chat-test.ts'

export function describeClicks({ describe, it, expect }: ChatSuite): void {
  describe('clicks', () => {
    it('P1 P6 P10: a click decides, the card shows by whom and loses its buttons, and the journal has the proof', async (test) => {
      const request = await test.ask()
      expect(await test.click('Approve')).toBe('Approved.')
      const decided = await test.get(request)
      expect([decided.state, decided.progress.decision?.by]).toEqual(['approved', 'ana'])
      await until(async () => (await test.card()).text.includes('ana approved'))
      const card = await test.card()
      expect(card.text.includes('staging')).toBe(true)
      expect(card.buttons.filter(({ handle }) => handle !== undefined)).toEqual([])
      const [entry] = await test.entries('request.decided')
      expect(entry!).toMatchObject({ by: 'ana', account: { account: test.standIn.accounts.ana } })
    })

    it('P6: mistake 1, anyone in the chat can approve: strangers and people who may not are told so alone, and it stays pending', async (test) => {
      const request = await test.ask()
      const messages = () => test.standIn.messages(test.standIn.privateChat(test.standIn.accounts.ana)).length
      const before = (await test.card()) && messages()
      expect(/belongs to nobody/.test(await test.click('Approve', 'stranger'))).toBe(true)
      expect(/not an approver/.test(await test.click('Approve', 'eve'))).toBe(true)
      expect((await test.get(request)).state).toBe('pending')
      expect(messages()).toBe(before)
      const attempts = await test.entries('attempt.refused')
      expect(attempts.map(({ code }) => code)).toEqual(['unlinked_account', 'not_yours'])
    })
  })
}
