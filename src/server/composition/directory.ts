/**
 * Who is who, from the configuration and the tokens: whoever holds a live approver's or admin's token belongs to the
 * group `approvers`, and what the configuration says of a person comes on top.
 */
import type { Directory, Person } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { Store, Token } from '../../stores/store.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { ConfigurationSource } from '../configuration/configuration-source.ts'

type KnownPeople = Pick<Configuration, 'owner' | 'people'>

export function directoryOf(configuration: KnownPeople, tokens: readonly Token[], now: number): Directory {
  const people = new Map<string, Person>()
  for (const token of tokens) {
    const live = token.revokedAt === undefined && (token.expiresAt === undefined || token.expiresAt > now)
    if (live && token.role !== 'agent' && token.use === 'bearer')
      people.set(token.subject, { groups: ['approvers'] })
  }
  for (const [name, { groups, accounts, quietHours }] of configuration.people) {
    const already = people.get(name)?.groups ?? []
    people.set(name, { groups: [...new Set([...already, ...groups])], ...defined({ accounts, quietHours }) })
  }
  return { owner: configuration.owner, people }
}

/** The directory of a server. Configuration and tokens change while it runs, the tokens also through other processes. */
export interface LiveDirectory {
  current(): Directory
  /** Who would be who under another configuration, with the tokens as they were last read. */
  under(configuration: KnownPeople): Directory
  /** Reads the tokens again. */
  refresh(): Promise<void>
}

export async function openDirectory(
  configuration: Pick<ConfigurationSource, 'current'>,
  store: Pick<Store, 'tokens' | 'now'>,
): Promise<LiveDirectory> {
  let tokens: readonly Token[] = []
  const under = (known: KnownPeople) => directoryOf(known, tokens, store.now())
  const read = async () => {
    tokens = await store.tokens.list()
    return under(configuration.current())
  }
  let directory = await read()
  return {
    current: () => directory,
    under,
    async refresh() {
      directory = await read()
    },
  }
}

/**
 * The directory depends on the tokens. It is refreshed before whoever created one hears of it, and when somebody comes
 * whom it doesn't know: another node may have created their token a moment ago.
 */
export function refreshOnTokenChange(
  gateway: Gateway,
  { current, refresh }: Pick<LiveDirectory, 'current' | 'refresh'>,
): Gateway {
  const { tokens } = gateway
  return {
    ...gateway,
    tokens: {
      ...tokens,
      async authenticate(secret, scope) {
        const token = await tokens.authenticate(secret, scope)
        const isKnown = token === undefined || token.role === 'agent' || current().people.has(token.subject)
        if (!isKnown) await refresh()
        return token
      },
      async create(input, actor) {
        const credential = await tokens.create(input, actor)
        await refresh()
        return credential
      },
      async login(code) {
        const credential = await tokens.login(code)
        await refresh()
        return credential
      },
      async revoke(id, actor) {
        await tokens.revoke(id, actor)
        await refresh()
      },
    },
  }
}
