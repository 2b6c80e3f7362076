/**
 * Who is who, from the configuration and the tokens: whoever holds a live approver's or admin's token belongs to the
 * group `approvers`, and what the configuration says of a person comes on top.
 */
import type { Directory } from '../../core/authority.ts'
import type { Token } from '../../stores/store.ts'
import type { Configuration } from '../configuration/configuration.ts'

type KnownPeople = Pick<Configuration, 'owner' | 'people'>

export function directoryOf(configuration: KnownPeople, tokens: readonly Token[], now: number): Directory {
  const people = new Map<string, { groups: string[] }>()
  for (const token of tokens) {
    const live = token.revokedAt === undefined && (token.expiresAt === undefined || token.expiresAt > now)
    if (live && token.role !== 'agent' && token.use === 'bearer')
      people.set(token.subject, { groups: ['approvers'] })
  }
  for (const [name, { groups }] of configuration.people) {
    const already = people.get(name)?.groups ?? []
    people.set(name, { groups: [...new Set([...already, ...groups])] })
  }
  return { owner: configuration.owner, people }
}
