/** What `people:` says: everybody's groups, and their accounts at the services that channels are registered for. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { CLOCK_TIME, isTimeZone, type QuietHours } from '../../core/time/quiet-hours.ts'
import type { AccountService, ChannelRegistration } from '../channels/channel-registration.ts'

export interface ConfiguredPerson {
  groups: string[]
  /** By the service's name. */
  accounts?: ReadonlyMap<string, string>
  quietHours?: QuietHours
}

export const NAME = z.string().regex(/^[^\p{C}\p{Z}:]{1,128}$/u, 'must be a name without spaces or colons')

const TIME = z.string().regex(CLOCK_TIME, 'must be a time of day in quotes, as in "22:00"')

const QUIET_HOURS = z
  .strictObject({
    from: TIME,
    to: TIME,
    zone: z.string().refine(isTimeZone, 'must be a time zone that is known here, as in Europe/Amsterdam'),
  })
  .refine(({ from, to }) => from !== to, 'must begin and end at different times')

export function accountServices(channels: readonly ChannelRegistration[]): AccountService[] {
  return channels.flatMap(({ service }) => (service === undefined ? [] : [service]))
}

export function peopleSchema(services: readonly AccountService[]) {
  const accounts = Object.fromEntries(services.map((service) => [service.name, accountSchema(service)]))
  const person = z.strictObject({
    groups: z.array(NAME).default([]),
    quietHours: QUIET_HOURS.optional(),
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
      const quietHours = entry?.quietHours
      return [name, { groups, ...(accounts.size === 0 ? {} : { accounts }), ...defined({ quietHours }) }]
    }),
  )
}
