/** The hosts of the services that we have bots in. No other address becomes a link. */
const HOSTS = new Set(['t.me', 'applink.feishu.cn', 'applink.larksuite.com'])

/** The address as it may stand in a link. */
export function botLink(url: string): string | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined
  return address?.protocol === 'https:' && HOSTS.has(address.host) ? address.href : undefined
}
