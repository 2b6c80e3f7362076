/** Tells a person in their chats that an account was linked to them or unlinked: in that account's own chat, and in their others. */
import type { Locale } from '../../display/words/rendering-words.ts'
import { sayService } from '../../display/words/services.ts'
import type { AccountNotice } from '../channel.ts'
import { line } from './card/call-texts.ts'
import { chatWords } from './card/words.ts'
import type { ChatService } from './contract.ts'
import type { Routing } from './routing.ts'

export interface TellAccountsParts {
  service: Pick<ChatService, 'name' | 'tenant' | 'say'>
  routing: Pick<Routing, 'accountOf'>
  locale: Locale
}

export function createTellAccounts(parts: TellAccountsParts): (notice: AccountNotice) => Promise<void> {
  const { service, routing, locale } = parts
  const { link } = chatWords(locale).told

  function elsewhere({ kind, account: { service: name, account, name: shown } }: AccountNotice): string {
    const called = sayService(name, locale)
    return kind === 'linked'
      ? link.linkedElsewhere(called, line(account), shown === undefined ? undefined : line(shown))
      : link.unlinkedElsewhere(called, line(account))
  }

  return async (notice) => {
    const { kind, account } = notice
    const { subject } = account
    const isHere = account.service === service.name && account.tenant === service.tenant
    const other = await routing.accountOf(subject)
    const tell = (to: string, text: string) => service.say({ kind: 'person', account: to }, text)
    const own = kind === 'linked' ? link.linked(line(subject)) : link.unlinked(line(subject))
    const results = await Promise.allSettled([
      ...(isHere ? [tell(account.account, own)] : []),
      ...(other === undefined || (isHere && other === account.account)
        ? []
        : [tell(other, elsewhere(notice))]),
    ])
    const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (failed !== undefined) throw failed.reason
  }
}
