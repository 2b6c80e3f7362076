/** The demonstration. */
import { z } from 'zod'
import { DEMONSTRATION_STATES } from '../core/demonstration.ts'
import { object, ofCore, optional } from './named.ts'

export const demonstration = object('WireDemonstration', 'How the demonstration stands.', {
  state: ofCore('DemonstrationState', 'demonstration.ts', z.enum(DEMONSTRATION_STATES)),
  session: optional(z.string(), 'The conversation of its newest run.'),
})
