/** Where in the app somebody is: what stands after the `#` of the address, so that links, reload and back work. */

export const PAGES = [
  'pending',
  'chat',
  'sessions',
  'history',
  'grants',
  'policy',
  'mcp',
  'health',
  'settings',
] as const
export type PageName = (typeof PAGES)[number]

export interface PageLocation {
  readonly page: PageName
  /** What is open on the page: a request, a conversation. */
  readonly id?: string
  /** How the page is set: filters, a tab. */
  readonly query?: Readonly<Record<string, string>>
}

/** `#/history/req_1?tool=Bash`. What can't be read leads to the list of what waits. */
export function parsePageLocation(hash: string): PageLocation {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [page, id] = path.split('/', 2)
  if (!isPage(page)) return { page: 'pending' }
  const settings = Object.fromEntries(new URLSearchParams(query))
  return {
    page,
    ...(id === undefined || isNothing(id) ? {} : { id: decode(id) }),
    ...(Object.keys(settings).length === 0 ? {} : { query: settings }),
  }
}

export function formatPageLocation({ page, id, query }: PageLocation): string {
  const settings = new URLSearchParams(query).toString()
  const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`
  return `#/${path}${settings === '' ? '' : `?${settings}`}`
}

/** A step of a path that addresses drop, however it is written. */
function isNothing(id: string): boolean {
  return ['', '.', '..'].includes(decode(id))
}

function isPage(name: string | undefined): name is PageName {
  return (PAGES as readonly (string | undefined)[]).includes(name)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
