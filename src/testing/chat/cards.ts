/** What people see. */
import type { ChatSuite } from './chat-test.ts'

export function describeCards({ describe, it, expect }: ChatSuite): void {
  describe('cards', () => {
    it('P9: a card says who wants what, the whole action, the risk with its cause, the words of the agent as such, and the deadline', async (test) => {
      await test.ask({ context: 'tidying up', agent: { name: 'builder' } })
      const { text, buttons } = await test.card()
      for (const part of [
        'builder wants to use deploy',
        'staging',
        'normal risk',
        'not checked',
        'tidying up',
        'Answer by',
      ])
        expect([part, text.includes(part)]).toEqual([part, true])
      expect(buttons.map(({ label }) => label).slice(0, 2)).toEqual(['Approve', 'Reject'])
    })
  })
}
