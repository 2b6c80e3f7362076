/** What a service says of our bot. */
import { ChatFault } from '../../people/chats/contract.ts'
import type { ChatSuite, ChatTest, StandInFailure } from './chat-test.ts'

const FAILURES: readonly StandInFailure[] = ['down', 'error', 'garbage', 'later']

export function describeDescription({ describe, it, expect }: ChatSuite): void {
  describe('the description of the bot', () => {
    it('names the bot, and the address of a chat with it', async ({ service, standIn }) => {
      const { bot, address, addressWithCode } = await service.describe()
      expect(bot).toBe(standIn.bot)
      expect(new URL(address).protocol).toBe('https:')
      const code = 'ABCD-EFGH-0123'
      if (addressWithCode !== undefined)
        expect([...new URL(addressWithCode(code)).searchParams.values()]).toEqual([code])
    })

    it('P5: is asked for each time, and a service that fails is a fault without a secret', async (test) => {
      await test.service.describe()
      for (const how of FAILURES) {
        test.standIn.fail('describe', how)
        const fault = await faultOf(test)
        expect([how, fault instanceof ChatFault, (fault as ChatFault).what?.kind]).toEqual([
          how,
          true,
          'retry',
        ])
        expect(test.standIn.secrets.filter((secret) => String(fault).includes(secret))).toEqual([])
      }
      expect((await test.service.describe()).bot).toBe(test.standIn.bot)
    })
  })
}

const faultOf = ({ service }: ChatTest): Promise<unknown> =>
  service.describe().then(
    () => undefined,
    (error) => error,
  )
