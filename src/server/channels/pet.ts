/** The pet channel, where `pet:` is written. */
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { defineChannel } from './channel-registration.ts'
import { shortDuration } from './duration-schema.ts'

export const pet = defineChannel({
  key: 'pet',
  schema: z.strictObject({
    enabled: z.boolean().default(true),
    answerFrom: z.enum(['connection', 'person']).default('connection'),
    deadline: shortDuration.optional(),
  }),
  read: (block) =>
    block?.enabled === true
      ? { answerFrom: block.answerFrom, ...defined({ deadlineMs: block.deadline }) }
      : undefined,
  async create(options) {
    const { createPet } = await import('../../people/pet/create-pet.ts')
    return createPet(options)
  },
})
