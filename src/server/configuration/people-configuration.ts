/** What `people:` says: everybody's groups, and their accounts at the services that channels are registered for. */
import { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'
import type { AccountService, ChannelRegistration } from '../channels/channel-registration.ts'

export interface ConfiguredPerson {
  groups: string[]
  /** By the service's name. */
  accounts?: ReadonlyMap<string, string>
}

export const NAME = z.string().regex(/^[^\p{C}\p{Z}:]{1,128}$/u, 'must be a name without spaces or colons')

export function accountServices(channels: readonly ChannelRegistration[]): AccountService[] {
  return channels.flatMap(({ service }) => (service === undefined ? [] : [service]))
}

export function peopleSchema(services: readonly AccountService[]) {
  const accounts = Object.fromEntries(services.map((service) => [service.name, accountSchema(service)]))
  const person = z.strictObject({
    groups: z.array(NAME).default([]),
    ...(accounts as Record<never, never>),
  })
  return z.record(NAME, person.nullable()).default({})
}

/** An id of digits alone is a number in YAML. One that is too long for a number would have lost digits: it needs quotes. */
function accountSchema({ pattern, example }: AccountService) {
  return z
    .union([z.string(), z.int().transform(String)], `must be the id of an account, as in ${example}`)
    .pipe(z.string().regex(pattern, `must be the id of an account, as in ${example}`))
    .optional()
}

/** Throws where two people have the same account: nobody could say whose click it was. */
export function readPeople(
  people: z.output<ReturnType<typeof peopleSchema>>,
  services: readonly AccountService[],
): Map<string, ConfiguredPerson> {
  const owners = new Map<string, string>()
  return new Map(
    Object.entries(people).map(([name, entry]) => {
      const accounts = new Map<string, string>()
      for (const { name: service } of services) {
        const account = (entry as Record<string, unknown> | null)?.[service]
        if (typeof account !== 'string') continue
        const key = JSON.stringify([service, account])
        const other = owners.get(key)
        if (other !== undefined) {
          throw new BanksmanError(
            'invalid_configuration',
            `people.${name}.${service} is the account of ${other} already`,
            { place: `people.${name}.${service}` },
          )
        }
        owners.set(key, name)
        accounts.set(service, account)
      }
      const groups = entry?.groups ?? []
      return [name, accounts.size === 0 ? { groups } : { groups, accounts }]
    }),
  )
}
