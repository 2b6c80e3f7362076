/** The demonstration that `banksman start --demo` brings: whether there is one, and running it again. */
import { z } from 'zod'
import type { DemonstrationRuns } from '../../../core/demonstration.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { demonstration as wire } from '../../../wire/demonstration.ts'
import { json, type Route, route } from '../route.ts'

export interface DemonstrationRouteParts {
  demonstration?: DemonstrationRuns
}

export function demonstrationRoutes({ demonstration }: DemonstrationRouteParts): Route[] {
  return [
    route('GET /v1/demonstration', {
      summary: 'Whether this server has the demonstration, and whether it runs.',
      access: 'people',
      answers: [json('How it stands.', wire)],
      answer: async () => (await demonstration?.state()) ?? { state: 'absent' },
    }),
    route('POST /v1/demonstration', {
      summary: 'Run the demonstration again. Its requests are for people to decide, like any others.',
      access: 'people',
      body: z.strictObject({}),
      answers: [json('It runs.', wire, 202)],
      async answer({ caller }) {
        if (demonstration !== undefined) return demonstration.run(caller.locale, caller.actor)
        throw new BanksmanError(
          'unknown_route',
          'this server has no demonstration; it is started with: banksman start --demo',
        )
      },
    }),
  ]
}
