/** What a client sends on the socket. */
import { z } from 'zod'
import { decisionParts } from './bodies.ts'
import type { WireSocketCommand } from './types/request.ts'

export const helloCommand: z.ZodType<Extract<WireSocketCommand, { type: 'hello' }>> = z.strictObject({
  type: z.literal('hello'),
  token: z.string().min(1).max(512),
  after: z.string().min(1).max(1024).exactOptional(),
})

export const decideCommand: z.ZodType<Extract<WireSocketCommand, { type: 'decide' }>> = z.strictObject({
  type: z.literal('decide'),
  ref: z.string().max(256),
  id: z.string(),
  ...decisionParts,
})
