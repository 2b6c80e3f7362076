/** A secretary that notes what it hears. It knows everybody but the stranger. */
import { BanksmanError } from '../../core/errors.ts'
import type { SecretaryTalk, TalkMessage } from '../../people/driver.ts'

export function createListener(
  stranger: string,
  { isDirect }: { isDirect: boolean },
  heard: TalkMessage[],
): SecretaryTalk {
  return {
    isDirect: async () => isDirect,
    async hear(message) {
      const { text, isPrivate, isAddressed, account } = message
      if (!isPrivate && isAddressed !== true && !text.startsWith('//')) return undefined
      if (account === stranger) throw new BanksmanError('unlinked_account', 'nobody')
      heard.push(message)
      return { text: `heard: ${text}`, isAlone: text.includes('secret') }
    },
  }
}
