/** Tells people that an account was linked to them or unlinked, wherever they can be told. Nobody waits for it. */
import type { AccountNotice, Channel } from '../../people/channel.ts'
import type { Host } from '../host.ts'

export interface AccountNews {
  tell(notice: AccountNotice): void
}

export function createAccountNews(
  channels: readonly Channel[],
  { report }: Pick<Host, 'report'>,
): AccountNews {
  return {
    tell(notice) {
      for (const { name, tell } of channels) {
        tell?.(notice).catch((error) => report({ doing: `telling of an account in ${name}`, error }))
      }
    },
  }
}
