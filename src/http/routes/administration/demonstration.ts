/** The demonstration that `banksman start --demo` brings: whether there is one, and running it again. */

import { z } from 'zod'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../../core/session.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import { demonstration as wire } from '../../../wire/demonstration.ts'
import type { WireDemonstration } from '../../../wire/types/demonstration.ts'
import { json, type Route, route } from '../route.ts'

export interface DemonstrationRuns {
  state(): Promise<WireDemonstration>
  /** Runs it again, in the language of who asks. `already_running` while one runs. */
  run(locale: Locale, actor: Actor): Promise<WireDemonstration>
}

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
        throw reasonedError('unknown_route', reasonOf('demo.none'))
      },
    }),
  ]
}
